//! The same inputs give the same bits: from run to run, whatever order the candidates were inserted in, with the trace on or
//! off, and with a new step object in every step, since it remembers nothing.

use rapier3d::prelude::*;
use rapier3d_persistent_contacts::{PersistentContacts, PieceGroup};

/// The bits of the poses and velocities of all bodies.
fn state_hash(world: &PhysicsWorld) -> u64 {
    world.bodies.iter().fold(0xcbf2_9ce4_8422_2325, |hash, (_, body)| {
        let (translation, rotation) = (body.translation().to_array(), body.rotation().to_array());
        let (linvel, angvel) = (body.linvel().to_array(), body.angvel().to_array());
        let values = translation.iter().chain(&rotation).chain(&linvel).chain(&angvel);
        values.fold(hash, |hash: u64, value| (hash ^ u64::from(value.to_bits())).wrapping_mul(0x0100_0000_01b3))
    })
}

/// Boxes, balls and a jointed pair thrown over a mesh with hills and walls in it.
fn scene() -> (PhysicsWorld, PersistentContacts) {
    let mut world = PhysicsWorld::new();
    let mut contacts = PersistentContacts::default();
    let fixed = world.insert_body(RigidBodyBuilder::fixed());
    let (cells, cell) = (60_u32, 1.3);
    let mut vertices = Vec::new();
    for i in 0..=cells {
        for k in 0..=cells {
            let (x, z) = ((i as Real - 30.0) * cell, (k as Real - 30.0) * cell);
            vertices.push(Vector::new(x, 0.2 * ((i * 7 + k * 3) % 11) as Real / 11.0, z));
        }
    }
    let mut indices = Vec::new();
    for i in 0..cells {
        for k in 0..cells {
            let a = i * (cells + 1) + k;
            indices.extend([[a, a + 1, a + cells + 2], [a, a + cells + 2, a + cells + 1]]);
        }
    }
    let ground = ColliderBuilder::trimesh_with_flags(vertices, indices, TriMeshFlags::FIX_INTERNAL_EDGES);
    let ground = world.insert_collider(ground.expect("it has triangles"), Some(fixed));
    contacts.groups_mut().insert(ground, PieceGroup::new(1));
    for side in [-1.0, 1.0] {
        let wall = ColliderBuilder::cuboid(0.1, 3.0, 38.0).translation(Vector::X * 20.0 * side);
        world.insert_collider(wall, Some(fixed));
    }
    let mut last = None;
    for index in 0..24 {
        let turn = index as Real;
        let shape = match index % 3 {
            0 => SharedShape::ball(0.3),
            1 => SharedShape::cuboid(0.3, 0.2, 0.4),
            _ => SharedShape::cylinder(0.2, 0.3),
        };
        let body = RigidBodyBuilder::dynamic()
            .translation(Vector::new(-12.0 + turn, 1.0 + 0.1 * turn, -10.0 + 0.9 * turn))
            .linvel(Vector::new(40.0 * (turn * 0.7).sin(), -5.0, 40.0 * (turn * 1.3).cos()))
            .angvel(Vector::new(turn, 3.0, -turn));
        let (body, _) = world.insert(body, ColliderBuilder::new(shape));
        if index % 6 == 1
            && let Some(last) = last
        {
            let joint = SphericalJointBuilder::new().local_anchor1(Vector::Y * 0.5).local_anchor2(Vector::Y * -0.5);
            world.insert_impulse_joint(last, body, joint);
        }
        last = Some(body);
    }
    (world, contacts)
}

fn run(steps: u32, mut step: impl FnMut(&mut PersistentContacts, &mut PhysicsWorld)) -> u64 {
    let (mut world, mut contacts) = scene();
    for _ in 0..steps {
        step(&mut contacts, &mut world);
    }
    state_hash(&world)
}

#[test]
fn two_runs_give_the_same_bits() {
    let plain = |contacts: &mut PersistentContacts, world: &mut PhysicsWorld| drop(contacts.step(world).clone());
    assert_eq!(run(120, plain), run(120, plain));
}

#[test]
fn the_scene_is_worth_its_name() {
    let (mut stops, mut glances) = (0, 0);
    run(120, |contacts, world| {
        let report = contacts.step(world);
        stops += report.clamps().len();
        glances += report.glances().len();
    });
    assert!(stops > 10 && glances > 10, "{stops} stops and {glances} glances");
}

#[test]
fn the_trace_changes_nothing() {
    let traced = run(120, |contacts, world| {
        contacts.set_tracing(true);
        contacts.step(world);
    });
    assert_eq!(traced, run(120, |contacts, world| drop(contacts.step(world).clone())));
}

#[test]
fn nothing_is_remembered_from_step_to_step() {
    // The pieces of the ground belong to one collider only, so the groups are of no consequence here.
    let forgetful = run(120, |_, world| drop(PersistentContacts::default().step(world).clone()));
    assert_eq!(forgetful, run(120, |contacts, world| drop(contacts.step(world).clone())));
}

/// Walls that a bullet may hit, inserted in any order, stop it at the same place.
#[test]
fn the_order_of_insertion_is_of_no_consequence() {
    let walls: Vec<_> = (0..9).map(|i| (5.0 + 0.01 * ((i * 5) % 9) as Real, 0.3 * (i as Real - 4.0))).collect();
    let end = |order: &[usize]| {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::ZERO;
        let body = RigidBodyBuilder::dynamic().linvel(Vector::new(250.0, 3.0, 1.0)).angvel(Vector::new(9.0, 5.0, 1.0));
        let (bullet, _) = world.insert(body, ColliderBuilder::cuboid(0.3, 0.02, 0.1));
        for index in order {
            let (x, z) = walls[*index];
            world.insert_collider(ColliderBuilder::cuboid(0.01, 1.0, 0.15).translation(Vector::new(x, 0.0, z)), None);
        }
        let mut contacts = PersistentContacts::default();
        contacts.step(&mut world);
        contacts.step(&mut world);
        assert!(world.bodies[bullet].translation().x < 5.1);
        state_hash(&world)
    };
    let forwards: Vec<_> = (0..9).collect();
    let backwards: Vec<_> = (0..9).rev().collect();
    let mixed = [3, 8, 0, 5, 1, 7, 2, 6, 4];
    assert_eq!(end(&forwards), end(&backwards));
    assert_eq!(end(&forwards), end(&mixed));
}
