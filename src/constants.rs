//! Every tolerance of the pass, in terms of Rapier's slop, prediction distance and length unit.

use rapier3d::dynamics::IntegrationParameters;
use rapier3d::math::Real;

/// A body is fast when it moves more than this fraction of its inner radius in one step: Rapier's own criterion
/// (`RigidBodyCcd::FAST_BODY_SAFETY_FACTOR`). Below it, at least half of the body is still on the near side of
/// whatever it meets, and the next step's contacts push it back to there.
pub(crate) const FAST_FRACTION: Real = 0.5;

/// A source may cross the plane of an element by this fraction of its inner radius before a sweep is worth its cost,
/// and never by more than the slop. Half keeps its centroid on the near side.
pub(crate) const CROSSING_FRACTION: Real = 0.5;

/// The tolerance of the face test's contact query beyond the prediction distance, in slops. The time-of-impact solver
/// leaves shapes within one and a quarter slops of each other; the seed document's four leave room for rounding.
pub(crate) const FACE_TEST_SLOPS: Real = 4.0;

/// The separation at which a body in free flight bounces, in slops: 0.2 mm for bodies of a metre. The slop itself would cost
/// it 5 mm of its way at each bounce; much less is lost in single precision a hundred metres from the origin.
pub(crate) const TOUCH_IN_SLOPS: Real = 0.04;

/// Touching a shape is no finer than this share of its extent: the queries for contacts and times of impact stop at a few dozen
/// roundings of the largest coordinate, and miss what they are asked to find nearer than that.
const FINEST_SHARE: Real = 64.0 * Real::EPSILON;

/// How far the chord that stands for an arc of free flight may leave it, in slops: 1 mm for bodies of a metre, three times what
/// gravity makes of it at 60 Hz.
pub(crate) const CHORD_IN_SLOPS: Real = 0.2;

/// \[rad] Rotations below this are none: the square of the angle is lost beside one in single precision.
pub(crate) const MIN_ROTATION: Real = 1.0e-4;

/// The sine of half a rotation below which a driven body is taken to turn about its centre of mass: at 0.6° the arc of a
/// metre leaves its chord by 15 micrometres, and the place of the hinge is lost in single precision.
pub(crate) const MIN_SCREW_SINE: Real = 0.005;

/// The distances that one step compares with, in the world's length unit.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Tolerances {
    /// Rapier's slop (`allowed_linear_error`): the separation a stopped body keeps, and the height an element may rise
    /// above the face that carries a body and still be part of it.
    pub slop: Real,
    /// Rapier's prediction distance: nearer than this, two colliders touch.
    pub prediction: Real,
    /// How far a source may cross a plane unswept, at most; negative if it must not even come that near.
    max_crossing: Real,
}

impl Tolerances {
    /// The tolerances of a step with these parameters.
    pub fn new(parameters: &IntegrationParameters) -> Self {
        let slop = parameters.allowed_linear_error();
        Self { slop, prediction: parameters.prediction_distance(), max_crossing: slop }
    }

    /// The tolerances of a sweep of a body in free flight: the same with a finer slop.
    pub fn fine(&self) -> Self {
        let slop = TOUCH_IN_SLOPS * self.slop;
        Self { slop, max_crossing: -slop, ..*self }
    }

    /// These tolerances for a target that extends to `extent` from its middle: the slop is no finer than the queries are there.
    pub fn for_extent(&self, extent: Real) -> Self {
        let slop = self.slop.max((FINEST_SHARE * extent).min(self.slop / TOUCH_IN_SLOPS));
        if slop > self.slop { Self { slop, max_crossing: -slop, ..*self } } else { *self }
    }

    /// The distance within which the face test looks for the face that was hit.
    pub fn face_test(&self) -> Real {
        self.prediction + FACE_TEST_SLOPS * self.slop
    }

    /// How far a source of this inner radius may cross a plane unswept.
    pub fn crossing(&self, inner_radius: Real) -> Real {
        self.max_crossing.min(CROSSING_FRACTION * inner_radius)
    }
}
