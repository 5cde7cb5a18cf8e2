//! Twenty lines to use the crate: a box slides over a mesh, and every step is a whole one.

use rapier3d::parry::utils::Array2;
use rapier3d::prelude::*;
use rapier3d_persistent_contacts::PersistentContacts;

fn main() {
    // Flat ground as a mesh of 1 m cells, and a box that slides over it without friction.
    let mut world = PhysicsWorld::new();
    let flat = HeightField::new(Array2::repeat(41, 401, 0.0), Vector::new(400.0, 1.0, 40.0));
    let (vertices, triangles) = flat.to_trimesh();
    let ground = ColliderBuilder::trimesh_with_flags(vertices, triangles, TriMeshFlags::FIX_INTERNAL_EDGES);
    world.insert_collider(ground.expect("the ground has triangles").friction(0.0), None);
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(-150.0, 0.2, 0.13)).linvel(Vector::X * 33.0);
    let (body, _) = world.insert(body.lock_rotations(), ColliderBuilder::cuboid(0.2, 0.2, 0.2).friction(0.0));

    let mut contacts = PersistentContacts::default();
    for step in 1..=300 {
        contacts.step(&mut world); // was: world.step();
        if step % 60 == 0 {
            println!("after {} s it has come {:.2} m", step / 60, world.bodies[body].translation().x + 150.0);
        }
    }
}
