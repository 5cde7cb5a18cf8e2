//! Bounces off fixed and kinematic surfaces, at the time of impact.

use rapier3d::prelude::*;
use rapier3d_persistent_contacts::{PersistentContacts, Settings};
use std::sync::Mutex;

/// A world without gravity.
fn space() -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::ZERO;
    world
}

fn ball(restitution: Real) -> ColliderBuilder {
    ColliderBuilder::ball(0.1).restitution(restitution).friction(0.0)
}

/// A ball rests on a platform that suddenly rises at 5 m/s. By the law it leaves at (1 + e) · 5 m/s, less what gravity takes.
#[test]
fn a_surface_that_starts_to_move_throws_what_rests_on_it() {
    for restitution in [0.5, 0.8, 1.0] {
        for settle in 30..40 {
            let mut world = PhysicsWorld::new();
            let platform = RigidBodyBuilder::kinematic_velocity_based();
            let shape = ColliderBuilder::cuboid(2.0, 0.1, 2.0).restitution(restitution).friction(0.0);
            let (platform, _) = world.insert(platform, shape);
            let (ball, _) = world.insert(RigidBodyBuilder::dynamic().translation(Vector::Y * 0.2), ball(restitution));
            let mut contacts = PersistentContacts::default();
            for _ in 0..settle {
                contacts.step(&mut world);
            }
            world.bodies[platform].set_linvel(Vector::Y * 5.0, true);
            contacts.step(&mut world);
            let expected = (1.0 + restitution) * 5.0 - 9.81 * world.integration_parameters.dt;
            let speed = world.bodies[ball].linvel().y;
            assert!((speed - expected).abs() < 0.05, "e {restitution}, after {settle}: {speed}, not {expected}");
        }
    }
}

/// A wall of 0.1 m runs into a ball at rest, awake or asleep, at 20 and 60 m/s: the ball leaves at (1 + e) times its speed.
#[test]
fn a_fast_wall_hits_what_stands_in_its_way() {
    for speed in [20.0, 60.0] {
        for restitution in [0.0, 0.5, 1.0] {
            for phase in 0..100 {
                let mut world = space();
                let wall = RigidBodyBuilder::kinematic_velocity_based().linvel(Vector::X * speed);
                let shape = ColliderBuilder::cuboid(0.05, 1.0, 1.0).restitution(restitution).friction(0.0);
                let (wall, _) = world.insert(wall, shape);
                let at = 2.0 + speed / 60.0 * phase as Real / 100.0;
                let body = RigidBodyBuilder::dynamic().translation(Vector::X * at).sleeping(phase % 2 == 0);
                let (ball, _) = world.insert(body, ball(restitution));
                let mut contacts = PersistentContacts::default();
                for _ in 0..20 {
                    contacts.step(&mut world);
                }
                let case = format!("{speed} m/s, e {restitution}, phase {phase}");
                let ahead = world.bodies[ball].translation().x - world.bodies[wall].translation().x;
                assert!(ahead > 0.14, "passed: {case}");
                let left_at = world.bodies[ball].linvel().x;
                assert!((left_at - (1.0 + restitution) * speed).abs() < 0.001 * speed, "{left_at} m/s: {case}");
            }
        }
    }
}

/// A ball flies about in a closed elastic box. Nothing takes or gives energy, and it never gets out.
#[test]
fn a_ball_stays_in_an_elastic_box() {
    for (half, speed) in [(1.0, 150.0), (0.2, 150.0), (3.0, 12.0)] {
        let mut world = space();
        for axis in [Vector::X, Vector::Y, Vector::Z] {
            for sign in [1.0, -1.0] {
                let half_extents = Vector::splat(half + 0.1) - axis * (half + 0.05);
                let wall = ColliderBuilder::cuboid(half_extents.x, half_extents.y, half_extents.z);
                let wall = wall.translation(axis * sign * (half + 0.05)).restitution(1.0).friction(0.0);
                world.insert_collider(wall, None);
            }
        }
        let direction = Vector::new(0.62, 0.31, 0.72).normalize();
        let body = RigidBodyBuilder::dynamic().linvel(direction * speed).can_sleep(false);
        let (ball, _) = world.insert(body, ball(1.0));
        let mut contacts = PersistentContacts::default();
        for step in 0..3600 {
            contacts.step(&mut world);
            let at = world.bodies[ball].translation();
            assert!(at.abs().max_element() <= half - 0.099, "half {half}, step {step}: at {at}");
        }
        let kept = world.bodies[ball].linvel().length() / speed;
        assert!((kept - 1.0).abs() < 1e-3, "half {half}: kept {kept} of its speed");
    }
}

/// A ball bounces between two walls that close at 2 m/s, ever faster, and never gets out.
#[test]
fn a_ball_stays_between_closing_walls() {
    for (offset, speed) in [(0.0, 3.0), (0.3, 10.0), (-0.7, 30.0)] {
        let mut world = space();
        let mut wall = |x: Real, velocity: Real| {
            let body = RigidBodyBuilder::kinematic_velocity_based().translation(Vector::X * x);
            let shape = ColliderBuilder::cuboid(0.05, 1.0, 1.0).restitution(1.0).friction(0.0);
            world.insert(body.linvel(Vector::X * velocity), shape).0
        };
        let (left, right) = (wall(-2.0, 2.0), wall(2.0, -2.0));
        let body = RigidBodyBuilder::dynamic().translation(Vector::X * offset).linvel(Vector::X * speed);
        let (ball, _) = world.insert(body, ball(1.0));
        let mut contacts = PersistentContacts::new(Settings::default()).expect("the defaults are valid");
        let mut last: Real = speed;
        // They would touch the ball from both sides after 0.925 s.
        for step in 0..52 {
            contacts.step(&mut world);
            let x = |body: RigidBodyHandle| world.bodies[body].translation().x;
            assert!(x(left) < x(ball) && x(ball) < x(right), "from {offset} at {speed} m/s: out in step {step}");
            let now = world.bodies[ball].linvel().x.abs();
            // Each bounce off a wall that comes at 2 m/s adds 4 m/s, and nothing else changes the speed.
            let bounces = ((now - last) / 4.0).round();
            assert!((now - last - 4.0 * bounces).abs() < 1e-3 * now, "step {step}: from {last} to {now} m/s");
            last = now;
        }
    }
}

struct Log(Mutex<Vec<CollisionEvent>>);

impl EventHandler for Log {
    fn handle_collision_event(
        &self,
        _: &RigidBodySet,
        _: &ColliderSet,
        event: CollisionEvent,
        _: Option<&ContactPair>,
    ) {
        self.0.lock().expect("no other thread panicked").push(event);
    }

    fn handle_contact_force_event(&self, _: Real, _: &RigidBodySet, _: &ColliderSet, _: &ContactPair, _: Real) {}

    fn handle_soft_body_tear_event(&self, _: &SoftBodySet, _: &SoftBodyTearEvent) {}
}

/// However fast a ball bounces, its contact starts once and stops once; and a sensor behind the wall is not touched.
#[test]
fn a_bounce_is_reported_exactly_once() {
    for speed in [3.0, 30.0, 150.0] {
        for phase in 0..20 {
            let mut world = space();
            let paddle = RigidBodyBuilder::kinematic_velocity_based().linvel(Vector::X * 2.0);
            let shape = ColliderBuilder::cuboid(0.05, 2.0, 2.0).restitution(1.0).friction(0.0);
            let (_, paddle) = world.insert(paddle, shape.active_events(ActiveEvents::COLLISION_EVENTS));
            let sensor = ColliderBuilder::cuboid(0.05, 2.0, 2.0).sensor(true).translation(Vector::X * -0.3);
            world.insert_collider(sensor.active_events(ActiveEvents::COLLISION_EVENTS), None);
            let at = Vector::X * (1.0 + speed / 60.0 * phase as Real / 20.0);
            let body = RigidBodyBuilder::dynamic().translation(at).linvel(Vector::X * -speed);
            let (_, ball) = world.insert(body, ball(1.0));
            let log = Log(Mutex::new(Vec::new()));
            let mut contacts = PersistentContacts::default();
            let mut impacts = 0;
            for _ in 0..60 {
                impacts += contacts.step_with_events(&mut world, &(), &log).impacts().len();
            }
            let events = log.0.into_inner().expect("no other thread panicked");
            let case = format!("{speed} m/s, phase {phase}: {events:?}");
            assert_eq!(impacts, 1, "{case}");
            assert_eq!(events.len(), 2, "{case}");
            let met = |a, b| [a, b] == [ball, paddle] || [b, a] == [ball, paddle];
            assert!(matches!(events[0], CollisionEvent::Started(a, b, _) if met(a, b)), "{case}");
            assert!(matches!(events[1], CollisionEvent::Stopped(..)), "{case}");
        }
    }
}

/// A wall at 30 m/s runs into bodies that are not in free flight: one stands on the ground, one hangs on a joint. They are
/// carried along, and never passed.
#[test]
fn a_fast_wall_carries_what_it_may_not_bounce() {
    for phase in 0..50 {
        let mut world = PhysicsWorld::new();
        world.insert_collider(ColliderBuilder::cuboid(200.0, 0.5, 5.0).translation(Vector::Y * -0.5), None);
        let wall = RigidBodyBuilder::kinematic_velocity_based().translation(Vector::new(-5.0, 1.1, 0.0));
        let shape = ColliderBuilder::cuboid(0.05, 1.0, 4.0);
        let (wall, _) = world.insert(wall.linvel(Vector::X * 30.0), shape);
        let at = 0.5 * phase as Real / 50.0;
        let mut cube = |x: Real, z: Real| {
            let body = RigidBodyBuilder::dynamic().translation(Vector::new(x, 0.2, z));
            world.insert(body, ColliderBuilder::cuboid(0.2, 0.2, 0.2).restitution(0.5)).0
        };
        let (alone, one, other) = (cube(at, -2.0), cube(at, 1.0), cube(at + 0.6, 1.0));
        let joint = RevoluteJointBuilder::new(Vector::Z)
            .local_anchor1(Vector::new(0.3, 0.0, 0.0))
            .local_anchor2(Vector::new(-0.3, 0.0, 0.0));
        world.impulse_joints.insert(one, other, joint, true);
        let mut contacts = PersistentContacts::default();
        for step in 0..30 {
            contacts.step(&mut world);
            for body in [alone, one, other] {
                let ahead = world.bodies[body].translation().x - world.bodies[wall].translation().x;
                assert!(ahead > 0.0, "phase {phase}: passed in step {step}");
            }
        }
    }
}

/// A floor may be as wide as a level: what falls on it bounces, whatever its shape, and does not fall through.
#[test]
fn floors_of_hundreds_of_metres_are_as_hard_as_small_ones() {
    let floors = |half: Real| {
        let corners = vec![
            Vector::new(-half, 0.0, -half),
            Vector::new(half, 0.0, -half),
            Vector::new(half, 0.0, half),
            Vector::new(-half, 0.0, half),
        ];
        let box_corners: Vec<Vector> = corners.iter().flat_map(|corner| [*corner, *corner - Vector::Y * 0.1]).collect();
        let mesh = ColliderBuilder::trimesh(corners, vec![[0, 2, 1], [0, 3, 2]]).expect("a quad is a mesh");
        let hull = ColliderBuilder::convex_hull(&box_corners).expect("a box is a hull");
        let cuboid = ColliderBuilder::cuboid(half, 0.05, half).translation(Vector::Y * -0.05);
        [("cuboid", cuboid), ("mesh", mesh), ("hull", hull)]
    };
    let shapes = [
        ("cuboid", SharedShape::cuboid(0.05, 0.04, 0.07)),
        ("capsule", SharedShape::capsule_x(0.1, 0.05)),
        ("disc", SharedShape::cylinder(0.03, 0.15)),
    ];
    for half in [20.0, 60.0, 200.0, 450.0] {
        for (floor_name, floor) in floors(half) {
            for (name, shape) in &shapes {
                for i in 0..12 {
                    let mut world = PhysicsWorld::new();
                    world.insert_collider(floor.clone().restitution(0.5), None);
                    let spread = |k: usize| ((i + 5 * k) as Real * 0.618_034).fract() - 0.5;
                    let body = RigidBodyBuilder::dynamic()
                        .translation(Vector::new(half * spread(1), 2.0 + spread(2), half * spread(3)))
                        .rotation(Vector::new(6.0 * spread(4), 6.0 * spread(5), 6.0 * spread(6)))
                        .linvel(Vector::Y * -15.0);
                    let (body, _) = world.insert(body, ColliderBuilder::new(shape.clone()).restitution(0.5));
                    let mut contacts = PersistentContacts::default();
                    for _ in 0..45 {
                        contacts.step(&mut world);
                    }
                    // Its middle cannot be below the top of what it fell on.
                    let height = world.bodies[body].translation().y;
                    assert!(height > 0.0, "{name} {i} on a {floor_name} of {half} m: at {height} m");
                }
            }
        }
    }
}
