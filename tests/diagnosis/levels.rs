//! Ground in all conditions, and what is found in it.

use persistent_contacts_fixtures::random::Random;
use persistent_contacts_fixtures::terrain::{Grid, Mesh, Relief};
use rapier3d::parry::shape::Cuboid;
use rapier3d::prelude::*;
use rapier3d_persistent_contacts::{Fault, PersistentContacts, Subject};

pub const NONE: TriMeshFlags = TriMeshFlags::empty();
pub const ONE_SIDED: TriMeshFlags = TriMeshFlags::FIX_INTERNAL_EDGES;
pub const TWO_SIDED: TriMeshFlags = TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED;

/// Cells of the grid along x and z.
pub const CELLS: (usize, usize) = (30, 6);

/// Flat ground of irregular triangles that looks up; x from 0 to 30, z from -3 to 3.
pub fn grid() -> Mesh {
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
pub fn soup(mesh: &Mesh, off: Real) -> Mesh {
    let mut random = Random::new(5);
    let corners = mesh.indices.iter().flatten().map(|corner| mesh.vertices[*corner as usize]);
    let vertices: Vec<_> = corners.map(|at| at + Vector::new(random.signed() as Real, 0.0, 0.0) * off).collect();
    let indices = (0..mesh.indices.len() as u32).map(|triangle| [3 * triangle, 3 * triangle + 1, 3 * triangle + 2]);
    Mesh { indices: indices.collect(), vertices }
}

/// Turns every third triangle round.
pub fn every_third_turned(mut mesh: Mesh) -> Mesh {
    mesh.indices.iter_mut().step_by(3).for_each(|triangle| triangle.swap(0, 1));
    mesh
}

pub fn closed(half: Vector) -> Mesh {
    let (vertices, indices) = Cuboid::new(half).to_trimesh();
    Mesh { vertices, indices }
}

pub fn collider(mesh: Mesh, flags: TriMeshFlags) -> ColliderBuilder {
    ColliderBuilder::trimesh_with_flags(mesh.vertices, mesh.indices, flags).expect("the mesh has triangles")
}

/// A world with one collider that stands still.
pub fn level(collider: impl Into<Collider>) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.insert_collider(collider, None);
    world
}

/// What is found in a world with one collider that stands still; all of it is about that.
pub fn faults(collider: impl Into<Collider>) -> Vec<Fault> {
    let world = level(collider);
    let findings = PersistentContacts::diagnose(&world.bodies, &world.colliders);
    let handle = world.colliders.iter().next().expect("the collider").0;
    assert!(findings.iter().all(|finding| finding.subject == Subject::Collider(handle)));
    findings.iter().map(|finding| finding.fault).collect()
}

/// How many edges of a grid lie between two triangles: a diagonal a cell, and the sides between two cells.
pub const fn inner_edges() -> usize {
    let (x, z) = CELLS;
    x * z + (x - 1) * z + x * (z - 1)
}
