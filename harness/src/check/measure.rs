//! What is measured in a recording.

use crate::error::Fault;
use crate::number::{Num, Num3, Values, direction};
use crate::recording::{Recording, State};
use rapier3d::prelude::*;
use std::ops::RangeInclusive;

/// \[length/s] Below this speed a step has no advance to speak of: the engine's own noise is larger than a tenth of it.
const SLOWEST: f64 = 0.01;

/// \[length] What is relative to a way is relative to at least this. One percent of it is Rapier's slop: nearer than that the
/// engine does not keep anything in its place.
pub const SHORTEST_WAY: f64 = 0.5;

/// A value, and the step it belongs to.
pub type Sample = (usize, f64);

/// How a step's advance is measured.
#[derive(Copy, Clone, Debug, Default)]
pub struct Yardstick {
    /// \[length/s] The speed, if it is given; else the body's at each step's start.
    pub speed: Option<f64>,
    /// The direction, if it is given; else that of each step's velocity.
    pub along: Option<Vector>,
}

impl Yardstick {
    /// The yardstick of a check.
    ///
    /// # Errors
    /// A number at fault, or a direction of no length.
    pub fn new(speed: Option<&Num>, along: Option<&Num3>, values: &Values) -> Result<Self, Fault> {
        Ok(Self {
            speed: speed.map(|speed| speed.get(values)).transpose()?,
            along: along.map(|along| direction(along, values, "along")).transpose()?,
        })
    }
}

/// The state of a body after a step.
pub fn state(recording: &Recording, body: usize, step: usize) -> State {
    recording.frames[step][body]
}

/// \[length] Where a body's origin is after a step, in the world or in the frame of another body.
pub fn place(recording: &Recording, (body, frame): (usize, Option<usize>), step: usize) -> Vector {
    let place = state(recording, body, step).pose.translation;
    frame.map_or(place, |frame| state(recording, frame, step).pose.inverse_transform_point(place))
}

/// The advance of each step, relative to speed · dt. Steps of a body that hardly moves are left out.
pub fn advance_ratios(
    recording: &Recording,
    body: usize,
    yardstick: Yardstick,
    steps: RangeInclusive<usize>,
) -> Vec<Sample> {
    steps
        .filter_map(|step| {
            let (before, after) = (state(recording, body, step - 1), state(recording, body, step));
            let velocity = before.linvel;
            let way = after.pose.translation - before.pose.translation;
            let direction = yardstick.along.or_else(|| velocity.try_normalize());
            let speed = match (yardstick.speed, yardstick.along) {
                (Some(speed), _) => speed,
                (None, Some(along)) => f64::from(velocity.dot(along)),
                (None, None) => velocity.length().into(),
            };
            // A body that stands still although it has a speed to keep has no direction: it does not advance.
            let advance = direction.map_or(0.0, |direction| f64::from(way.dot(direction)));
            (speed > SLOWEST && before.present && after.present).then(|| (step, advance / (speed * recording.dt)))
        })
        .collect()
}

/// The advance of each step, relative to the median of its neighbours.
pub fn median_ratios(
    recording: &Recording,
    body: usize,
    (window, along): (usize, Option<Vector>),
    steps: RangeInclusive<usize>,
) -> Vec<Sample> {
    let first = *steps.start();
    let advances: Vec<f64> = steps
        .map(|step| {
            let way = state(recording, body, step).pose.translation - state(recording, body, step - 1).pose.translation;
            along.map_or(way.length(), |along| way.dot(along)).into()
        })
        .collect();
    let half = window / 2;
    (0..advances.len())
        .filter_map(|index| {
            let end = (index + half + 1).min(advances.len());
            let median = median(advances[index.saturating_sub(half)..end].to_vec());
            (median > SLOWEST * recording.dt).then(|| (first + index, advances[index] / median))
        })
        .collect()
}

/// The median; of an even number of values, the higher of the two in the middle.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The heights of a bouncing body's apexes, in order. An apex between two frames is found on the parabola through
/// the highest frame and its two neighbours, which a body in free flight follows exactly.
pub fn peaks(heights: &[f64]) -> Vec<Sample> {
    let mut found = Vec::new();
    for (index, triple) in heights.windows(3).enumerate() {
        let [before, top, after] = [triple[0], triple[1], triple[2]];
        if top > before && top >= after {
            let bend = before - 2.0 * top + after;
            let slope = 0.5 * (after - before);
            let height = if bend < 0.0 { top - 0.5 * slope * slope / bend } else { top };
            found.push((index + 1, height));
        }
    }
    found
}

/// \[length] How deep solids reach behind a plane; negative in front of it.
pub fn depth(solids: &[(Pose, SharedShape)], pose: &Pose, plane: (Vector, Vector)) -> f64 {
    let (point, normal) = plane;
    let deepest = |(local, shape): &(Pose, SharedShape)| reach(shape, &(*pose * *local), -normal) + point.dot(normal);
    solids.iter().map(deepest).fold(f64::NEG_INFINITY, |deepest, depth| deepest.max(depth.into()))
}

/// How far a shape reaches along a direction, from the world's origin.
fn reach(shape: &SharedShape, pose: &Pose, direction: Vector) -> Real {
    if let Some(map) = shape.as_support_map() {
        return map.support_point_toward(pose, direction).dot(direction);
    }
    if let Some(compound) = shape.as_compound() {
        let children = compound.shapes().iter().map(|(local, child)| reach(child, &(*pose * *local), direction));
        return children.fold(Real::NEG_INFINITY, Real::max);
    }
    // Meshes and the like have no moving bodies in any fixture: their box is close enough.
    let corners = shape.compute_aabb(pose).vertices();
    corners.iter().map(|corner| corner.dot(direction)).fold(Real::NEG_INFINITY, Real::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_apex_between_two_frames_is_found() {
        let heights: Vec<f64> =
            (0..20).map(|i| f64::from(i) * 0.1 + 0.03).map(|t| 2.0 - 9.81 * (t - 0.5).powi(2)).collect();
        let found = peaks(&heights);
        assert_eq!(found.len(), 1);
        assert!((found[0].1 - 2.0).abs() < 1.0e-9, "{found:?}");
    }

    #[test]
    fn depth_is_the_support_point_below_the_plane() {
        let solids = [(Pose::translation(0.0, 0.0, 0.5), SharedShape::ball(0.2))];
        let depth = depth(&solids, &Pose::translation(0.0, 0.15, 0.0), (Vector::ZERO, Vector::Y));
        assert!((depth - 0.05).abs() < 1.0e-6, "{depth}");
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert!(median(Vec::new()).is_nan());
    }
}
