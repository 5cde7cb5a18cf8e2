//! The impulses of an impact: the law of restitution at every contact point of a rigid body at once.

use crate::encounter::Bounce;
use crate::restitution;
use rapier3d::prelude::*;

/// The impulses of several points are found one after the other, over and over. Each pass at least halves what is left for
/// the points of a flat face; this many leave nothing that single precision could tell.
const MAX_PASSES: u32 = 64;

/// A pass that changes no velocity by more than this share of the approach speed is the last.
const CONVERGED: Real = 1.0e-6;

/// The body that meets a surface, at the time of impact.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Striker {
    /// The centre of mass in world space.
    pub center: Vector,
    pub velocity: RigidBodyVelocity<Real>,
    /// The inverse mass along each axis: zero where a translation is locked.
    pub inv_mass: Vector,
    /// In world space, at the impact's rotation.
    pub inv_inertia: AngularInertia,
}

/// A point at which it meets a surface.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct SurfacePoint {
    /// In world space.
    pub point: Vector,
    /// Unit, from surface to body.
    pub normal: Vector,
    /// The surface's velocity at the point, at the time of impact.
    pub surface_velocity: Vector,
    pub restitution: Real,
    pub friction: Real,
    /// The impulse the body received here.
    pub impulse: Vector,
}

impl Striker {
    /// `body` in `pose`, with `velocity`.
    pub fn new(body: &RigidBody, pose: &Pose, velocity: RigidBodyVelocity<Real>) -> Self {
        let mut mass = body.mass_properties().clone();
        mass.update_world_mass_properties(body.body_type(), pose);
        Self {
            center: pose.transform_point(mass.local_mprops.local_com),
            velocity,
            inv_mass: mass.effective_inv_mass,
            inv_inertia: mass.effective_world_inv_inertia,
        }
    }

    /// The velocity of the body's point at `point`.
    pub fn velocity_at(&self, point: Vector) -> Vector {
        self.velocity.linvel + self.velocity.angvel.cross(point - self.center)
    }

    fn apply(&mut self, impulse: Vector, point: Vector) {
        self.velocity.linvel += self.inv_mass * impulse;
        self.velocity.angvel += self.inv_inertia * (point - self.center).cross(impulse);
    }

    /// How much the velocity of `point` along `direction` changes by a unit impulse along it.
    fn compliance(&self, point: Vector, direction: Vector) -> Real {
        let arm = (point - self.center).cross(direction);
        direction.dot(self.inv_mass * direction) + arm.dot(self.inv_inertia * arm)
    }

    /// Lets the body bounce off all `points` at once and writes their impulses. What a point's velocity along its normal has
    /// to be afterwards is [`restitution::resolve`]'s answer for that point; the impulses that bring it about push, never
    /// pull, and take the body's mass and inertia. Friction brakes the tangential velocity of each point as far as the
    /// Coulomb cone allows. Returns `false`, and changes nothing, if the law refuses a point.
    ///
    /// A cube that lands flat meets the ground with four corners, and leaves it without spin, because they are resolved
    /// together.
    pub fn bounce(&mut self, points: &mut [SurfacePoint]) -> bool {
        let before = *self;
        let mut fastest: Real = 0.0;
        for point in points.iter_mut() {
            point.impulse = Vector::ZERO;
            fastest = fastest.max((before.velocity_at(point.point) - point.surface_velocity).dot(point.normal).abs());
        }
        for _ in 0..MAX_PASSES {
            let mut change: Real = 0.0;
            for point in points.iter_mut() {
                let Some(target) = point.normal_velocity_after(&before) else {
                    *self = before;
                    return false;
                };
                change = change.max(self.push(point, target));
                change = change.max(self.rub(point));
            }
            if change <= CONVERGED * fastest {
                break;
            }
        }
        true
    }

    /// Drives the point's velocity along its normal to `target`. Returns by how much it was off.
    fn push(&mut self, point: &mut SurfacePoint, target: Real) -> Real {
        let compliance = self.compliance(point.point, point.normal);
        if compliance <= 0.0 {
            return 0.0;
        }
        let off = target - self.velocity_at(point.point).dot(point.normal);
        let so_far = point.impulse.dot(point.normal);
        let step = (so_far + off / compliance).max(0.0) - so_far;
        point.impulse += point.normal * step;
        self.apply(point.normal * step, point.point);
        (step * compliance).abs()
    }

    /// Brakes the point's tangential velocity, within the Coulomb cone. Returns by how much it was changed.
    fn rub(&mut self, point: &mut SurfacePoint) -> Real {
        let slip = (self.velocity_at(point.point) - point.surface_velocity).reject_from_normalized(point.normal);
        let Some(direction) = slip.try_normalize().filter(|_| point.friction > 0.0) else { return 0.0 };
        let compliance = self.compliance(point.point, direction);
        if compliance <= 0.0 {
            return 0.0;
        }
        let normal_impulse = point.impulse.dot(point.normal);
        let so_far = point.impulse - point.normal * normal_impulse;
        let wanted = so_far - direction * (slip.length() / compliance);
        let allowed = wanted.clamp_length_max(point.friction * normal_impulse);
        let step = allowed - so_far;
        point.impulse += step;
        self.apply(step, point.point);
        step.length() * compliance
    }
}

impl SurfacePoint {
    /// The one point that a sweep found.
    pub fn from_bounce(normal: Vector, bounce: &Bounce) -> Self {
        Self {
            point: bounce.point,
            normal,
            surface_velocity: bounce.surface_velocity,
            restitution: bounce.restitution,
            friction: bounce.friction,
            impulse: Vector::ZERO,
        }
    }

    /// The least velocity along the normal that the law allows, of a body that meets the point as `before`. A point that
    /// separates already may be slowed down by the others' impulses, but not driven into the surface.
    fn normal_velocity_after(&self, before: &Striker) -> Option<Real> {
        let law = |v: Vector| nalgebra::Vector3::new(v.x, v.y, v.z);
        let velocity = before.velocity_at(self.point);
        if (velocity - self.surface_velocity).dot(self.normal) >= 0.0 {
            return Some(self.surface_velocity.dot(self.normal));
        }
        let after =
            restitution::resolve(law(velocity), law(self.surface_velocity), law(self.normal), self.restitution).ok()?;
        let after = after.dot(&law(self.normal));
        after.is_finite().then_some(after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    const SURFACE: SurfacePoint = SurfacePoint {
        point: Vector::ZERO,
        normal: Vector::Y,
        surface_velocity: Vector::ZERO,
        restitution: 1.0,
        friction: 0.0,
        impulse: Vector::ZERO,
    };

    fn striker(velocity: Vector, spin: Vector) -> Striker {
        // A solid ball of mass 1 and radius 1 on the ground: inertia 2/5.
        Striker {
            center: Vector::Y,
            velocity: RigidBodyVelocity { linvel: velocity, angvel: spin },
            inv_mass: Vector::ONE,
            inv_inertia: AngularInertia::diagonal(2.5),
        }
    }

    #[test]
    fn a_point_of_mass_bounces_by_the_law() {
        let mut ball = striker(Vector::new(4.0, -3.0, 0.0), Vector::ZERO);
        let mut points = [SurfacePoint { surface_velocity: Vector::Y * 2.0, restitution: 0.5, ..SURFACE }];
        assert!(ball.bounce(&mut points));
        assert_relative_eq!(ball.velocity.linvel.y, 4.5, max_relative = 1e-6);
        assert_eq!(ball.velocity.linvel.x, 4.0);
        assert_relative_eq!(points[0].impulse.y, 7.5, max_relative = 1e-6);
    }

    #[test]
    fn a_cube_that_lands_flat_does_not_spin() {
        let mut cube = striker(Vector::Y * -5.0, Vector::ZERO);
        let mut points = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)].map(|(x, z)| SurfacePoint {
            point: Vector::new(x, 0.0, z),
            restitution: 0.8,
            ..SURFACE
        });
        assert!(cube.bounce(&mut points));
        assert_relative_eq!(cube.velocity.linvel.y, 4.0, max_relative = 1e-5);
        assert!(cube.velocity.angvel.length() < 1e-4, "{}", cube.velocity.angvel);
    }

    #[test]
    fn friction_sticks_within_the_cone() {
        // The contact point slips at 1 m/s. Sticking takes 1/(1/m + r²/I) = 1/3.5 of impulse, within μ·2·5 = 1 at μ = 0.1.
        let mut ball = striker(Vector::new(1.0, -5.0, 0.0), Vector::ZERO);
        let mut points = [SurfacePoint { friction: 0.1, ..SURFACE }];
        assert!(ball.bounce(&mut points));
        assert_relative_eq!(points[0].impulse.x, -1.0 / 3.5, max_relative = 1e-5);
        assert!((ball.velocity_at(Vector::ZERO)).x.abs() < 1e-5);
    }

    #[test]
    fn friction_slides_on_the_cone() {
        // Slip 10 m/s: sticking would take 2.86, the cone gives μ·2·5 = 1.
        let mut ball = striker(Vector::new(10.0, -5.0, 0.0), Vector::ZERO);
        let mut points = [SurfacePoint { friction: 0.1, ..SURFACE }];
        assert!(ball.bounce(&mut points));
        assert_relative_eq!(points[0].impulse.x, -1.0, max_relative = 1e-5);
        assert_relative_eq!(ball.velocity.linvel.x, 9.0, max_relative = 1e-5);
    }

    #[test]
    fn a_normal_that_is_no_unit_vector_is_refused() {
        let mut ball = striker(Vector::Y * -5.0, Vector::ZERO);
        assert!(!ball.bounce(&mut [SurfacePoint { normal: Vector::Y * 2.0, ..SURFACE }]));
        assert_eq!(ball.velocity.linvel, Vector::Y * -5.0);
    }
}
