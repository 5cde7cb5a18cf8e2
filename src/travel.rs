//! How far a body came in a step, and the room it took on the way.

use crate::build::swept_colliders;
use crate::motion::Motion;
use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d::prelude::*;

/// How a body came to where the engine left it.
pub(crate) fn motion_from(came_from: &Pose, body: &RigidBody, dt: Real) -> Motion {
    let turned = body.angvel() * dt;
    let center = body.mass_properties().local_mprops.local_com;
    // The engine moves a body about its centre of mass. Where the game gives only the poses, nothing tells of one.
    if body.body_type() == RigidBodyType::KinematicPositionBased {
        Motion::screw(came_from, body.position(), center, turned)
    } else {
        Motion::between(came_from, body.position(), center, turned)
    }
}

/// \[length] The farthest that a point of the body may have moved.
pub(crate) fn travel(motion: &Motion, body: &RigidBody) -> Real {
    let (from, to) = motion.center_path();
    from.distance(to) + motion.rotation() * extent(motion, body)
}

/// \[length] No point of the body moved farther than this: a bound that costs no trigonometry.
pub(crate) fn travel_at_most(body: &RigidBody, came_from: &Pose, dt: Real) -> Real {
    let mass = body.mass_properties();
    let moved = center_at(body, came_from).distance(mass.world_com);
    let (from, to) = (came_from.rotation, body.position().rotation);
    // Most of what flies does not turn.
    if from == to && body.angvel() == Vector::ZERO {
        return moved;
    }
    // A rotation by θ is a quaternion at 2·sin(θ/4) from none, which is at least θ·√2/π; and θ is 2.3 times that at most.
    let to = if from.dot(to) < 0.0 { -to } else { to };
    let rotation = (2.3 * (to - from).length()).max(body.angvel().length() * dt);
    moved + rotation * mass.max_extent()
}

/// The centre of mass of the body at `pose`.
pub(crate) fn center_at(body: &RigidBody, pose: &Pose) -> Vector {
    let local = body.mass_properties().local_mprops.local_com;
    // That of most shapes is where the body is.
    if local == Vector::ZERO { pose.translation } else { pose.transform_point(local) }
}

/// \[length] The radius of the ball that holds the body around the point it turns about.
pub(crate) fn extent(motion: &Motion, body: &RigidBody) -> Real {
    let mass = body.mass_properties();
    mass.max_extent() + mass.local_mprops.local_com.distance(motion.local_center())
}

/// The box of all that the body's colliders sweep.
pub(crate) fn swept_bounds(motion: &Motion, body: &RigidBody, colliders: &ColliderSet) -> Aabb {
    swept_colliders(body, colliders).fold(Aabb::new_invalid(), |bounds, collider| {
        let place = collider.position_wrt_parent().copied().unwrap_or(Pose::IDENTITY);
        bounds.merged(&swept_box(motion, &place, collider.shape()))
    })
}

/// The box of all that a shape at `place` on a body with this motion sweeps.
pub(crate) fn swept_box(motion: &Motion, place: &Pose, shape: &dyn Shape) -> Aabb {
    let ends = shape
        .compute_aabb(&(motion.pose_at(0.0) * *place))
        .merged(&shape.compute_aabb(&(motion.pose_at(1.0) * *place)));
    let rotation = motion.rotation();
    if rotation == 0.0 {
        return ends;
    }
    // Between the ends a point at distance r from the axis bulges by at most r·θ²/8. It also never leaves the ball around
    // the centre of mass that holds the shape, which is the tighter box for wheels.
    let sphere = shape.compute_local_bounding_sphere();
    let radius = (*place * sphere.center()).distance(motion.local_center()) + sphere.radius();
    // A shape of a negative size has a negative radius; one that is not finite sweeps its ends only.
    let bulge = ends.loosened((radius * rotation * rotation / 8.0).max(0.0));
    let (from, to) = motion.center_path();
    let ball = Aabb::new(from.min(to) - Vector::splat(radius), from.max(to) + Vector::splat(radius));
    bulge.intersection(&ball).unwrap_or(ball)
}
