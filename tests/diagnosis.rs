//! The diagnosis of levels: each fault is found, once, and nothing else; what `prepare_level` mends stays mended, and a body
//! slides over it as if it had never been broken.

use persistent_contacts_fixtures::random::Random;
use persistent_contacts_fixtures::terrain::{Grid, Mesh, Relief};
use rapier3d::parry::shape::{CompoundFlags, Cuboid, HeightFieldFlags, Tetrahedron};
use rapier3d::parry::utils::Array2;
use rapier3d::prelude::*;
use rapier3d_persistent_contacts::{
    Diagnosis, Facing, Fault, Inspection, PersistentContacts, RepairKind, Subject, SurfaceKind, prepare_level,
    prepare_level_upright,
};

const NONE: TriMeshFlags = TriMeshFlags::empty();
const ONE_SIDED: TriMeshFlags = TriMeshFlags::FIX_INTERNAL_EDGES;
const TWO_SIDED: TriMeshFlags = TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED;

/// Cells of the grid along x and z.
const CELLS: (usize, usize) = (30, 6);

/// Flat ground of irregular triangles that looks up; x from 0 to 30, z from -3 to 3.
fn grid() -> Mesh {
    let grid = Grid {
        cells_x: CELLS.0,
        cells_z: CELLS.1,
        cell: 1.0,
        relief: Relief::Flat,
        jitter: 0.35,
        random_diagonals: true,
        seed: 3,
    };
    grid.mesh()
}

/// Every triangle with vertices of its own, each off its place by up to `off` along each axis.
fn soup(mesh: &Mesh, off: Real) -> Mesh {
    let mut random = Random::new(5);
    let corners = mesh.indices.iter().flatten().map(|corner| mesh.vertices[*corner as usize]);
    let vertices: Vec<_> = corners.map(|at| at + Vector::new(random.signed() as Real, 0.0, 0.0) * off).collect();
    let indices = (0..mesh.indices.len() as u32).map(|triangle| [3 * triangle, 3 * triangle + 1, 3 * triangle + 2]);
    Mesh { indices: indices.collect(), vertices }
}

/// Turns every third triangle round.
fn every_third_turned(mut mesh: Mesh) -> Mesh {
    mesh.indices.iter_mut().step_by(3).for_each(|triangle| triangle.swap(0, 1));
    mesh
}

fn closed(half: Vector) -> Mesh {
    let (vertices, indices) = Cuboid::new(half).to_trimesh();
    Mesh { vertices, indices }
}

fn collider(mesh: Mesh, flags: TriMeshFlags) -> ColliderBuilder {
    ColliderBuilder::trimesh_with_flags(mesh.vertices, mesh.indices, flags).expect("the mesh has triangles")
}

/// A world with one collider that stands still.
fn level(collider: impl Into<Collider>) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.insert_collider(collider, None);
    world
}

/// What is found in a world with one collider that stands still; all of it is about that.
fn faults(collider: impl Into<Collider>) -> Vec<Fault> {
    let world = level(collider);
    let findings = PersistentContacts::diagnose(&world.bodies, &world.colliders);
    let handle = world.colliders.iter().next().expect("the collider").0;
    assert!(findings.iter().all(|finding| finding.subject == Subject::Collider(handle)));
    findings.iter().map(|finding| finding.fault).collect()
}

/// How many edges of a grid lie between two triangles: a diagonal a cell, and the sides between two cells.
const fn inner_edges() -> usize {
    let (x, z) = CELLS;
    x * z + (x - 1) * z + x * (z - 1)
}

#[test]
fn a_healthy_level_gives_nothing() {
    let mut world = level(collider(grid(), ONE_SIDED));
    // A ceiling over part of it, which looks down at the floor.
    let mut ceiling = grid().flipped();
    ceiling.vertices.iter_mut().for_each(|vertex| *vertex = *vertex * 0.5 + Vector::new(5.0, 3.0, 0.0));
    world.insert_collider(collider(ceiling, ONE_SIDED), None);
    // A closed rock that looks outwards, and a closed room that looks inwards, with a chest in it.
    let rock = collider(closed(Vector::splat(1.0)), ONE_SIDED);
    world.insert_collider(rock.translation(Vector::new(0.0, 1.0, -8.0)), None);
    let room = collider(closed(Vector::splat(4.0)).flipped(), ONE_SIDED);
    world.insert_collider(room.translation(Vector::new(0.0, 4.0, 20.0)), None);
    world.insert_collider(ColliderBuilder::cuboid(0.3, 0.3, 0.3).translation(Vector::new(0.0, 0.3, 20.0)), None);
    // Flagged fields and compounds, and a compound whose parts do not touch.
    let field = HeightField::with_flags(
        Array2::repeat(4, 4, 0.0),
        Vector::new(8.0, 1.0, 8.0),
        HeightFieldFlags::FIX_INTERNAL_EDGES,
    );
    world.insert_collider(ColliderBuilder::new(SharedShape::new(field)).translation(Vector::X * -20.0), None);
    let part = |x: Real| (Pose::translation(x, 0.0, 0.0), SharedShape::cuboid(0.5, 0.5, 0.5));
    world.insert_collider(ColliderBuilder::compound(vec![part(0.0), part(3.0)]).translation(Vector::Y * -9.0), None);
    // Sensors may be anything.
    world.insert_collider(collider(grid().flipped(), NONE).sensor(true), None);
    // Bodies: a ball below the cap, a wheel that may spin, a lift, and a door that turns about its origin.
    let slow = RigidBodyBuilder::dynamic().translation(Vector::new(2.0, 0.2, 0.0)).angvel(Vector::Z * -30.0);
    world.insert(slow, ColliderBuilder::ball(0.2));
    let wheel = RigidBodyBuilder::dynamic().translation(Vector::new(2.0, 0.3, 2.0)).angvel(Vector::Z * -200.0);
    world.insert(wheel.allow_fast_rotation(true), ColliderBuilder::cylinder(0.1, 0.3));
    let off = ColliderBuilder::cuboid(1.0, 0.1, 1.0).translation(Vector::new(0.0, -0.1, 0.0));
    world.insert(
        RigidBodyBuilder::kinematic_velocity_based().lock_rotations().translation(Vector::X * 60.0),
        off.clone(),
    );
    world.insert(RigidBodyBuilder::kinematic_position_based().translation(Vector::X * 70.0), off);

    assert_eq!(PersistentContacts::diagnose(&world.bodies, &world.colliders), []);
    assert_eq!(Inspection::from(&world).diagnose(), []);
    assert_eq!(prepare_level(&mut level(collider(grid(), ONE_SIDED)).colliders), []);
}

#[test]
fn a_missing_flag_is_found_whichever_way_the_mesh_is_wound() {
    for mesh in [grid(), grid().flipped()] {
        let world = level(collider(mesh.clone(), NONE).translation(Vector::Y * 5.0));
        let findings = PersistentContacts::diagnose(&world.bodies, &world.colliders);
        let fault = Fault::MissingEdgeFlag { surface: SurfaceKind::TriMesh, edges: inner_edges() };
        assert_eq!(findings.iter().map(|finding| finding.fault).collect::<Vec<_>>(), [fault]);
        // The edges are where they are in the world.
        assert_eq!(findings[0].edges.len(), inner_edges());
        assert!(findings[0].edges.iter().flatten().all(|end| end.y == 5.0 && end.x >= 0.0 && end.x <= 30.0));
        assert_eq!(faults(collider(mesh, TWO_SIDED)), []);
    }
}

#[test]
fn edges_that_are_sharp_need_no_flag() {
    // A cuboid's mesh has a flat diagonal on each of its six sides. Its twelve edges are real.
    let fault = Fault::MissingEdgeFlag { surface: SurfaceKind::TriMesh, edges: 6 };
    assert_eq!(faults(collider(closed(Vector::new(1.0, 2.0, 3.0)), NONE)), [fault]);
    let corners = [Vector::ZERO, Vector::X, Vector::Y, Vector::Z];
    let spike = Mesh { vertices: corners.to_vec(), indices: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] };
    assert!(Tetrahedron::new(corners[0], corners[1], corners[2], corners[3]).volume() > 0.0);
    assert_eq!(faults(collider(spike, NONE)), []);
}

#[test]
fn a_height_field_and_a_compound_without_their_flags_are_found() {
    let field = ColliderBuilder::heightfield(Array2::repeat(4, 3, 0.0), Vector::new(8.0, 1.0, 8.0));
    // 3 × 2 cells: 6 diagonals, 3 · 1 + 2 · 2 sides between cells.
    assert_eq!(faults(field), [Fault::MissingEdgeFlag { surface: SurfaceKind::HeightField, edges: 13 }]);

    let part = |x: Real| (Pose::translation(x, 0.0, 0.0), SharedShape::cuboid(0.5, 0.5, 0.5));
    let parts = vec![part(0.0), part(1.0), part(2.0), part(4.0)];
    // Three flush cuboids have two faces between them; the fourth stands apart.
    let fault = Fault::MissingEdgeFlag { surface: SurfaceKind::Compound, edges: 2 };
    assert_eq!(faults(ColliderBuilder::compound(parts.clone())), [fault]);
    let flagged = Compound::with_flags(parts, CompoundFlags::FIX_INTERNAL_EDGES, None);
    assert_eq!(faults(ColliderBuilder::new(SharedShape::new(flagged))), []);
}

#[test]
fn one_sided_ground_that_looks_down_is_found() {
    let fault = Fault::WrongWinding { facing: Facing::Down, triangles: 2 * CELLS.0 * CELLS.1 };
    assert_eq!(faults(collider(grid().flipped(), ONE_SIDED)), [fault]);
    assert_eq!(faults(collider(grid(), ONE_SIDED)), []);
    // Down is where bodies fall to: the same grid on its head looks up.
    let half_turn = Vector::X * std::f64::consts::PI as Real;
    assert_eq!(faults(collider(grid().flipped(), ONE_SIDED).rotation(half_turn)), []);
    assert_eq!(faults(collider(grid(), ONE_SIDED).rotation(half_turn)), [fault]);
    let world = level(collider(grid(), ONE_SIDED));
    let mut inspection = Inspection::from(&world);
    inspection.gravity = Vector::Y * 9.81;
    assert_eq!(inspection.diagnose()[0].fault, fault);
    // A wall looks neither up nor down, and without gravity nothing does.
    inspection.gravity = Vector::X * 9.81;
    assert_eq!(inspection.diagnose(), []);
    inspection.gravity = Vector::ZERO;
    assert_eq!(inspection.diagnose(), []);
}

#[test]
fn a_floor_above_another_is_told_from_a_ceiling_by_the_body_on_it() {
    let mut world = level(ColliderBuilder::cuboid(50.0, 0.1, 50.0).translation(Vector::Y * -3.0));
    world.insert_collider(collider(grid().flipped(), ONE_SIDED), None);
    assert_eq!(PersistentContacts::diagnose(&world.bodies, &world.colliders), []);
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(10.3, 1.0, 0.1));
    world.insert(body, ColliderBuilder::ball(0.2));
    let findings = PersistentContacts::diagnose(&world.bodies, &world.colliders);
    assert!(matches!(findings[..], [Diagnosis { fault: Fault::WrongWinding { facing: Facing::Down, .. }, .. }]));
}

#[test]
fn closed_meshes_must_look_at_what_is_there() {
    let half = Vector::splat(2.0);
    let solid = |mesh: Mesh, flags| level(collider(mesh, flags));
    let inhabit = |mut world: PhysicsWorld| {
        world.insert(RigidBodyBuilder::dynamic().translation(Vector::new(0.3, 0.1, 0.2)), ColliderBuilder::ball(0.2));
        world
    };
    let found = |world: PhysicsWorld| {
        let findings = PersistentContacts::diagnose(&world.bodies, &world.colliders);
        findings.into_iter().map(|finding| finding.fault).collect::<Vec<_>>()
    };
    let wrong = |facing| vec![Fault::WrongWinding { facing, triangles: 12 }];
    let (outwards, inwards) = (closed(half), closed(half).flipped());
    assert_eq!(found(solid(outwards.clone(), ONE_SIDED)), []);
    assert_eq!(found(solid(inwards.clone(), ONE_SIDED)), wrong(Facing::Inwards));
    assert_eq!(found(inhabit(solid(outwards.clone(), ONE_SIDED))), wrong(Facing::Outwards));
    assert_eq!(found(inhabit(solid(inwards, ONE_SIDED))), []);
    assert_eq!(found(inhabit(solid(outwards, TWO_SIDED))), []);
}

#[test]
fn triangles_wound_against_the_rest_are_found() {
    let mut mesh = grid();
    // One off the border of the grid has three neighbours, whatever the diagonals.
    let middle = CELLS.0 * CELLS.1 + CELLS.0;
    mesh.indices[middle].swap(1, 2);
    let fault = Fault::InconsistentWinding { triangles: 1, edges: 3 };
    assert_eq!(faults(collider(mesh.clone(), ONE_SIDED)), [fault]);
    assert_eq!(faults(collider(mesh.clone(), TWO_SIDED)), [fault]);
    let missing = Fault::MissingEdgeFlag { surface: SurfaceKind::TriMesh, edges: inner_edges() };
    assert_eq!(faults(collider(mesh, NONE)), [fault, missing]);
}

#[test]
fn split_vertices_are_found() {
    let mesh = soup(&grid(), 0.0);
    // A vertex for each corner of each triangle, where one for each corner of the grid would do.
    let vertices = 6 * CELLS.0 * CELLS.1 - (CELLS.0 + 1) * (CELLS.1 + 1);
    let split = |are_exact| Fault::SplitVertices { vertices, edges: inner_edges(), are_exact };
    let missing = Fault::MissingEdgeFlag { surface: SurfaceKind::TriMesh, edges: inner_edges() };
    assert_eq!(faults(collider(mesh.clone(), NONE)), [split(true), missing]);
    // parry's flag merges them, so then there is nothing to find.
    assert_eq!(faults(collider(mesh, ONE_SIDED)), []);
    // It does not if they are off by rounding: 30 m have units in the last place of 2 or 4 µm in single precision.
    let rounded = soup(&grid(), 16.0 * Real::EPSILON);
    let found = faults(collider(rounded, ONE_SIDED));
    let [Fault::SplitVertices { edges, are_exact: false, .. }] = found[..] else { panic!("{found:?}") };
    // Where rounding left all corners of an edge as they were, it is whole: at x > 16, since 16 ε is less than half a unit.
    assert!(edges > inner_edges() / 3 && edges < inner_edges(), "{edges}");
    // Two triangles that meet in one corner are no surface.
    let vertices = vec![Vector::ZERO, Vector::Z, Vector::X, Vector::ZERO, -Vector::Z, -Vector::X];
    assert_eq!(faults(collider(Mesh { vertices, indices: vec![[0, 1, 2], [3, 4, 5]] }, NONE)), []);
}

#[test]
fn degenerate_and_duplicate_triangles_are_found() {
    let mut mesh = grid();
    let [a, b, c] = mesh.indices[7];
    mesh.vertices.push((mesh.vertices[a as usize] + mesh.vertices[b as usize]) / 2.0);
    let between = mesh.vertices.len() as u32 - 1;
    mesh.indices.extend([[a, a, b], [a, between, b]]);
    assert_eq!(faults(collider(mesh.clone(), ONE_SIDED)), [Fault::DegenerateTriangles { triangles: 2 }]);
    mesh.indices.truncate(2 * CELLS.0 * CELLS.1);
    mesh.indices.extend([[b, c, a], [c, b, a]]);
    let fault = Fault::DuplicateTriangles { triangles: 2, back_to_back: 1 };
    assert_eq!(faults(collider(mesh, ONE_SIDED)), [fault]);
}

#[test]
fn thin_shapes_are_found() {
    let flat = |is_dynamic| Fault::NoThickness { thickness: 0.0, is_dynamic };
    // To stand on, a mesh or a triangle is a surface on purpose; a flat solid is none.
    assert_eq!(faults(ColliderBuilder::cuboid(1.0, 0.0, 1.0)), [flat(false)]);
    assert_eq!(faults(ColliderBuilder::cuboid(1.0, 0.01, 1.0)), []);
    assert_eq!(faults(ColliderBuilder::triangle(Vector::ZERO, Vector::X, Vector::Z)), []);
    assert_eq!(faults(ColliderBuilder::new(SharedShape::halfspace(Vector::Y))), []);
    let dynamic = |collider: ColliderBuilder| {
        let mut world = PhysicsWorld::new();
        world.insert(RigidBodyBuilder::dynamic(), collider);
        let findings = PersistentContacts::diagnose(&world.bodies, &world.colliders);
        findings.into_iter().map(|finding| finding.fault).collect::<Vec<_>>()
    };
    assert_eq!(dynamic(ColliderBuilder::triangle(Vector::ZERO, Vector::X, Vector::Z)), [flat(true)]);
    assert_eq!(dynamic(collider(closed(Vector::splat(1.0)), ONE_SIDED)), [flat(true)]);
    assert_eq!(
        dynamic(ColliderBuilder::cylinder(0.002, 0.5)),
        [Fault::NoThickness { thickness: 0.004, is_dynamic: true }]
    );
    assert_eq!(dynamic(ColliderBuilder::cylinder(0.003, 0.5)), []);
    assert_eq!(dynamic(ColliderBuilder::cuboid(Real::NAN, Real::NAN, Real::NAN)).len(), 1);
}

#[test]
fn a_wheel_at_the_cap_is_found_until_it_may_spin() {
    // Rapier's cap at 60 Hz is π/4 · 60 = 47.1 rad/s. A wheel of 0.2 m rolls at 9.4 m/s with that, so one that is thrown at
    // 20 m/s is braked to it.
    let mut world = level(ColliderBuilder::cuboid(200.0, 0.5, 10.0).translation(Vector::Y * -0.5).friction(1.0));
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(-100.0, 0.2, 0.0)).linvel(Vector::X * 20.0);
    let (body, _) = world.insert(body, ColliderBuilder::ball(0.2).friction(1.0));
    assert_eq!(Inspection::from(&world).diagnose(), []);
    let mut contacts = PersistentContacts::default();
    for _ in 0..60 {
        contacts.step(&mut world);
    }
    let findings = Inspection::from(&world).diagnose();
    let [Diagnosis { subject, fault: Fault::SpinCap { spin, cap, speed }, .. }] = findings[..] else {
        panic!("{findings:?}")
    };
    assert_eq!(subject, Subject::Body(body));
    let right = std::f64::consts::FRAC_PI_4 as Real * 60.0;
    assert!((cap - right).abs() < 1e-3 && (speed - 0.2 * right).abs() < 1e-3 && spin <= 1.001 * cap);
    let index = body.into_raw_parts().0;
    let call = format!("bodies[RigidBodyHandle::from_raw_parts({index}, 0)].set_allow_fast_rotation(true)");
    assert_eq!(findings[0].mend(), call);
    world.bodies[body].set_allow_fast_rotation(true);
    assert_eq!(Inspection::from(&world).diagnose(), []);
}

#[test]
fn a_motor_that_wants_more_than_the_cap_is_found() {
    let mut world = PhysicsWorld::new();
    let (chassis, _) = world.insert(RigidBodyBuilder::dynamic(), ColliderBuilder::cuboid(1.0, 0.2, 0.5));
    let wheel = RigidBodyBuilder::dynamic().translation(Vector::Z);
    let (wheel, _) = world.insert(wheel, ColliderBuilder::ball(0.3));
    let axle = |spin: Real| RevoluteJointBuilder::new(Vector::Z).local_anchor1(Vector::Z).motor_velocity(spin, 1.0);
    let joint = world.insert_impulse_joint(chassis, wheel, axle(-100.0));
    let findings = Inspection::from(&world).diagnose();
    // The chassis hangs on the same motor, but it is not round.
    assert!(
        matches!(findings[..], [Diagnosis { subject: Subject::Body(of), fault: Fault::SpinCap { spin: 100.0, .. }, .. }]
        if of == wheel)
    );
    world.impulse_joints.get_mut(joint, true).expect("the joint").data = axle(-40.0).build().into();
    assert_eq!(Inspection::from(&world).diagnose(), []);
}

#[test]
fn position_based_bodies_and_several_substeps_are_found() {
    let mut world = PhysicsWorld::new();
    let (body, _) = world.insert(RigidBodyBuilder::kinematic_position_based(), ColliderBuilder::cuboid(1.0, 0.1, 1.0));
    world.insert(RigidBodyBuilder::kinematic_velocity_based(), ColliderBuilder::cuboid(1.0, 0.1, 1.0));
    assert_eq!(Inspection::from(&world).diagnose(), []);
    world.integration_parameters.max_ccd_substeps = 4;
    let finding =
        Diagnosis { subject: Subject::Body(body), fault: Fault::KinematicSubsteps { substeps: 4 }, edges: Vec::new() };
    assert_eq!(Inspection::from(&world).diagnose(), [finding]);
    assert_eq!(PersistentContacts::diagnose(&world.bodies, &world.colliders), []);
}

#[test]
fn an_offset_door_turns_about_its_middle_until_it_is_mended() {
    // A door of 1 m on its hinge at the origin, at a quarter turn a second: after a second its body's origin is still there
    // if it turns about it. If it turns about the door's middle, 0.5 m off, the origin goes a quarter of a circle of 0.5 m,
    // and is 0.5·√2 = 0.707 m off.
    let origin_after = |is_mended: bool| {
        let mut world = PhysicsWorld::new();
        let quarter = std::f64::consts::FRAC_PI_2 as Real;
        let door = RigidBodyBuilder::kinematic_velocity_based().angvel(Vector::Y * quarter);
        let leaf = ColliderBuilder::cuboid(0.5, 1.0, 0.05).translation(Vector::X * 0.5);
        let (body, collider) = world.insert(door, leaf);
        if is_mended {
            world.colliders[collider].set_density(0.0);
            let at_origin = MassProperties::new(Vector::ZERO, 1.0, Vector::ONE);
            world.bodies[body].set_additional_mass_properties(at_origin, true);
        }
        let findings = PersistentContacts::diagnose(&world.bodies, &world.colliders);
        let mut contacts = PersistentContacts::default();
        (0..60).for_each(|_| {
            contacts.step(&mut world);
        });
        assert!((world.bodies[body].rotation().to_scaled_axis().y - quarter).abs() < 1e-3, "it turned");
        (findings, world.bodies[body].translation().length())
    };
    let (findings, off) = origin_after(false);
    assert!(
        matches!(findings[..], [Diagnosis { fault: Fault::OffsetCenter { offset }, .. }] if (offset - 0.5).abs() < 1e-5)
    );
    assert!((off - 0.707).abs() < 0.01, "{off}");
    let (findings, off) = origin_after(true);
    assert_eq!(findings, []);
    assert!(off < 1e-5, "{off}");
}

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

fn broken_levels() -> [Broken; 8] {
    let mut back_to_back = grid();
    back_to_back.indices.extend(grid().flipped().indices);
    let rounded = soup(&grid(), 16.0 * Real::EPSILON);
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
    ]
}

/// [`bump_at`] 10 m/s.
fn bump(world: PhysicsWorld, body: ColliderBuilder) -> (Real, Real) {
    bump_at(10.0, world, body)
}

/// How far a body that slides without friction for 2 s leaves its height \[m], and how much its speed changes \[m/s].
fn bump_at(speed: Real, mut world: PhysicsWorld, body: ColliderBuilder) -> (Real, Real) {
    let mover = RigidBodyBuilder::dynamic().translation(Vector::new(2.0, 0.2, 0.13)).linvel(Vector::X * speed);
    let (mover, _) = world.insert(mover.lock_rotations().can_sleep(false), body.friction(0.0));
    let mut contacts = PersistentContacts::default();
    let mut worst = (0.0, 0.0);
    for _ in 0..120 {
        contacts.step(&mut world);
        let body = &world.bodies[mover];
        let (height, along) = (body.translation().y, body.linvel().x);
        worst = (Real::max(worst.0, (height - 0.2).abs()), Real::max(worst.1, (along - speed).abs()));
    }
    worst
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
        let before = bodies.clone().map(|(_, body)| bump(ground(), body));
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
            let (hop, change) = bump(world, body);
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
fn round_bodies_do_not_bump_on_a_compound_that_was_mended() {
    // A row of flush cubes of 1 m, the top at y = 0: as flat as one cuboid.
    let row = || {
        let parts = (0..30).map(|x| (Pose::translation(x as Real, -0.5, 0.0), SharedShape::cuboid(0.5, 0.5, 2.0)));
        level(ColliderBuilder::compound(parts.collect()).friction(0.0))
    };
    let on_its_side = ColliderBuilder::cylinder(0.2, 0.2).rotation(Vector::X * std::f64::consts::FRAC_PI_2 as Real);
    for body in [ColliderBuilder::ball(0.2), ColliderBuilder::capsule_x(0.2, 0.2), on_its_side] {
        let mut mended = row();
        assert_eq!(prepare_level(&mut mended.colliders).len(), 1);
        let ((hop, _), (hop_after, change)) = (bump_at(5.0, row(), body.clone()), bump_at(5.0, mended, body));
        assert!(hop > 0.05, "it hops by {hop} m before");
        assert!(hop_after < 1e-3 && change < 5e-3, "hop {hop_after} m, speed off by {change} m/s");
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

#[test]
fn bad_meshes_do_no_harm() {
    let nan = Vector::splat(Real::NAN);
    let huge = Vector::splat(Real::MAX);
    for vertices in
        [[nan; 4], [Vector::ZERO; 4], [Vector::ZERO, Vector::X, Vector::Z, nan], [huge, -huge, Vector::X, Vector::Z]]
    {
        let mesh = Mesh { vertices: vertices.to_vec(), indices: vec![[0, 1, 2], [0, 2, 3], [3, 3, 3]] };
        for flags in [NONE, ONE_SIDED] {
            let mut world = level(collider(mesh.clone(), flags));
            assert!(!PersistentContacts::diagnose(&world.bodies, &world.colliders).is_empty());
            prepare_level(&mut world.colliders);
            PersistentContacts::diagnose(&world.bodies, &world.colliders);
            assert_eq!(prepare_level(&mut world.colliders), []);
        }
    }
}
