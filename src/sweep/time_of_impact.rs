//! Times of impact: parry's solver for point clouds, conservative advancement for everything else.

use super::PairSweep;
use super::part_path::MAX_BISECTIONS;
use crate::element::Element;
use rapier3d::math::{Pose, Real, Vector};
use rapier3d::parry::query::ClosestPoints;
use rapier3d::parry::query::sweep_toi::{SweepToiStatus, ToiProxy, sweep_time_of_impact};

/// When two shapes first come within the target separation.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct TimeOfImpact {
    /// The part of the motion before it, from 0 to 1.
    pub fraction: Real,
    /// The shapes overlapped when the motion began.
    pub overlapped: bool,
}

/// Conservative advancement gives up after this many separating axes and returns the last time that was safe. Parry's
/// solver allows 25 (`query/sweep_toi/sweep_toi.rs`); smooth shapes take a few more.
const MAX_SEPARATING_AXES: u32 = 40;

/// \[1] A motion is cut into no more intervals. With the default setting these are ten turns in a step, 600 a second at 60 Hz;
/// what spins faster is a blur, and gets coarser intervals.
const MAX_INTERVALS: Real = 128.0;

impl PairSweep<'_> {
    /// The time of impact of the part with an element.
    pub(super) fn time_of_impact(&self, element: &Element) -> Option<TimeOfImpact> {
        match (&self.part.proxy, element.proxy()) {
            (Some(source), Some(target)) => self.proxies(source, element, target),
            _ => self.conservative_advancement(element),
        }
    }

    /// The time of impact of two point clouds.
    ///
    /// Parry stops sharp shapes a slop before they touch, and round ones a slop after. A body that is stopped inside its target
    /// gets deeper before the solver has turned it, so round shapes are inflated by the difference: all stop before.
    fn proxies(&self, source: &ToiProxy, element: &Element, mut target: ToiProxy) -> Option<TimeOfImpact> {
        let slop = self.rules.tolerances.slop;
        if source.radius + target.radius > 0.0 {
            target.radius += 2.0 * slop;
        }
        let (target_motion, place) = self.motion.target();
        let place = *place * element.local;
        self.first_in_intervals(|t0, t1| {
            let output = sweep_time_of_impact(
                &target,
                &target_motion.sweep(&place, t0, t1),
                source,
                &self.motion.source.sweep(&self.part.local, t0, t1),
                1.0,
                slop,
            );
            match output.status {
                SweepToiStatus::Separated => None,
                SweepToiStatus::Overlapped => Some((0.0, true)),
                SweepToiStatus::Hit | SweepToiStatus::Failed => Some((output.fraction, false)),
            }
        })
    }

    /// The first interval's hit, in fractions of the whole motion. Intervals are short enough for the interpolation of
    /// rotations; `hit_in` gets an interval's ends and answers with a fraction of it.
    fn first_in_intervals(&self, hit_in: impl Fn(Real, Real) -> Option<(Real, bool)>) -> Option<TimeOfImpact> {
        let wanted = (self.motion.rotation() / self.rules.settings.max_interval_rotation).ceil();
        let intervals = wanted.clamp(1.0, MAX_INTERVALS);
        let mut index = 0.0;
        while index < intervals {
            let (t0, t1) = (index / intervals, (index + 1.0) / intervals);
            if let Some((fraction, overlapped)) = hit_in(t0, t1) {
                // Overlap that begins with a later interval is a hit at its start.
                return Some(TimeOfImpact {
                    fraction: t0 + fraction * (t1 - t0),
                    overlapped: overlapped && index == 0.0,
                });
            }
            index += 1.0;
        }
        None
    }

    /// The time of impact of shapes that are no point clouds (cylinders, cones, half-spaces, a user's own): the closest
    /// points give a separating axis, along which the shapes are advanced until they come within the slop; repeated until
    /// the closest points are that close themselves.
    fn conservative_advancement(&self, element: &Element) -> Option<TimeOfImpact> {
        self.first_in_intervals(|t0, t1| {
            let mut t = t0;
            for _ in 0..MAX_SEPARATING_AXES {
                let axis = match self.separating_axis(element, t)? {
                    SeparatingAxis::Overlap => return Some(((t - t0) / (t1 - t0), t == t0)),
                    SeparatingAxis::Touch => return Some(((t - t0) / (t1 - t0), false)),
                    SeparatingAxis::Along(axis) => axis,
                };
                t = self.advance_along(element, axis, (t, t1))?;
            }
            Some(((t - t0) / (t1 - t0), false))
        })
    }

    /// The axis between the closest points at fraction `t`, or `None` if the dispatcher does not know the shapes.
    fn separating_axis(&self, element: &Element, t: Real) -> Option<SeparatingAxis> {
        let slop = self.rules.tolerances.slop;
        let source = self.source_pose(t);
        let target = self.element_pose(element, t);
        let to_target = source.inv_mul(&target);
        match self.rules.dispatcher.closest_points(&to_target, self.part.shape, element.shape(), Real::MAX).ok()? {
            ClosestPoints::Intersecting => Some(SeparatingAxis::Overlap),
            ClosestPoints::Disjoint => None,
            ClosestPoints::WithinMargin(on_source, on_target) => {
                let gap = source * on_source - target * on_target;
                let distance = gap.length();
                Some(if distance <= SEPARATION_IN_SLOPS * slop {
                    SeparatingAxis::Touch
                } else {
                    SeparatingAxis::Along(gap / distance)
                })
            }
        }
    }

    /// The last time in `window` until which the shapes stay a slop apart along `axis`, a unit vector from target to
    /// source; `None` if that is the whole window.
    fn advance_along(&self, element: &Element, axis: Vector, window: (Real, Real)) -> Option<Real> {
        let slop = self.rules.tolerances.slop;
        let separation =
            |t: Real| self.part.lowest(&self.source_pose(t), axis) - self.element_highest(element, axis, t);
        let (mut safe, mut unsafe_) = window;
        if separation(unsafe_) > slop {
            return None;
        }
        for _ in 0..MAX_BISECTIONS {
            let middle = 0.5 * (safe + unsafe_);
            if separation(middle) > slop {
                safe = middle;
            } else {
                unsafe_ = middle;
            }
        }
        Some(safe)
    }

    /// The source part's pose in the frame at fraction `t`.
    pub(super) fn source_pose(&self, t: Real) -> Pose {
        self.motion.source.pose_at(t) * self.part.local
    }

    /// An element's pose in the frame at fraction `t`.
    pub(super) fn element_pose(&self, element: &Element, t: Real) -> Pose {
        self.motion.target_pose(t) * element.local
    }

    /// The element's greatest coordinate along `axis`, in the frame, at fraction `t`.
    fn element_highest(&self, element: &Element, axis: Vector, t: Real) -> Real {
        let pose = self.motion.target_pose(t);
        axis.dot(pose.translation) + element.highest(pose.rotation.inverse() * axis)
    }
}

/// Closest points this many slops apart are a hit: parry's solver stops within a quarter slop of its target of one.
const SEPARATION_IN_SLOPS: Real = 1.25;

/// What the closest points of two shapes tell.
enum SeparatingAxis {
    /// The shapes overlap.
    Overlap,
    /// The shapes are within the target separation.
    Touch,
    /// The unit vector from target to source along which they are apart.
    Along(Vector),
}
