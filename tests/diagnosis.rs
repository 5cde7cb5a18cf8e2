//! The diagnosis of levels: each fault is found, once, and nothing else; what `prepare_level` mends stays mended, and a body
//! slides over it as if it had never been broken.

#[path = "diagnosis/bodies.rs"]
mod bodies;
#[path = "diagnosis/levels.rs"]
mod levels;
#[path = "diagnosis/mending.rs"]
mod mending;

use levels::{CELLS, NONE, ONE_SIDED, TWO_SIDED, closed, collider, faults, grid, inner_edges, level, soup};
use persistent_contacts_fixtures::terrain::Mesh;
use rapier3d::parry::shape::{CompoundFlags, HeightFieldFlags, Tetrahedron};
use rapier3d::parry::utils::Array2;
use rapier3d::prelude::*;
use rapier3d_persistent_contacts::{
    Diagnosis, Facing, Fault, Inspection, PersistentContacts, SurfaceKind, prepare_level,
};

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
        let text = findings[0].to_string();
        assert!(text.contains("bumps") && text.contains("TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED"), "{text}");
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
fn a_tunnel_is_no_ground_that_looks_down() {
    // Floor, walls, and a ceiling that is wider than the floor, open at both ends, looking inwards and outwards.
    let rim = [(-2.0, 0.0), (2.0, 0.0), (3.0, 3.0), (-3.0, 3.0)];
    let vertices = [0.0, 10.0].into_iter().flat_map(|x| rim.map(|(z, y)| Vector::new(x, y, z))).collect();
    let side = |from: u32| {
        let to = (from + 1) % 4;
        [[from, to, to + 4], [from, to + 4, from + 4]]
    };
    let tunnel = Mesh { vertices, indices: (0..4).flat_map(side).collect() };
    for mesh in [tunnel.clone(), tunnel.flipped()] {
        assert_eq!(faults(collider(mesh, ONE_SIDED)), []);
    }
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
