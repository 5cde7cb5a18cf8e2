//! Every decision of a step, pair by pair, for whoever wonders why a body stopped.

use crate::report::SweptShape;
use crate::verdict::Verdict;
use rapier3d::prelude::*;

/// The decisions of one step, in the order they were taken. Empty unless tracing is
/// [switched on](crate::PersistentContacts::set_tracing).
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// One entry for each pair that was swept.
    pub pairs: Vec<PairTrace>,
    /// The stops that followed from the pairs, assemblies included.
    pub stops: Vec<StopTrace>,
}

impl Trace {
    /// Empties the trace, keeping its memory.
    pub(crate) fn clear(&mut self) {
        self.pairs.clear();
        self.stops.clear();
    }
}

/// The decisions on one pair of colliders.
#[derive(Clone, Debug)]
pub struct PairTrace {
    /// The body that was swept.
    pub body: RigidBodyHandle,
    /// Its collider.
    pub source: ColliderHandle,
    /// The collider it may hit.
    pub target: ColliderHandle,
    /// The verdict, if one had to be asked for: a pair whose every element was out of reach needs none.
    pub verdict: Option<Verdict>,
    /// Elements of the target that the swept box met.
    pub elements: u32,
    /// Of those, the ones that were out of reach.
    pub rejected: u32,
    /// Every hit that was found.
    pub hits: Vec<HitTrace>,
}

/// One hit of a sweep.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct HitTrace {
    /// The element that was hit; see [`Clamp::element`](crate::Clamp::element).
    pub element: u32,
    /// Which shape hit it.
    pub shape: SweptShape,
    /// The part of the step, from 0 to 1, before the hit.
    pub fraction: Real,
    /// \[rad] The smallest angle between the hit's normal and a reference normal, where the face was tested.
    pub face_angle: Option<Real>,
    /// What followed.
    pub outcome: HitOutcome,
}

/// What followed from a hit.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum HitOutcome {
    /// The hit is a reason to stop; the earliest of a body's reasons does.
    Stops,
    /// The body comes in at a shallow angle: it is kept on the surface for the rest of the step.
    Glances,
    /// The body comes in at a shallow angle, over a crest that it leaves again: only the core ball is swept.
    Grazes,
    /// The hit is on the face that carries the body: the core ball was swept instead.
    SameFace,
    /// A body in free flight runs into the target: it bounces by the law of restitution.
    Bounces,
    /// The source does not go deeper into what it hit.
    NotApproaching,
    /// A sensor, or a pair whose solver groups differ: reported, never a reason to stop.
    Passes,
}

/// A body that was stopped.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct StopTrace {
    /// The body.
    pub body: RigidBodyHandle,
    /// The part of the step, from 0 to 1, that it was left.
    pub fraction: Real,
    /// The body whose hit it was: another one where hard joints tie the two together.
    pub hit_by: RigidBodyHandle,
}
