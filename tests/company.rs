//! What this crate does must not stand in the way of what a world has besides: other bodies, hooks, rails and planes.

use rapier3d::prelude::*;
use rapier3d_persistent_contacts::PersistentContacts;

/// A plane somewhere else does not take the floor away: half-spaces have no end, and so no seam.
#[test]
fn a_second_plane_leaves_the_floor_alone() {
    let planes = [(Vector::NEG_Y, Vector::Y * 10.0), (Vector::X, Vector::X * -5.0), (Vector::Y, Vector::Y * -3.0)];
    for (normal, at) in planes {
        let mut world = PhysicsWorld::new();
        world.insert_collider(ColliderBuilder::new(SharedShape::halfspace(Vector::Y)), None);
        world.insert_collider(ColliderBuilder::new(SharedShape::halfspace(normal)).translation(at), None);
        let (ball, _) =
            world.insert(RigidBodyBuilder::dynamic().translation(Vector::Y * 2.0), ColliderBuilder::ball(0.2));
        let mut contacts = PersistentContacts::default();
        for _ in 0..240 {
            contacts.step(&mut world);
        }
        let height = world.bodies[ball].translation().y;
        assert!((height - 0.2).abs() < 0.01, "a plane with normal {normal}: the ball is at {height}");
    }
}

/// Two bodies that begin inside each other fall like any other: together they lose to free flight no more than the solver's
/// push, which is the same with CCD off.
#[test]
fn bodies_inside_each_other_are_let_go() {
    for speed in [0.0, 5.0, 40.0] {
        for offset in [0.02, 0.1, 0.2] {
            let mut world = PhysicsWorld::new();
            let mut cylinder = |x: Real| {
                let body =
                    RigidBodyBuilder::dynamic().translation(Vector::new(x, 25.0, 0.0)).linvel(Vector::Y * -speed);
                world.insert(body, ColliderBuilder::cylinder(0.25, 0.25)).0
            };
            let (a, b) = (cylinder(0.0), cylinder(offset));
            let mut contacts = PersistentContacts::default();
            for _ in 0..120 {
                contacts.step(&mut world);
            }
            let middle = 0.5 * (world.bodies[a].translation().y + world.bodies[b].translation().y);
            let free = 25.0 - 2.0 * speed - 0.5 * 9.81 * 4.0;
            assert!((middle - free).abs() < 0.5, "{speed} m/s, {offset} m apart: at {middle}, not {free}");
        }
    }
}

/// A body on rails is not carried off them by a lift, and one that cannot leave a floor by bouncing is left to the solver.
#[test]
fn a_body_on_rails_stays_on_them() {
    let play = |is_swept: bool| {
        let mut world = PhysicsWorld::new();
        let lift = RigidBodyBuilder::kinematic_velocity_based().linvel(Vector::Y * 20.0);
        world.insert(lift, ColliderBuilder::cuboid(2.0, 0.1, 2.0).restitution(0.5));
        let fixed = RigidBodyBuilder::dynamic().translation(Vector::Y * 2.0).lock_translations().lock_rotations();
        let (fixed, _) = world.insert(fixed, ColliderBuilder::ball(0.2).restitution(0.5));
        let floor = ColliderBuilder::cuboid(50.0, 0.5, 50.0).translation(Vector::new(100.0, -0.5, 0.0));
        world.insert_collider(floor, None);
        let sliding = RigidBodyBuilder::dynamic()
            .translation(Vector::new(100.0, 0.3, 0.0))
            .linvel(Vector::new(5.0, -30.0, 0.0))
            .angvel(Vector::Z * 20.0)
            .enabled_translations(true, false, true);
        let (sliding, _) = world.insert(sliding, ColliderBuilder::cuboid(0.2, 0.3, 0.2).restitution(0.5));
        if !is_swept {
            world.integration_parameters.max_ccd_substeps = 0;
        }
        let mut contacts = PersistentContacts::default();
        for _ in 0..60 {
            let impacts = contacts.step(&mut world).impacts();
            assert!(impacts.iter().all(|impact| impact.body != sliding && impact.body != fixed));
        }
        assert_eq!(world.bodies[fixed].translation(), Vector::Y * 2.0);
        world.bodies[sliding].linvel().length() + world.bodies[sliding].angvel().length()
    };
    // The locked velocity presses the body into the floor for ever, and the solver spins it up by friction; a bounce in each of
    // its steps made that ten thousand times as much.
    let (swept, off) = (play(true), play(false));
    assert!(swept <= 10.0 * off, "{swept} with sweeps, {off} without");
}

/// A rider that gets the velocity of its lift in the same frame does not approach it, and stays on it, fresh or woken.
#[test]
fn a_rider_that_starts_with_its_lift_stays_on_it() {
    for settle in [0, 20, 60, 150] {
        for velocity in [Vector::Y * 5.0, Vector::new(15.0, 15.0, 0.0)] {
            let mut world = PhysicsWorld::new();
            let shape = ColliderBuilder::cuboid(3.0, 0.1, 3.0).restitution(0.5);
            let (lift, _) = world.insert(RigidBodyBuilder::kinematic_velocity_based(), shape);
            let body = RigidBodyBuilder::dynamic().translation(Vector::Y * 0.4);
            let (rider, _) = world.insert(body, ColliderBuilder::cuboid(0.3, 0.3, 0.3).restitution(0.5));
            let mut contacts = PersistentContacts::default();
            for _ in 0..settle {
                contacts.step(&mut world);
            }
            for body in [lift, rider] {
                world.bodies[body].set_linvel(velocity, true);
            }
            for _ in 0..90 {
                contacts.step(&mut world);
            }
            let place = world.bodies[rider].translation() - world.bodies[lift].translation();
            assert!((place - Vector::Y * 0.4).length() < 0.05, "settled {settle}, {velocity}: at {place} on its lift");
        }
    }
}

/// A hook that takes the contacts off bodies that come from below makes a floor one-way, for slow and for fast ones.
struct OneWay;

impl PhysicsHooks for OneWay {
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext) {
        context.update_as_oneway_platform(Vector::Y, 0.5);
    }
}

#[test]
fn a_one_way_platform_lets_bodies_through_from_below() {
    for restitution in [0.0, 0.3] {
        for speed in [4.0, 8.0, 16.0] {
            let mut world = PhysicsWorld::new();
            let platform = ColliderBuilder::cuboid(2.0, 0.1, 2.0).restitution(restitution);
            world.insert_collider(platform.active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS), None);
            world.gravity = Vector::ZERO;
            let body = RigidBodyBuilder::dynamic().translation(Vector::Y * -2.0).linvel(Vector::Y * speed);
            let (ball, _) = world.insert(body, ColliderBuilder::ball(0.2).restitution(restitution));
            let mut contacts = PersistentContacts::default();
            for _ in 0..90 {
                contacts.step_with_events(&mut world, &OneWay, &());
            }
            let body = &world.bodies[ball];
            assert!(body.translation().y > 0.5 && body.linvel().y > 0.9 * speed, "{speed} m/s, e {restitution}");
        }
    }
}

/// A heap of small boxes comes to rest on the ground: the engine finds no contact for some pairs that are a few millimetres
/// apart, and whatever stops them there must not hold one in the air, where gravity would add to its velocity for ever.
#[test]
fn heaps_of_boxes_come_down() {
    // Any spread of places and turns will do: the golden ratio gives one.
    let spread = |i: usize| (i as Real * 0.618_034).fract() - 0.5;
    for heap in 0..24 {
        let mut world = PhysicsWorld::new();
        world.insert_collider(ColliderBuilder::cuboid(50.0, 1.0, 50.0).translation(Vector::Y * -1.0), None);
        let bodies: Vec<_> = (0..6)
            .map(|i| {
                let seed = 31 * heap + 7 * i;
                let place = Vector::new(0.09 * spread(seed), 0.06 + 0.075 * i as Real, 0.09 * spread(seed + 3));
                let turn = Vector::new(6.0 * spread(seed + 1), 6.0 * spread(seed + 2), 6.0 * spread(seed + 5));
                let body = RigidBodyBuilder::dynamic().translation(place).rotation(turn);
                let half =
                    Vector::new(0.03, 0.02 + 0.02 * spread(seed + 4).abs(), 0.015 + 0.02 * spread(seed + 6).abs());
                world.insert(body, ColliderBuilder::cuboid(half.x, half.y, half.z).friction(0.3)).0
            })
            .collect();
        let mut contacts = PersistentContacts::default();
        for _ in 0..240 {
            contacts.step(&mut world);
        }
        // Dropped from less than half a metre, nothing was ever faster than 3.2 m/s, by √(2·g·h); after four seconds all lie still.
        for body in bodies {
            let (speed, height) = (world.bodies[body].linvel().length(), world.bodies[body].translation().y);
            assert!(speed < 0.5 && (0.0..0.3).contains(&height), "heap {heap}: at {height} m, {speed} m/s");
        }
    }
}
