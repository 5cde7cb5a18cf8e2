//! What a stop does: the pose of the time of impact, the velocity as it was, the whole assembly, and scene queries that see
//! it at once.

use rapier3d::prelude::*;
use rapier3d_persistent_contacts::PersistentContacts;

/// \[m] The near face of the wall that the bodies below meet.
const WALL: Real = 5.0;

fn walled_world() -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::ZERO;
    let wall = ColliderBuilder::cuboid(0.05, 10.0, 10.0).translation(Vector::X * (WALL + 0.05));
    world.insert_collider(wall, None);
    world
}

#[test]
fn a_stop_keeps_the_velocity_and_is_seen_by_queries_at_once() {
    let mut world = walled_world();
    let velocity = Vector::new(300.0, 1.0, 0.0);
    let half = 0.25;
    // Off the wall by less than a step, so that the engine sees no contact before.
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(2.0, 0.0, 0.0)).linvel(velocity).lock_rotations();
    let (body, collider) = world.insert(body, ColliderBuilder::cuboid(half, half, half));
    world.integration_parameters.normalized_prediction_distance = 0.002;
    let mut contacts = PersistentContacts::default();
    // The first step only makes the body known.
    world.bodies[body].set_linvel(Vector::ZERO, true);
    contacts.step(&mut world);
    world.bodies[body].set_linvel(velocity, true);
    let clamps = contacts.step(&mut world).clamps().to_vec();

    let slop = world.integration_parameters.allowed_linear_error();
    let x = world.bodies[body].translation().x;
    assert_eq!(clamps.len(), 1);
    assert_eq!((clamps[0].body, clamps[0].source), (body, collider));
    assert!(clamps[0].normal.distance(-Vector::X) < 1e-3);
    assert!((x - (WALL - half - slop)).abs() < 0.3 * slop, "stopped at {x} m");
    assert!((clamps[0].fraction - (x - 2.0) / (300.0 / 60.0)).abs() < 1e-3, "the pose is that of the time of impact");
    assert_eq!(world.bodies[body].linvel(), velocity);

    let query = world.broad_phase.as_query_pipeline(
        world.narrow_phase.query_dispatcher(),
        &world.bodies,
        &world.colliders,
        QueryFilter::only_dynamic(),
    );
    let ray = Ray::new(Vector::new(x, -5.0, 0.0), Vector::Y);
    let (hit, distance) = query.cast_ray(&ray, 100.0, true).expect("the body is there");
    assert_eq!(hit, collider);
    assert!((distance - (5.0 - half + world.bodies[body].translation().y)).abs() < 1e-3);
}

/// A trailer of three boxes on hinges: one hits, all stop at the same fraction of the step, and the hinges hold.
#[test]
fn an_assembly_stops_as_a_whole() {
    let mut world = walled_world();
    let velocity = Vector::X * 200.0;
    let bodies = [0.0, -1.0, -2.0].map(|x| {
        let body = RigidBodyBuilder::dynamic().translation(Vector::new(x, 0.0, 0.0)).linvel(velocity);
        world.insert(body, ColliderBuilder::cuboid(0.2, 0.2, 0.2)).0
    });
    for pair in bodies.windows(2) {
        let hinge = RevoluteJointBuilder::new(Vector::Z)
            .local_anchor1(Vector::X * -0.5)
            .local_anchor2(Vector::X * 0.5)
            .contacts_enabled(false);
        world.insert_impulse_joint(pair[0], pair[1], hinge);
    }
    // A spring gives, so what hangs on it goes on. It is aside, or it would run into the boxes that stop before it.
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(-3.0, 3.0, 0.0)).linvel(velocity);
    let (loose, _) = world.insert(body, ColliderBuilder::cuboid(0.2, 0.2, 0.2));
    world.insert_impulse_joint(bodies[2], loose, SpringJointBuilder::new(1.0, 1.0, 0.1));

    let mut contacts = PersistentContacts::default();
    contacts.step(&mut world);
    let before = [bodies[0], bodies[1], bodies[2], loose].map(|body| world.bodies[body].translation().x);
    let report = contacts.step(&mut world);
    assert_eq!(report.clamps().len(), 1);
    assert_eq!(report.counters().stopped_bodies, 3);
    let moved = |index: usize, body: RigidBodyHandle| world.bodies[body].translation().x - before[index];
    assert!(moved(0, bodies[0]) < 2.0, "a whole step is 3.3 m");
    for (index, body) in bodies.into_iter().enumerate() {
        assert!((moved(index, body) - moved(0, bodies[0])).abs() < 1e-4, "body {index} stopped elsewhere");
    }
    assert!(moved(3, loose) > 3.0);
}

/// With `max_ccd_substeps = 0` the step is the engine's, to the bit.
#[test]
fn zero_substeps_switch_the_sweeps_off() {
    let run = |step: &mut dyn FnMut(&mut PhysicsWorld)| {
        let mut world = walled_world();
        world.integration_parameters.max_ccd_substeps = 0;
        let body = RigidBodyBuilder::dynamic().linvel(Vector::new(97.0, 3.0, 1.0)).angvel(Vector::Y * 9.0);
        let (body, _) = world.insert(body, ColliderBuilder::ball(0.2));
        (0..20).for_each(|_| step(&mut world));
        world.bodies[body].translation().to_array().map(f32::to_bits)
    };
    let mut contacts = PersistentContacts::default();
    let ours = run(&mut |world| {
        contacts.step(world);
    });
    assert_eq!(ours, run(&mut |world| world.step()));
}

/// The heights of a flat plate that lies with its middle beyond the edge of a table, by a step function.
fn tipping(mut step: impl FnMut(&mut PhysicsWorld)) -> Vec<Real> {
    let mut world = PhysicsWorld::new();
    world.insert_collider(ColliderBuilder::cuboid(5.0, 0.5, 2.0).translation(Vector::new(0.0, -0.5, -2.0)), None);
    let plate = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.1, 0.25));
    let (plate, _) = world.insert(plate, ColliderBuilder::cuboid(0.5, 0.1, 0.5));
    let heights = (0..120).map(|_| {
        step(&mut world);
        world.bodies[plate].translation().y
    });
    heights.collect()
}

#[test]
fn a_plate_tips_over_an_edge_as_without_sweeps() {
    // Its centre of mass is beyond the edge, so it tips, and then falls freely: nothing is in its way. With the sweeps off
    // nothing but the solver acts, so the sweeps must change nothing.
    let mut contacts = PersistentContacts::default();
    let swept = tipping(|world| {
        assert!(contacts.step(world).clamps().is_empty());
    });
    let free = tipping(|world| {
        world.integration_parameters.max_ccd_substeps = 0;
        world.step();
    });
    assert_eq!(swept, free);
    assert!(free[119] < -5.0, "it falls");
}

#[test]
fn a_wheel_that_locks_keep_upright_stays_on_the_ground() {
    let mut world = PhysicsWorld::new();
    world.insert_collider(ColliderBuilder::cuboid(100.0, 0.5, 10.0).translation(Vector::Y * -0.5), None);
    let quarter = std::f64::consts::FRAC_PI_2 as Real;
    let wheel = RigidBodyBuilder::dynamic().translation(Vector::Y * 0.3).rotation(Vector::X * quarter);
    let wheel = wheel.linvel(Vector::X * 2.0).angvel(Vector::Z * (-2.0 / 0.3)).enabled_rotations(false, false, true);
    let (wheel, _) = world.insert(wheel, ColliderBuilder::cylinder(0.15, 0.3));
    let mut contacts = PersistentContacts::default();
    for _ in 0..180 {
        contacts.step(&mut world);
        // It rolls without slipping on level ground; 5 mm are Rapier's slop, 2 % of the speed what the solver brakes.
        let body = &world.bodies[wheel];
        assert!((body.translation().y - 0.3).abs() < 5e-3 && (body.linvel().x - 2.0).abs() < 0.04, "{}", body.linvel());
    }
}

#[test]
fn a_spin_without_measure_takes_a_step_like_any_other() {
    // Ten turns a step are looked at; the 2e7 of this one would take minutes.
    let mut world = PhysicsWorld::new();
    world.insert_collider(ColliderBuilder::cuboid(10.0, 0.5, 10.0).translation(Vector::Y * -0.5), None);
    let top = RigidBodyBuilder::dynamic().translation(Vector::Y * 0.5).linvel(Vector::Y * -20.0);
    let (top, _) = world.insert(top.allow_fast_rotation(true), ColliderBuilder::cuboid(0.2, 0.2, 0.2).restitution(1.0));
    world.bodies[top].set_angvel(Vector::new(1e9, 2e9, 3e9), true);
    let mut contacts = PersistentContacts::default();
    for _ in 0..10 {
        contacts.step(&mut world);
    }
    assert!(world.bodies[top].translation().is_finite());
}
