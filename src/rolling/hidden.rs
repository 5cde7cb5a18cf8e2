//! How far a contact point rises from the ground while the body that it belongs to turns, and does not rise itself.

use rapier3d::math::{Pose, Real, Vector};
use rapier3d::parry::shape::{Shape, TypedShape};
use rapier3d::prelude::*;

/// \[rad] Bodies that turn less in a step are left alone: a wheel of a metre hides a fifth of a millimetre then.
const MIN_TURN: Real = 0.02;

/// What a body may turn farther in the step than at the speed it began with: friction may drive it.
const DRIVEN: Real = 1.05;

/// Does the body turn so fast that its contacts may hide something?
pub(crate) fn turns_fast(body: &RigidBody, dt: Real) -> bool {
    body.angvel().length_squared() * dt * dt > MIN_TURN * MIN_TURN
}

/// Does the shape curve, so that it can roll?
pub(crate) fn is_round(shape: &dyn Shape) -> bool {
    use ShapeType::{Ball, Capsule, Cone, Cylinder, RoundCone, RoundConvexPolyhedron, RoundCuboid, RoundCylinder};
    matches!(
        shape.shape_type(),
        Ball | Capsule | Cylinder | Cone | RoundCuboid | RoundConvexPolyhedron | RoundCylinder | RoundCone
    )
}

/// A contact point of a shape, in world space.
#[derive(Copy, Clone)]
pub(crate) struct ContactPoint {
    pub point: Vector,
    /// Unit, towards the shape.
    pub normal: Vector,
}

/// \[length] How far the point moves along the normal at most, in a step in which the shape turns by the rotation vector
/// `turn`, without the shape's rising: for a ball of radius r it is r·(1 − cos θ). None of it for shapes without a
/// curvature of their own.
pub(super) fn hidden_rise((shape, pose): (&dyn Shape, &Pose), contact: &ContactPoint, turn: Vector) -> Real {
    let Some((arm, turn)) = round_part((shape, pose), contact, turn) else { return 0.0 };
    let angle = turn.length();
    let Some(axis) = turn.try_normalize() else { return 0.0 };
    let half_turn = std::f64::consts::PI as Real;
    let angle = (DRIVEN * angle).min(half_turn);
    (-arm.reject_from_normalized(axis).dot(contact.normal) * (1.0 - angle.cos())).max(0.0)
}

/// The arm from the centre of curvature to the contact, and the part of the turn that rolls over it.
fn round_part((shape, pose): (&dyn Shape, &Pose), contact: &ContactPoint, turn: Vector) -> Option<(Vector, Vector)> {
    let border = |radius: Real| Some((contact.normal * -radius, turn));
    match shape.as_typed_shape() {
        TypedShape::Ball(ball) => border(ball.radius),
        TypedShape::Capsule(capsule) => border(capsule.radius),
        TypedShape::RoundCuboid(round) => border(round.border_radius),
        TypedShape::RoundConvexPolyhedron(round) => border(round.border_radius),
        TypedShape::Cylinder(_) | TypedShape::RoundCylinder(_) | TypedShape::Cone(_) | TypedShape::RoundCone(_) => {
            let axis = pose.rotation * Vector::Y;
            let arm = (contact.point - pose.translation).reject_from_normalized(axis);
            Some((arm, axis * turn.dot(axis)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use rapier3d::parry::shape::{Ball, Cuboid, Cylinder};

    const BELOW: ContactPoint = ContactPoint { point: Vector::new(0.0, -0.3, 0.0), normal: Vector::Y };

    #[test]
    fn a_ball_hides_what_its_contact_rises() {
        let rise = hidden_rise((&Ball::new(0.3), &Pose::IDENTITY), &BELOW, Vector::Z * -0.5);
        assert_relative_eq!(rise, 0.3 * (1.0 - (DRIVEN * 0.5).cos()), max_relative = 1e-5);
        // Once around, it was at the top in between.
        let rise = hidden_rise((&Ball::new(0.3), &Pose::IDENTITY), &BELOW, Vector::Z * 6.0);
        assert_relative_eq!(rise, 0.6, max_relative = 1e-5);
    }

    #[test]
    fn only_a_turn_about_its_axis_is_hidden_by_a_cylinder() {
        let lying = Pose::from_parts(Vector::ZERO, Rotation::from_rotation_x(std::f64::consts::FRAC_PI_2 as Real));
        let cylinder = Cylinder::new(0.3, 0.3);
        let rise = |turn: Vector| hidden_rise((&cylinder, &lying), &BELOW, turn);
        assert_relative_eq!(rise(Vector::Z * 0.5), 0.3 * (1.0 - (DRIVEN * 0.5).cos()), max_relative = 1e-4);
        assert_relative_eq!(rise(Vector::X * 0.5), 0.0, epsilon = 1e-5);
        assert_relative_eq!(rise(Vector::Y * 0.5), 0.0, epsilon = 1e-5);
    }

    #[test]
    fn a_cuboid_hides_nothing() {
        let cuboid = Cuboid::new(Vector::splat(0.3));
        assert_eq!(hidden_rise((&cuboid, &Pose::IDENTITY), &BELOW, Vector::Z), 0.0);
    }
}
