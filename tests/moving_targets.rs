//! Targets that move are swept at the pose of the same time, and every resolution ends.

use rapier3d::prelude::*;
use rapier3d_persistent_contacts::PersistentContacts;

/// Report rapier 984: two balls of 0.1 m head on. Neither passes, and momentum is the solver's: exact.
#[test]
fn two_fast_balls_do_not_pass_each_other() {
    for speed in [20.0, 60.0, 150.0] {
        for degrees in [0.0, 30.0] {
            for phase in 0..40 {
                let mut world = PhysicsWorld::new();
                world.gravity = Vector::ZERO;
                let distance = 6.0 + speed / 30.0 * phase as Real / 40.0;
                let towards = Rotation::from_rotation_z(Real::to_radians(degrees)) * Vector::X;
                let mut ball = |at: Vector, velocity: Vector| {
                    let body = RigidBodyBuilder::dynamic().translation(at).linvel(velocity);
                    world.insert(body, ColliderBuilder::ball(0.1)).0
                };
                let a = ball(Vector::X * (-0.5 * distance), Vector::X * speed);
                let b = ball(towards * (0.5 * distance), towards * -speed);
                let before = world.bodies[a].linvel() + world.bodies[b].linvel();
                let mut contacts = PersistentContacts::default();
                for _ in 0..60 {
                    contacts.step(&mut world);
                }
                let (va, vb) = (world.bodies[a].linvel(), world.bodies[b].linvel());
                let case = format!("{speed} m/s, {degrees}°, phase {phase}");
                assert!((va - Vector::X * speed).length() > 0.05 * speed, "passed at {case}");
                assert!((va + vb - before).length() <= 1e-4 * speed, "momentum changed at {case}");
            }
        }
    }
}

/// A wall of 0.1 m comes at a ball that comes at the wall: it is met at the time of impact, and the step ends.
#[test]
fn a_wall_that_comes_slowly_is_not_passed() {
    for wall_speed in [-2.0, 0.0, 2.0] {
        for phase in 0..40 {
            let mut world = PhysicsWorld::new();
            world.gravity = Vector::ZERO;
            let wall = RigidBodyBuilder::kinematic_velocity_based().linvel(Vector::X * wall_speed);
            let (wall, _) = world.insert(wall, ColliderBuilder::cuboid(0.05, 4.0, 4.0));
            let start = 5.0 + 0.5 * phase as Real / 40.0;
            let body = RigidBodyBuilder::dynamic().translation(Vector::X * start).linvel(Vector::X * -30.0);
            let (ball, _) = world.insert(body, ColliderBuilder::ball(0.1));
            let mut contacts = PersistentContacts::default();
            for _ in 0..40 {
                contacts.step(&mut world);
            }
            let ahead = world.bodies[ball].translation().x - world.bodies[wall].translation().x;
            assert!(ahead > 0.0, "wall at {wall_speed} m/s, phase {phase}");
        }
    }
}

/// A blade that turns by up to most of a turn in a step is met wherever its true path meets the bullet: the step is played
/// again in a thousand pieces, and where the two overlap by more than the slop, the sweep must have said so.
#[test]
fn a_fast_turning_blade_is_met_where_its_path_meets_the_bullet() {
    let mut met = 0;
    for phase in 0..60 {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::ZERO;
        let spin = 20.0 + 5.0 * (phase % 20) as Real;
        let blade = RigidBodyBuilder::kinematic_velocity_based().angvel(Vector::Y * spin).allow_fast_rotation(true);
        let half = Vector::new(2.0, 0.02, 0.1);
        let (blade, _) = world.insert(blade, ColliderBuilder::cuboid(half.x, half.y, half.z));
        let start = Vector::new(1.0, 0.5 + phase as Real / 60.0, 0.3);
        let (radius, velocity) = (0.05, Vector::Y * -12.0);
        let body = RigidBodyBuilder::dynamic().translation(start).linvel(velocity);
        let (bullet, _) = world.insert(body, ColliderBuilder::ball(radius));
        let mut contacts = PersistentContacts::default();
        for _ in 0..12 {
            let (blade_from, from) = (*world.bodies[blade].rotation(), world.bodies[bullet].translation());
            contacts.step(&mut world);
            if !contacts.last_step().impacts().is_empty() {
                met += 1;
                break;
            }
            let (to, turned) = (world.bodies[bullet].translation(), world.bodies[blade].angvel().y / 60.0);
            let deepest = (0..=1000).fold(Real::MAX, |deepest, piece| {
                let t = piece as Real / 1000.0;
                let turn = Rotation::from_rotation_y(turned * t) * blade_from;
                let seen = turn.inverse() * from.lerp(to, t);
                deepest.min((seen.abs() - half).max(Vector::ZERO).length() - radius)
            });
            let slop = world.integration_parameters.allowed_linear_error();
            assert!(deepest > -2.0 * slop, "phase {phase}: they overlapped by {} m unseen", -deepest);
        }
    }
    assert!(met > 10, "only {met} of 60 bullets met the blade");
}
