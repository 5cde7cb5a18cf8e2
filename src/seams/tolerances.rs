//! The distances that tell a seam from a step.

use crate::constants::Tolerances;
use rapier3d::math::Real;

/// What the seam rules compare with, in the world's length unit. All follow from one setting, the unevenness that a seam
/// may have.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct SeamTolerances {
    /// The gap, overlap or difference in height at which two pieces still continue each other.
    pub unevenness: Real,
    /// How far from a contact point the faces lie that it may belong to.
    pub reach: Real,
    /// How far from a face's side, inwards, it is asked whether a neighbour covers it: deeper than a seam is uneven.
    pub depth: Real,
    /// How far in front of a face it is asked: farther than a seam gapes, and short enough to be inside a thin neighbour.
    pub front: Real,
    /// Points of a source within this height of its lowest point are as low.
    pub level: Real,
    /// Rapier's prediction distance.
    pub prediction: Real,
}

/// The reach beyond the unevenness, in slops: a contact point is off the edge it belongs to by what the body sank in.
const REACH_SLOPS: Real = 1.0;

impl SeamTolerances {
    /// With an unevenness of so many slops.
    pub fn new(tolerances: &Tolerances, slops: Real) -> Self {
        let unevenness = slops * tolerances.slop;
        Self {
            unevenness,
            reach: unevenness + REACH_SLOPS * tolerances.slop,
            depth: 2.0 * unevenness,
            front: 1.5 * unevenness,
            level: 0.1 * tolerances.slop,
            prediction: tolerances.prediction,
        }
    }

    /// How deep contact points may lie in a piece that a body rests on or slides over.
    pub fn behind(&self) -> Real {
        2.0 * self.prediction
    }
}
