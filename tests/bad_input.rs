//! Bad input is a clear error or a documented no-op: never a panic, a hang or a lost body.

use rapier3d::prelude::*;
use rapier3d_persistent_contacts::{PersistentContacts, PieceGroup, Settings, SweepPolicy};

/// A ball of 0.2 m that slides along x at `speed` over a slab whose top is at y = 0.
fn sliding_ball(speed: Real) -> (PhysicsWorld, RigidBodyHandle, ColliderHandle) {
    let mut world = PhysicsWorld::new();
    let slab = ColliderBuilder::cuboid(500.0, 0.5, 50.0).translation(Vector::new(0.0, -0.5, 0.0)).friction(0.0);
    let slab = world.insert_collider(slab, None);
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.2, 0.0)).linvel(Vector::X * speed);
    let (ball, _) = world.insert(body, ColliderBuilder::ball(0.2).friction(0.0));
    (world, ball, slab)
}

fn quad(flags: TriMeshFlags, extra: &[[u32; 3]]) -> ColliderBuilder {
    let corners = [(-50.0, -50.0), (-50.0, 50.0), (50.0, 50.0), (50.0, -50.0)];
    let vertices = corners.map(|(x, z)| Vector::new(x, 0.0, z)).to_vec();
    let indices = [&[[0, 1, 2], [0, 2, 3]], extra].concat();
    ColliderBuilder::trimesh_with_flags(vertices, indices, flags).expect("it has triangles")
}

#[test]
fn non_finite_poses_and_velocities_do_not_spread() {
    for (bad_position, bad_velocity) in
        [(Real::NAN, 0.0), (Real::INFINITY, 0.0), (0.0, Real::NAN), (0.0, Real::INFINITY)]
    {
        let (mut world, ball, _) = sliding_ball(30.0);
        let mut contacts = PersistentContacts::default();
        contacts.step(&mut world);
        let body = RigidBodyBuilder::dynamic()
            .translation(Vector::new(3.0 + bad_position, 2.0, 0.0))
            .linvel(Vector::new(0.0, bad_velocity, 0.0));
        world.insert(body, ColliderBuilder::ball(0.2));
        for _ in 0..20 {
            contacts.step(&mut world);
        }
        let body = &world.bodies[ball];
        assert!(body.position().is_finite() && body.linvel().is_finite());
        assert!((body.translation().x - 30.0 * 21.0 / 60.0).abs() < 0.01, "the good body goes its way");
    }
}

#[test]
fn a_velocity_that_becomes_non_finite_between_steps_is_contained() {
    let (mut world, ball, _) = sliding_ball(30.0);
    let mut contacts = PersistentContacts::default();
    contacts.step(&mut world);
    world.bodies[ball].set_linvel(Vector::new(Real::NAN, 0.0, 0.0), true);
    for _ in 0..5 {
        contacts.step(&mut world);
    }
    assert!(world.bodies[ball].position().is_finite());
}

#[test]
fn a_time_step_of_zero_or_below_moves_nothing() {
    for dt in [0.0, -1.0 / 60.0] {
        let (mut world, ball, _) = sliding_ball(30.0);
        let mut contacts = PersistentContacts::default();
        contacts.step(&mut world);
        let before = *world.bodies[ball].position();
        world.integration_parameters.dt = dt;
        let report = contacts.step(&mut world);
        assert_eq!(report.counters().movers, 0);
        assert_eq!(*world.bodies[ball].position(), before);
    }
}

#[test]
fn a_time_step_that_is_not_finite_does_nothing() {
    for dt in [Real::NAN, Real::INFINITY, Real::NEG_INFINITY] {
        let (mut world, ball, _) = sliding_ball(30.0);
        world.integration_parameters.dt = dt;
        PersistentContacts::default().step(&mut world);
        assert_eq!(world.bodies[ball].translation().x, 0.0);
        assert!(world.bodies[ball].is_enabled());
    }
}

#[test]
fn degenerate_and_duplicate_triangles_carry_no_harm() {
    let odd_triangles: &[&[[u32; 3]]] =
        &[&[[0, 0, 0]], &[[0, 1, 1]], &[[0, 2, 0]], &[[0, 1, 2], [0, 1, 2]], &[[2, 1, 0], [3, 2, 0]]];
    for flags in [TriMeshFlags::empty(), TriMeshFlags::FIX_INTERNAL_EDGES] {
        for extra in odd_triangles {
            let mut world = PhysicsWorld::new();
            world.insert_collider(quad(flags, extra).friction(0.0), None);
            let body = RigidBodyBuilder::dynamic()
                .translation(Vector::new(-20.0, 0.2, 0.3))
                .linvel(Vector::new(40.0, 0.0, 0.0))
                .lock_rotations();
            let (cuboid, _) = world.insert(body, ColliderBuilder::cuboid(0.2, 0.2, 0.2).friction(0.0));
            let mut contacts = PersistentContacts::default();
            for _ in 0..50 {
                contacts.step(&mut world);
                let body = &world.bodies[cuboid];
                assert!(body.position().is_finite() && body.translation().y > 0.0, "{flags:?} {extra:?}");
            }
        }
    }
}

#[test]
fn zero_size_shapes_are_swept_without_harm() {
    let zero = Vector::ZERO;
    let shapes = [
        SharedShape::ball(0.0),
        SharedShape::cuboid(0.0, 0.0, 0.0),
        SharedShape::cuboid(0.5, 0.0, 0.5),
        SharedShape::capsule_y(0.0, 0.0),
        SharedShape::cylinder(0.0, 0.3),
        SharedShape::cylinder(0.3, 0.0),
        SharedShape::cone(0.0, 0.0),
        SharedShape::segment(zero, zero),
        SharedShape::triangle(zero, zero, zero),
        SharedShape::triangle(zero, Vector::X, Vector::X * 2.0),
        SharedShape::round_cuboid(0.0, 0.0, 0.0, 0.0),
    ];
    for (index, shape) in shapes.iter().enumerate() {
        for as_target in [false, true] {
            let (mut world, _, _) = sliding_ball(20.0);
            let collider = ColliderBuilder::new(shape.clone()).mass(1.0);
            if as_target {
                world.insert_collider(collider.translation(Vector::new(2.0, 0.2, 0.0)), None);
            } else {
                let body = RigidBodyBuilder::dynamic()
                    .translation(Vector::new(0.0, 3.0, 5.0))
                    .linvel(Vector::new(50.0, -50.0, 0.0));
                world.insert(body, collider);
            }
            let mut contacts = PersistentContacts::default();
            for _ in 0..30 {
                contacts.step(&mut world);
            }
            assert!(world.bodies.iter().all(|(_, body)| body.position().is_finite()), "shape {index}");
        }
    }
}

#[test]
fn a_compound_of_one_and_a_body_without_colliders_are_fine() {
    // Parry refuses an empty compound when it is built; the smallest one has a single child.
    let (mut world, ball, _) = sliding_ball(40.0);
    let child = (Pose::translation(0.1, 0.0, 0.0), SharedShape::ball(0.1));
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.5, 3.0)).linvel(Vector::X * 60.0);
    world.insert(body, ColliderBuilder::compound(vec![child]));
    world.insert_body(RigidBodyBuilder::dynamic().linvel(Vector::X * 100.0));
    let mut contacts = PersistentContacts::default();
    for _ in 0..30 {
        contacts.step(&mut world);
    }
    assert!(world.bodies.iter().all(|(_, body)| body.position().is_finite()));
    assert!((world.bodies[ball].translation().x - 20.0).abs() < 0.01);
}

#[test]
fn the_world_may_change_between_two_steps() {
    let change: [fn(&mut PhysicsWorld, RigidBodyHandle, ColliderHandle); 8] = [
        |world, ball, _| drop(world.remove_body(ball)),
        |world, _, slab| drop(world.remove_collider(slab)),
        |world, ball, _| world.bodies[ball].set_enabled(false),
        |world, _, slab| world.colliders[slab].set_enabled(false),
        |world, ball, _| {
            let collider = world.bodies[ball].colliders()[0];
            world.colliders[collider].set_shape(SharedShape::cuboid(0.1, 0.2, 0.3));
        },
        |world, ball, slab| world.colliders.set_parent(slab, Some(ball), &mut world.bodies),
        |world, ball, _| world.bodies[ball].set_body_type(RigidBodyType::KinematicVelocityBased, true),
        |world, ball, _| {
            let collider = world.bodies[ball].colliders()[0];
            world.colliders[collider].set_sensor(true);
        },
    ];
    for (index, change) in change.iter().enumerate() {
        let (mut world, ball, slab) = sliding_ball(50.0);
        let mut contacts = PersistentContacts::default();
        contacts.groups_mut().insert(slab, PieceGroup::new(1));
        contacts.set_tracing(true);
        for _ in 0..3 {
            contacts.step(&mut world);
        }
        change(&mut world, ball, slab);
        for _ in 0..5 {
            contacts.step(&mut world);
        }
        assert!(world.bodies.iter().all(|(_, body)| body.position().is_finite()), "change {index}");
    }
}

#[test]
fn stale_handles_and_those_of_another_world_are_no_neighbours() {
    let (mut other, _, _) = sliding_ball(1.0);
    let foreign = other.insert_collider(ColliderBuilder::ball(1.0), None);
    let (mut world, ball, slab) = sliding_ball(40.0);
    let stale = world.insert_collider(ColliderBuilder::ball(1.0).translation(Vector::new(0.0, 50.0, 0.0)), None);
    let mut contacts = PersistentContacts::default();
    for handle in [foreign, stale, ColliderHandle::invalid(), ColliderHandle::from_raw_parts(u32::MAX, 3), slab] {
        contacts.groups_mut().insert(handle, PieceGroup::new(9));
    }
    world.remove_collider(stale);
    for _ in 0..20 {
        contacts.step(&mut world);
    }
    assert!((world.bodies[ball].translation().x - 40.0 / 3.0).abs() < 0.01);
    assert_eq!(contacts.groups_mut().remove(foreign), Some(PieceGroup::new(9)));
}

#[test]
fn one_step_object_may_step_many_worlds() {
    let mut contacts = PersistentContacts::default();
    let (mut slow, slow_ball, _) = sliding_ball(20.0);
    let (mut fast, fast_ball, _) = sliding_ball(60.0);
    for _ in 0..30 {
        contacts.step(&mut slow);
        contacts.step(&mut fast);
    }
    assert!((slow.bodies[slow_ball].translation().x - 10.0).abs() < 0.01);
    assert!((fast.bodies[fast_ball].translation().x - 30.0).abs() < 0.01);
}

#[test]
fn far_from_the_origin_a_wall_still_stops_a_bullet() {
    // Single precision resolves 6 cm at 10⁶: the wall is as thick as that allows.
    for far in [1.0e3, 1.0e5, 1.0e6] {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::ZERO;
        let origin = Vector::new(far, -far, far);
        world.insert_collider(ColliderBuilder::cuboid(0.5, 20.0, 20.0).translation(origin), None);
        let body = RigidBodyBuilder::dynamic().translation(origin - Vector::X * 20.0).linvel(Vector::X * 300.0);
        let (bullet, _) = world.insert(body, ColliderBuilder::ball(0.5));
        let mut contacts = PersistentContacts::default();
        for _ in 0..20 {
            contacts.step(&mut world);
            let x = world.bodies[bullet].translation().x;
            assert!(x.is_finite() && x < far + 0.1, "at {far} the bullet came to {}", x - far);
        }
    }
}

#[test]
fn a_world_in_centimetres_behaves_like_one_in_metres() {
    let run = |unit: Real| {
        let mut world = PhysicsWorld::new();
        world.integration_parameters.length_unit = unit;
        world.gravity *= unit;
        let corners = [(-50.0, -50.0), (-50.0, 50.0), (50.0, 50.0), (50.0, -50.0)];
        let vertices = corners.map(|(x, z)| Vector::new(x, 0.0, z) * unit).to_vec();
        let mesh =
            ColliderBuilder::trimesh_with_flags(vertices, vec![[0, 1, 2], [0, 2, 3]], TriMeshFlags::FIX_INTERNAL_EDGES);
        world.insert_collider(mesh.expect("it has triangles").friction(0.0), None);
        world.insert_collider(
            ColliderBuilder::cuboid(0.05 * unit, 4.0 * unit, 4.0 * unit).translation(Vector::X * 20.0 * unit),
            None,
        );
        let body = RigidBodyBuilder::dynamic()
            .translation(Vector::new(-20.0, 0.2, 0.3) * unit)
            .linvel(Vector::X * 60.0 * unit)
            .lock_rotations();
        let (cuboid, _) = world.insert(body, ColliderBuilder::cuboid(0.2 * unit, 0.2 * unit, 0.2 * unit).friction(0.0));
        let mut contacts = PersistentContacts::default();
        let mut xs = Vec::new();
        for _ in 0..60 {
            contacts.step(&mut world);
            xs.push(world.bodies[cuboid].translation().x / unit);
        }
        xs
    };
    let (metres, centimetres) = (run(1.0), run(100.0));
    for (a, b) in metres.iter().zip(&centimetres) {
        assert!((a - b).abs() < 0.01, "{a} m is not {b} m");
    }
    assert!(metres.iter().all(|x| *x < 20.0));
}

#[test]
fn a_speck_next_to_a_giant_is_stopped_by_it() {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::ZERO;
    world.insert_collider(ColliderBuilder::cuboid(1.0e4, 1.0, 1.0e4).translation(Vector::new(0.0, -1.0, 0.0)), None);
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 1.0, 0.0)).linvel(Vector::new(0.0, -90.0, 0.0));
    let (speck, _) = world.insert(body, ColliderBuilder::ball(0.001));
    let mut contacts = PersistentContacts::default();
    for _ in 0..10 {
        contacts.step(&mut world);
        assert!(world.bodies[speck].translation().y > -0.01);
    }
}

#[test]
fn settings_out_of_range_are_refused_by_name() {
    let refused = |settings: Settings| match PersistentContacts::new(settings) {
        Ok(_) => panic!("{settings:?} is out of range"),
        Err(error) => error.field,
    };
    assert_eq!(refused(Settings { face_angle: -0.1, ..Settings::default() }), "face_angle");
    assert_eq!(refused(Settings { core_fraction: Real::NAN, ..Settings::default() }), "core_fraction");
    assert_eq!(refused(Settings { max_interval_rotation: 7.0, ..Settings::default() }), "max_interval_rotation");
    assert!(PersistentContacts::new(Settings { sweep_policy: SweepPolicy::CoreBall, ..Settings::default() }).is_ok());
}
