//! What a step did: counters, clamps and impacts.

use rapier3d::prelude::*;

/// The account of one step. Read it after the step, or at any time through
/// [`last_step`](crate::PersistentContacts::last_step).
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    pub(crate) counters: Counters,
    pub(crate) clamps: Vec<Clamp>,
    pub(crate) glances: Vec<Glance>,
    pub(crate) impacts: Vec<Impact>,
}

impl StepReport {
    /// How much of each kind of work the step did.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The hits that stopped a body, in order of time.
    pub fn clamps(&self) -> &[Clamp] {
        &self.clamps
    }

    /// The hits at a shallow angle that kept a body on the surface it hit instead of stopping it.
    pub fn glances(&self) -> &[Glance] {
        &self.glances
    }

    /// The hits that changed a body's velocity, in order of time.
    pub fn impacts(&self) -> &[Impact] {
        &self.impacts
    }

    /// Empties the report, keeping its memory for the next step.
    pub(crate) fn clear(&mut self) {
        self.counters = Counters::default();
        self.clamps.clear();
        self.glances.clear();
        self.impacts.clear();
    }
}

/// How often each part of the step ran.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Bodies fast enough to be swept.
    pub movers: u32,
    /// Pairs of colliders that passed the filters.
    pub pairs: u32,
    /// Elements (triangles, children, whole convex shapes) met by the swept boxes.
    pub elements: u32,
    /// Elements that a few dot products showed to be out of reach.
    pub rejected_elements: u32,
    /// Verdicts: persistent by the pair's own contact points.
    pub direct_verdicts: u32,
    /// Verdicts: persistent by a neighbouring piece.
    pub neighbour_verdicts: u32,
    /// Verdicts: persistent by the geometric fallback.
    pub geometric_verdicts: u32,
    /// Verdicts: not persistent.
    pub loose_verdicts: u32,
    /// Time-of-impact solves of full shapes.
    pub full_sweeps: u32,
    /// Time-of-impact solves of core balls.
    pub core_sweeps: u32,
    /// Contact queries that asked which face was hit.
    pub face_tests: u32,
    /// Bodies stopped, including those that an assembly took along.
    pub stopped_bodies: u32,
    /// Bounces of bodies in free flight.
    pub impacts: u32,
    /// Hits at a shallow angle after which the body kept its way along the surface.
    pub glances: u32,
}

/// Which shape of the source a sweep moved.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum SweptShape {
    /// The collider's own shape, or one child of it.
    Full,
    /// The ball around the shape's centroid that is left when the face test excuses the rest.
    Core,
}

/// A hit that stopped a body. The velocity is kept; the solver answers it in the next step. Only a body that stood at the same
/// surface from the step's start, and is the solver's, loses what would take it on into that.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Clamp {
    /// The body that was stopped.
    pub body: RigidBodyHandle,
    /// Its collider that hit.
    pub source: ColliderHandle,
    /// The collider that was hit.
    pub target: ColliderHandle,
    /// The element of the target: the triangle of a mesh or heightfield, the child of a compound, the voxel; 0 else.
    pub element: u32,
    /// The part of the step, from 0 to 1, that was played before the hit.
    pub fraction: Real,
    /// The unit normal of the hit in world space, from target to source. Zero where the shapes overlapped already.
    pub normal: Vector,
    /// Which shape hit.
    pub shape: SweptShape,
}

/// A hit at a shallow angle. The body, with the assembly it belongs to, is lifted back onto the surface at the end of the
/// step and loses nothing of its way along it. The velocity is kept; the solver answers it in the next step.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Glance {
    /// The hit, as it would have stopped the body.
    pub hit: Clamp,
    /// \[length] How far the body was lifted along the hit's normal.
    pub lift: Real,
}

/// A hit that changed a body's velocity by the law of restitution.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Impact {
    /// The body that bounced.
    pub body: RigidBodyHandle,
    /// The body of the surface, if it has one.
    pub surface: Option<RigidBodyHandle>,
    /// The collider that hit.
    pub source: ColliderHandle,
    /// The collider that was hit.
    pub target: ColliderHandle,
    /// The contact point in world space at the time of impact.
    pub point: Vector,
    /// The unit normal in world space, from surface to body.
    pub normal: Vector,
    /// \[s] The time of impact, from the step's start.
    pub time: Real,
    /// \[length/s] The approach speed at the contact point, in the frame of the surface; positive.
    pub approach_speed: Real,
    /// \[mass·length/s] The impulse the body received.
    pub impulse: Vector,
}
