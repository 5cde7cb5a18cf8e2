//! The verdict: is a pair of colliders a persistent contact, and along which normals?
//!
//! Three questions in a fixed order (`DESIGN.md` section 4): the pair's own contact points, those of a neighbouring
//! piece, a contact query. Only the state of the step's start is read, so the answer depends neither on what the step
//! did nor on the order in which pairs are asked.

mod direct;
mod geometric;
mod neighbour;

pub use geometric::geometric_contact_normal;

use crate::constants::Tolerances;
use crate::contact_query::PosedShape;
use crate::pieces::PieceGroups;
use crate::seams::Chains;
use rapier3d::parry::query::QueryDispatcher;
use rapier3d::prelude::*;
use smallvec::SmallVec;

/// The answer for one pair of colliders at the start of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The source does not ride on the target.
    Loose,
    /// The source rides on the target.
    Persistent {
        /// What showed it.
        evidence: Evidence,
        /// The faces that carry the source.
        references: References,
    },
}

/// What showed that a contact is persistent, in the order the three are asked.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The pair's own contact points.
    Direct,
    /// The contact points of this neighbouring piece.
    Neighbour(ColliderHandle),
    /// A contact query: the pair has a manifold, but the engine left it without points.
    Geometric,
}

/// The reference normals of a verdict; one or two nearly always.
pub type References = SmallVec<[Reference; 4]>;

/// A face that carries the source, at the step's start.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Reference {
    /// Unit, world space, from target to source.
    pub normal: Vector,
    /// A point of the face, world space.
    pub point: Vector,
    /// \[length] The source's distance from the face: negative where it is inside.
    pub distance: Real,
}

impl Reference {
    /// \[length] How deep the source is in the face; zero where it does not reach it.
    pub fn depth(&self) -> Real {
        (-self.distance).max(0.0)
    }
}

/// A collider at its place at the step's start.
#[derive(Copy, Clone)]
pub(crate) struct PosedCollider<'a> {
    pub handle: ColliderHandle,
    pub collider: &'a Collider,
    pub pose: Pose,
}

impl<'a> PosedCollider<'a> {
    fn shape(&self) -> PosedShape<'a> {
        PosedShape { shape: self.collider.shape(), pose: self.pose }
    }
}

/// What a verdict is read from: the narrow phase, which still holds the manifolds of the step's start after the engine
/// step, and the piece groups.
#[derive(Copy, Clone)]
pub(crate) struct Witnesses<'a> {
    pub narrow_phase: &'a NarrowPhase,
    pub colliders: &'a ColliderSet,
    pub groups: &'a PieceGroups,
    /// Where to look for pieces that are in no group but joined all the same; `None` if only groups count.
    pub chains: Option<Chains<'a>>,
    pub dispatcher: &'a dyn QueryDispatcher,
    pub tolerances: Tolerances,
}

/// The verdict on one pair. `target_moves` tells that the target is not fixed: then only the pair's own points count.
pub(crate) fn verdict(
    witnesses: &Witnesses,
    source: &PosedCollider,
    target: &PosedCollider,
    target_moves: bool,
) -> Verdict {
    let pairs = witnesses.narrow_phase.contact_pairs_with(source.handle);
    let own_pair = pairs.into_iter().find(|pair| pair.collider1 == target.handle || pair.collider2 == target.handle);
    let neighbours = || witnesses.narrow_phase.contact_pairs_with(source.handle);
    verdict_of_pairs(witnesses, (source, target), own_pair, (!target_moves).then_some(neighbours))
}

/// The verdict, given the pair's manifolds and, for a fixed target, a way to go through all pairs of the source.
fn verdict_of_pairs<'p, Pairs: Iterator<Item = &'p ContactPair>>(
    witnesses: &Witnesses,
    (source, target): (&PosedCollider, &PosedCollider),
    own_pair: Option<&ContactPair>,
    source_pairs: Option<impl Fn() -> Pairs>,
) -> Verdict {
    let prediction = witnesses.tolerances.prediction;
    if let Some(pair) = own_pair {
        let references = direct::references(pair, source, target, prediction);
        if !references.is_empty() {
            return Verdict::Persistent { evidence: Evidence::Direct, references };
        }
    }
    let Some(source_pairs) = source_pairs else { return Verdict::Loose };
    if let Some((neighbour, references)) = neighbour::references(witnesses, (source, target), source_pairs()) {
        return Verdict::Persistent { evidence: Evidence::Neighbour(neighbour), references };
    }
    // A pair without a manifold was never near: it is not queried.
    if own_pair.is_some_and(|pair| !pair.manifolds().is_empty())
        && let Some(reference) =
            geometric::reference(witnesses.dispatcher, &source.shape(), &target.shape(), prediction)
    {
        return Verdict::Persistent { evidence: Evidence::Geometric, references: References::from_elem(reference, 1) };
    }
    Verdict::Loose
}

#[cfg(test)]
mod tests;
