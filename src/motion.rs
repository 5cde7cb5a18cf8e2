//! How a body moves during one step.

use crate::constants::{MIN_ROTATION, MIN_SCREW_SINE};
use rapier3d::math::{ComplexField, Pose, Real, Rotation, Vector};
use rapier3d::parry::query::sweep_toi::Sweep;

/// The motion of a rigid body over one step, as a function of the step's fraction `t` from 0 to 1.
///
/// The centre of mass moves on a straight line while the body turns about a fixed axis at a constant rate, the model
/// of parry's `NonlinearRigidMotion`. The rotation may exceed half a turn, as wheels do.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Motion {
    start: Pose,
    end: Pose,
    /// The centre of mass in the body's frame.
    local_center: Vector,
    center_start: Vector,
    center_end: Vector,
    /// Unit axis of the rotation, in the frame the poses are expressed in.
    axis: Vector,
    /// \[rad] Signed rotation about `axis` from start to end.
    angle: Real,
}

impl Motion {
    /// A body that stays at `pose`.
    pub fn still(pose: &Pose) -> Self {
        Self {
            start: *pose,
            end: *pose,
            local_center: Vector::ZERO,
            center_start: pose.translation,
            center_end: pose.translation,
            axis: Vector::X,
            angle: 0.0,
        }
    }

    /// A body that goes from `start` to `end`, turning about the point `local_center` of its frame by about
    /// `turned`: a rotation vector in radians whose only use is to tell how many half turns lie in between.
    pub fn between(start: &Pose, end: &Pose, local_center: Vector, turned: Vector) -> Self {
        let (axis, angle) = rotation_between(&start.rotation, &end.rotation, turned);
        Self {
            start: *start,
            end: *end,
            local_center,
            center_start: start.transform_point(local_center),
            center_end: end.transform_point(local_center),
            axis,
            angle,
        }
    }

    /// A body that is driven from `start` to `end` as a screw: it turns about an axis that stays where it is, and moves along
    /// it. That is how a flipper moves whose hinge is at its end, though its centre of mass does not move on a line.
    pub fn screw(start: &Pose, end: &Pose, local_center: Vector, turned: Vector) -> Self {
        let about_center = Self::between(start, end, local_center, turned);
        let half = 0.5 * about_center.angle;
        let (sin, cos) = (ComplexField::sin(half), ComplexField::cos(half));
        if sin.abs() < MIN_SCREW_SINE {
            return about_center;
        }
        // The axis passes the middle of the centre's displacement across it, at the distance that sees it under the angle.
        let across = (about_center.center_end - about_center.center_start).reject_from_normalized(about_center.axis);
        let middle = about_center.center_start + 0.5 * across;
        let hinge = middle + about_center.axis.cross(across) * (0.5 * cos / sin);
        Self::between(start, end, start.inverse_transform_point(hinge), turned)
    }

    /// The pose at fraction `t`; exact at both ends.
    pub fn pose_at(&self, t: Real) -> Pose {
        if t <= 0.0 {
            return self.start;
        }
        if t >= 1.0 {
            return self.end;
        }
        let rotation = if self.angle == 0.0 {
            self.start.rotation
        } else {
            Rotation::from_axis_angle(self.axis, self.angle * t) * self.start.rotation
        };
        let center = self.center_start.lerp(self.center_end, t);
        Pose::from_parts(center - rotation * self.local_center, rotation)
    }

    /// \[rad] The unsigned rotation over the whole step.
    pub fn rotation(&self) -> Real {
        self.angle.abs()
    }

    /// \[rad] The rotation over the whole step as a vector along its axis.
    pub fn spin(&self) -> Vector {
        self.axis * self.angle
    }

    /// The velocity, per step, of the body's point that is at `point` at fraction `t`.
    pub fn velocity_at(&self, point: Vector, t: Real) -> Vector {
        let (from, to) = (self.center_start, self.center_end);
        to - from + self.spin().cross(point - from.lerp(to, t))
    }

    /// The unit axis of the rotation.
    pub fn axis(&self) -> Vector {
        self.axis
    }

    /// The path of the centre of mass: its ends.
    pub fn center_path(&self) -> (Vector, Vector) {
        (self.center_start, self.center_end)
    }

    /// The centre of mass in the body's frame.
    pub fn local_center(&self) -> Vector {
        self.local_center
    }

    /// Does the body stay where it is?
    pub fn is_still(&self) -> bool {
        self.start == self.end && self.angle == 0.0
    }

    /// The motion of a part fixed to the body at `part`, between the fractions `t0` and `t1`, for parry's time-of-impact
    /// solver. The rotation in between must stay below half a turn.
    pub fn sweep(&self, part: &Pose, t0: Real, t1: Real) -> Sweep {
        Sweep::from_poses(
            &(self.pose_at(t0) * *part),
            &(self.pose_at(t1) * *part),
            part.inverse_transform_point(self.local_center),
        )
    }

    /// This motion between the fractions `t0` and `t1`, rescaled to a whole step.
    pub fn window(&self, t0: Real, t1: Real) -> Self {
        if t0 == 0.0 && t1 == 1.0 {
            return *self;
        }
        let (start, end) = (self.pose_at(t0), self.pose_at(t1));
        Self {
            start,
            end,
            center_start: self.center_start.lerp(self.center_end, t0),
            center_end: self.center_start.lerp(self.center_end, t1),
            angle: self.angle * (t1 - t0),
            ..*self
        }
    }

    /// What is played of this motion in a window, if it is stopped at fraction `stop`, which is not inside the window.
    pub fn played(&self, (from, to): (Real, Real), stop: Real) -> Self {
        if stop <= from { Self::still(&self.pose_at(stop)) } else { self.window(from, to) }
    }

    /// This motion with its end moved by `shift`.
    pub fn with_end_shifted(&self, shift: Vector) -> Self {
        let end = Pose::from_parts(self.end.translation + shift, self.end.rotation);
        Self { end, center_end: self.center_end + shift, ..*self }
    }

    /// This motion seen from a frame that does not turn, and itself moves by `drift` during the step, starting at
    /// `frame`.
    pub fn relative_to(&self, frame: &Pose, drift: Vector) -> Self {
        let seen =
            |pose: &Pose, shift: Vector| frame.inv_mul(&Pose::from_parts(pose.translation - shift, pose.rotation));
        Self {
            start: seen(&self.start, Vector::ZERO),
            end: seen(&self.end, drift),
            local_center: self.local_center,
            center_start: frame.inverse_transform_point(self.center_start),
            center_end: frame.inverse_transform_point(self.center_end - drift),
            axis: frame.rotation.inverse() * self.axis,
            angle: self.angle,
        }
    }
}

/// The axis and signed angle that turn `from` into `to`, with the whole turns that `turned` tells of.
fn rotation_between(from: &Rotation, to: &Rotation, turned: Vector) -> (Vector, Real) {
    const TURN: Real = 2.0 * std::f64::consts::PI as Real;
    if from == to && turned.length_squared() < MIN_ROTATION * MIN_ROTATION {
        return (Vector::X, 0.0);
    }
    let mut difference = *to * from.inverse();
    if difference.w < 0.0 {
        // The same rotation by the shorter way.
        difference = -difference;
    }
    let (mut axis, angle) = difference.to_axis_angle();
    if angle < MIN_ROTATION {
        // No axis can be told from the poses: it made whole turns, or none.
        axis = turned.try_normalize().unwrap_or(Vector::X);
    }
    let whole_turns = ((turned.dot(axis) - angle) / TURN).round();
    let angle = if whole_turns.is_finite() { angle + whole_turns * TURN } else { angle };
    if angle.abs() < MIN_ROTATION { (Vector::X, 0.0) } else { (axis, angle) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    fn spin(angle: Real) -> Motion {
        let start = Pose::from_translation(Vector::new(1.0, 2.0, 3.0));
        let end = Pose::from_parts(Vector::new(2.0, 2.0, 3.0), Rotation::from_rotation_z(angle));
        Motion::between(&start, &end, Vector::ZERO, Vector::Z * angle)
    }

    #[test]
    fn the_rotation_may_exceed_half_a_turn_either_way() {
        for angle in [0.1, 3.0, 3.3, 6.2, 6.4, 9.0, 20.0] {
            for sign in [1.0, -1.0] {
                let motion = spin(sign * angle);
                assert_relative_eq!(motion.rotation(), angle, max_relative = 1e-4);
                let quarter = motion.pose_at(0.25).rotation;
                assert!(quarter.angle_between(Rotation::from_rotation_z(sign * angle / 4.0)) < 1e-3);
            }
        }
    }

    #[test]
    fn both_ends_are_exact() {
        let motion = spin(0.7);
        assert_eq!(motion.pose_at(0.0), motion.start);
        assert_eq!(motion.pose_at(1.0), motion.end);
    }

    #[test]
    fn the_centre_of_mass_moves_on_a_line() {
        let local_center = Vector::new(0.5, 0.0, 0.0);
        let end = Pose::from_parts(Vector::new(0.0, 3.0, 0.0), Rotation::from_rotation_y(2.0));
        let motion = Motion::between(&Pose::IDENTITY, &end, local_center, Vector::Y * 2.0);
        let (a, b) = motion.center_path();
        for t in [0.2, 0.5, 0.9] {
            assert!(motion.pose_at(t).transform_point(local_center).distance(a.lerp(b, t)) < 1e-6);
        }
    }

    #[test]
    fn a_screw_turns_about_its_hinge() {
        for angle in [0.05, 1.0, 2.5, 4.0] {
            let bar = |angle: Real| {
                let rotation = Rotation::from_rotation_z(angle);
                Pose::from_parts(Vector::Y * 3.0 + rotation * Vector::X, rotation)
            };
            let motion = Motion::screw(&bar(0.0), &bar(angle), Vector::ZERO, Vector::Z * angle);
            for t in [0.25, 0.5, 0.9] {
                assert!(motion.pose_at(t).translation.distance(bar(angle * t).translation) < 1e-4);
            }
        }
    }

    #[test]
    fn a_window_is_the_same_motion() {
        let motion = spin(1.0);
        let window = motion.window(0.25, 0.75);
        let (a, b) = (window.pose_at(0.5), motion.pose_at(0.5));
        assert!(a.translation.distance(b.translation) < 1e-6 && a.rotation.angle_between(b.rotation) < 1e-3);
    }
}
