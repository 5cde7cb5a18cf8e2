//! What `prepare_level` mends, and how bodies move over it afterwards.

use super::levels::{NONE, ONE_SIDED, closed, collider, every_third_turned, grid, level, soup};
use persistent_contacts_fixtures::terrain::Mesh;
use rapier3d::parry::utils::Array2;
use rapier3d::prelude::*;
use rapier3d_persistent_contacts::{
    Facing, Fault, PersistentContacts, RepairKind, Subject, SurfaceKind, prepare_level, prepare_level_upright,
};

/// Case 14 of the reported cases (`fixtures/reported/parry_333_ground_wound_down_lets_through.ron`): a quad of 20 m wound
/// downwards, with the one-sided edge flag, and a cube of 0.4 m dropped on it.
fn parry_333() -> (PhysicsWorld, RigidBodyHandle) {
    let corners = [(-10, -10), (10, -10), (10, 10), (-10, 10)].map(|(x, z)| Vector::new(x as Real, 0.0, z as Real));
    let quad = Mesh { vertices: corners.to_vec(), indices: vec![[0, 1, 2], [0, 2, 3]] };
    let mut world = PhysicsWorld::new();
    let ground = world.insert_body(RigidBodyBuilder::fixed());
    world.insert_collider(collider(quad, ONE_SIDED), Some(ground));
    let cube = RigidBodyBuilder::dynamic().translation(Vector::new(0.3, 1.2, 0.1));
    let (cube, _) = world.insert(cube, ColliderBuilder::cuboid(0.2, 0.2, 0.2));
    (world, cube)
}

#[test]
fn parry_333_is_named_and_mended() {
    let lowest = |(mut world, cube): (PhysicsWorld, RigidBodyHandle)| {
        let mut contacts = PersistentContacts::default();
        let heights = (0..120).map(|_| {
            contacts.step(&mut world);
            world.bodies[cube].translation().y
        });
        heights.fold(Real::MAX, Real::min)
    };
    let (world, cube) = parry_333();
    let findings = PersistentContacts::diagnose(&world.bodies, &world.colliders);
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!(finding.fault, Fault::WrongWinding { facing: Facing::Down, triangles: 2 });
    let text = finding.to_string();
    assert!(text.contains("looks down") && text.contains("fall through"), "{text}");
    assert!(text.contains("mesh.set_flags(mesh.flags() | TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED)"), "{text}");
    assert!(lowest((world, cube)) < -1.0, "it falls through as long as nothing is done");

    // By the call that the finding names, and by prepare_level. The cube rests at 0.2 m, less what Rapier lets it sink: the
    // slop of 5 mm, and as much again on landing at 4.4 m/s.
    let (mut world, cube) = parry_333();
    let Subject::Collider(handle) = finding.subject else { panic!("it is about the ground") };
    let mesh = world.colliders[handle].shape_mut().as_trimesh_mut().expect("a mesh");
    mesh.set_flags(mesh.flags() | TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED).expect("no topology was asked for");
    assert!(lowest((world, cube)) > 0.18);
    let (mut world, cube) = parry_333();
    let repairs = prepare_level(&mut world.colliders);
    assert_eq!(
        repairs.iter().map(|repair| (repair.collider, repair.kind)).collect::<Vec<_>>(),
        [(handle, RepairKind::BothSides)]
    );
    assert!(lowest((world, cube)) > 0.18);
}

/// A level with something wrong, and the flags it comes with.
struct Broken {
    name: &'static str,
    mesh: Mesh,
    flags: TriMeshFlags,
    /// Does a body hop on it by a centimetre or more, or fall through? Flat ground that is split but has the flag is taken
    /// for the rims of many meshes, all with the same normal, so nothing hops there.
    does_bump: bool,
}

fn broken_levels() -> [Broken; 9] {
    let mut back_to_back = grid();
    back_to_back.indices.extend(grid().flipped().indices);
    let rounded = soup(&grid(), 16.0 * Real::EPSILON);
    let mut inside_out = closed(Vector::new(20.0, 1.0, 5.0)).flipped();
    inside_out.vertices.iter_mut().for_each(|vertex| *vertex += Vector::new(15.0, -1.0, 0.0));
    let jumble = soup(&every_third_turned(grid().flipped()), 0.0);
    let broken = |name, mesh, flags| Broken { name, mesh, flags, does_bump: true };
    [
        broken("no flag", grid(), NONE),
        broken("no flag, wound down", grid().flipped(), NONE),
        broken("every triangle for itself", soup(&grid(), 0.0), NONE),
        Broken { does_bump: false, ..broken("the same, off by rounding, with the flag", rounded, ONE_SIDED) },
        broken("every third turned", every_third_turned(grid()), ONE_SIDED),
        broken("every triangle for itself, every third turned, wound down", jumble, NONE),
        broken("wound down, with the flag", grid().flipped(), ONE_SIDED),
        broken("back to back", back_to_back, ONE_SIDED),
        broken("a closed slab inside out", inside_out, ONE_SIDED),
    ]
}

/// How far a body that slides at `speed` \[m/s], without friction, for 2 s leaves its height \[m], and how much its speed changes
/// \[m/s].
fn bump(
    speed: Real,
    mut world: PhysicsWorld,
    body: ColliderBuilder,
    mut step: impl FnMut(&mut PhysicsWorld),
) -> (Real, Real) {
    let mover = RigidBodyBuilder::dynamic().translation(Vector::new(2.0, 0.2, 0.13)).linvel(Vector::X * speed);
    let (mover, _) = world.insert(mover.lock_rotations().can_sleep(false), body.friction(0.0));
    let mut worst = (0.0, 0.0);
    for _ in 0..120 {
        step(&mut world);
        let body = &world.bodies[mover];
        let (height, along) = (body.translation().y, body.linvel().x);
        worst = (Real::max(worst.0, (height - 0.2).abs()), Real::max(worst.1, (along - speed).abs()));
    }
    worst
}

/// By Rapier alone: this crate's step joins what is flush, and would hide what is wrong with a level.
fn bump_in_rapier(speed: Real, world: PhysicsWorld, body: ColliderBuilder) -> (Real, Real) {
    bump(speed, world, body, |world| world.step())
}

fn bump_in_this_crate(speed: Real, world: PhysicsWorld, body: ColliderBuilder) -> (Real, Real) {
    let mut contacts = PersistentContacts::default();
    bump(speed, world, body, |world| {
        contacts.step(world);
    })
}

#[test]
fn nothing_bumps_on_what_was_mended() {
    let bodies = [
        ("ball", ColliderBuilder::ball(0.2)),
        ("cuboid", ColliderBuilder::cuboid(0.2, 0.2, 0.2)),
        ("capsule", ColliderBuilder::capsule_x(0.2, 0.2)),
    ];
    for Broken { name, mesh, flags, does_bump } in broken_levels() {
        let ground = || level(collider(mesh.clone(), flags).friction(0.0));
        let before = bodies.clone().map(|(_, body)| bump_in_rapier(10.0, ground(), body));
        let worst = before.iter().fold(0.0, |worst: Real, (hop, _)| worst.max(*hop));
        println!("{name}: off its height by up to {worst} m before");
        assert_eq!(worst > 0.01, does_bump, "{name}: {before:?}");
        for (shape, body) in bodies.clone() {
            let mut world = ground();
            assert_ne!(prepare_level(&mut world.colliders), [], "{name}");
            assert_eq!(PersistentContacts::diagnose(&world.bodies, &world.colliders), [], "{name}");
            assert_eq!(prepare_level(&mut world.colliders), [], "{name}: a second call has nothing to do");
            // The surface is flat: it acts along its normal only, so the speed stays, to 0.1 %. The body starts at its
            // height; 1 mm is the bar of the suites for a hop.
            let (hop, change) = bump_in_this_crate(10.0, world, body);
            assert!(hop < 1e-3 && change < 1e-2, "{shape} on {name}: hop {hop} m, speed off by {change} m/s");
        }
    }
}

#[test]
fn shapes_that_are_shared_stay_shared() {
    let shape = collider(grid(), NONE).build().shared_shape().clone();
    let mut world = PhysicsWorld::new();
    let handles = [0.0, 40.0]
        .map(|x| world.insert_collider(ColliderBuilder::new(shape.clone()).translation(Vector::X * x), None));
    let repairs = prepare_level(&mut world.colliders);
    assert_eq!(repairs.iter().map(|repair| repair.collider).collect::<Vec<_>>(), handles);
    assert!(repairs.iter().all(|repair| repair.kind == RepairKind::TwoSidedEdgeFlag));
    let address =
        |handle: ColliderHandle| std::sync::Arc::as_ptr(&world.colliders[handle].shared_shape().0).cast::<()>();
    assert_eq!(address(handles[0]), address(handles[1]));
    assert_ne!(address(handles[0]), std::sync::Arc::as_ptr(&shape.0).cast());
}

#[test]
fn fields_and_compounds_get_their_flags() {
    let part = |x: Real| (Pose::translation(x, 0.0, 0.0), SharedShape::cuboid(0.5, 0.5, 0.5));
    let mut world = level(ColliderBuilder::heightfield(Array2::repeat(4, 4, 0.0), Vector::new(8.0, 1.0, 8.0)));
    world.insert_collider(ColliderBuilder::compound(vec![part(0.0), part(1.0)]), None);
    let kinds: Vec<_> = prepare_level(&mut world.colliders).iter().map(|repair| repair.kind).collect();
    let set = |surface| RepairKind::EdgeFlag { surface };
    assert_eq!(kinds, [set(SurfaceKind::HeightField), set(SurfaceKind::Compound)]);
    assert_eq!(PersistentContacts::diagnose(&world.bodies, &world.colliders), []);
}

#[test]
fn nothing_bumps_on_a_compound_that_was_mended() {
    // A row of flush cubes of 1 m, the top at y = 0: as flat as one cuboid.
    let row = || {
        let parts = (0..30).map(|x| (Pose::translation(x as Real, -0.5, 0.0), SharedShape::cuboid(0.5, 0.5, 2.0)));
        level(ColliderBuilder::compound(parts.collect()).friction(0.0))
    };
    let on_its_side = ColliderBuilder::cylinder(0.2, 0.2).rotation(Vector::X * std::f64::consts::FRAC_PI_2 as Real);
    let round = [ColliderBuilder::ball(0.2), ColliderBuilder::capsule_x(0.2, 0.2), on_its_side];
    for body in &round {
        let (hop, _) = bump_in_rapier(5.0, row(), body.clone());
        assert!(hop > 0.05, "it hops by {hop} m before");
    }
    for body in round.into_iter().chain([ColliderBuilder::cuboid(0.2, 0.2, 0.2)]) {
        for speed in [5.0, 11.0] {
            let mut mended = row();
            assert_eq!(prepare_level(&mut mended.colliders).len(), 1);
            let (hop, change) = bump_in_this_crate(speed, mended, body.clone());
            assert!(hop < 1e-3 && change < 1e-3 * speed, "hop {hop} m, speed off by {change} m/s");
        }
    }
}

#[test]
fn up_may_be_any_axis() {
    let wall = || collider(grid(), ONE_SIDED);
    // Seen along x the grid is a wall, from below it looks the wrong way, and nowhere is no way.
    for (up, is_wrong) in [(Vector::X, false), (Vector::Y, false), (Vector::Y * -9.81, true), (Vector::ZERO, false)] {
        let repairs = prepare_level_upright(&mut level(wall()).colliders, up);
        assert_eq!(!repairs.is_empty(), is_wrong, "{up}");
    }
}
