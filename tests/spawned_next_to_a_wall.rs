//! A body's first step: it joins the awake bodies inside the engine step, so its start has to be told from what the step
//! left behind. Here the engine sees the wall coming in that very step, and brakes.

use rapier3d::prelude::*;
use rapier3d_persistent_contacts::PersistentContacts;

/// A bullet that appears in front of a thin wall, at any distance that one step covers, does not pass it.
#[test]
fn a_bullet_does_not_pass_in_its_first_step() {
    let shapes = [SharedShape::ball(0.05), SharedShape::cuboid(0.05, 0.1, 0.02), SharedShape::capsule_x(0.1, 0.03)];
    for shape in shapes {
        for step in 1..60 {
            let distance = 0.12 + 0.05 * step as Real;
            let mut world = PhysicsWorld::new();
            world.gravity = Vector::ZERO;
            let corners = [(-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-2.0, 2.0)];
            let corners = corners.map(|(y, z)| Vector::new(0.0, y, z)).to_vec();
            let wall = ColliderBuilder::trimesh(corners, vec![[0, 1, 2], [0, 2, 3]]).expect("a quad is a mesh");
            world.insert_collider(wall, None);
            let body = RigidBodyBuilder::dynamic()
                .translation(Vector::new(-distance, 0.3, 0.2))
                .linvel(Vector::new(200.0, 0.0, 0.0))
                .angvel(Vector::new(3.0, 5.0, 7.0));
            let (bullet, _) = world.insert(body, ColliderBuilder::new(shape.clone()));
            let mut contacts = PersistentContacts::default();
            for _ in 0..5 {
                contacts.step(&mut world);
                let x = world.bodies[bullet].translation().x;
                assert!(x < 0.0, "from {distance} m the bullet came to {x} m");
            }
        }
    }
}

/// A sleeping bullet that the game wakes with a push is swept in the step that it wakes in.
#[test]
fn a_woken_bullet_does_not_pass() {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::ZERO;
    world.insert_collider(ColliderBuilder::cuboid(0.01, 2.0, 2.0), None);
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(-1.0, 0.0, 0.0)).sleeping(true);
    let (bullet, _) = world.insert(body, ColliderBuilder::ball(0.05));
    let mut contacts = PersistentContacts::default();
    for _ in 0..3 {
        contacts.step(&mut world);
    }
    assert!(world.bodies[bullet].is_sleeping());
    world.bodies[bullet].set_linvel(Vector::new(150.0, 0.0, 0.0), true);
    contacts.step(&mut world);
    assert!(world.bodies[bullet].translation().x < 0.0);
}

/// A thin plate that appears at rest on its ground is not reckoned to have been under it, whatever the time step.
#[test]
fn a_thin_plate_that_appears_on_its_ground_stays_on_it() {
    for hz in [24.0, 30.0, 60.0] {
        for speed in [5.0, 30.0, 75.0] {
            for half in [0.002, 0.004] {
                let mut world = PhysicsWorld::new();
                world.integration_parameters.dt = 1.0 / hz;
                let corners = [(-60.0, -60.0), (-60.0, 60.0), (60.0, 60.0), (60.0, -60.0)];
                let corners = corners.map(|(x, z)| Vector::new(x, 0.0, z)).to_vec();
                let ground = ColliderBuilder::trimesh(corners, vec![[0, 1, 2], [0, 2, 3]]).expect("a quad is a mesh");
                world.insert_collider(ground.friction(0.0), None);
                let body =
                    RigidBodyBuilder::dynamic().translation(Vector::new(-20.0, half, 0.3)).linvel(Vector::X * speed);
                let (plate, _) = world.insert(body, ColliderBuilder::cuboid(0.05, half, 0.05).friction(0.0));
                let mut contacts = PersistentContacts::default();
                for _ in 0..15 {
                    contacts.step(&mut world);
                }
                let y = world.bodies[plate].translation().y;
                assert!(y > 0.0, "{hz} Hz, {speed} m/s, half height {half} m: at {y} m");
            }
        }
    }
}
