//! Why did my body stop? Asks the trace of the step that stopped it.
//!
//! A box slides at 40 m/s over a floor that ends in a wall; both are one mesh. The trace tells that the floor carries the box,
//! which face it was that stopped it, and at what angle to the floor.

use rapier3d::prelude::*;
use rapier3d_persistent_contacts::{HitTrace, PairTrace, PersistentContacts, Verdict};

/// A floor of 1 m cells along x that ends in a wall.
fn floor_and_wall(cells: u32) -> ColliderBuilder {
    let row = |x: Real, y: Real| [Vector::new(x, y, -5.0), Vector::new(x, y, 5.0)];
    let mut vertices: Vec<Vector> = (0..=cells).flat_map(|x| row(x as Real, 0.0)).collect();
    vertices.extend(row(cells as Real, 3.0));
    let triangles = (0..=cells).map(|cell| 2 * cell).flat_map(|a| [[a, a + 1, a + 3], [a, a + 3, a + 2]]).collect();
    ColliderBuilder::trimesh_with_flags(vertices, triangles, TriMeshFlags::FIX_INTERNAL_EDGES)
        .expect("the mesh has triangles")
        .friction(0.0)
}

fn main() {
    let mut world = PhysicsWorld::new();
    world.insert_collider(floor_and_wall(30), None);
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(2.0, 0.2, 0.13)).linvel(Vector::X * 40.0);
    let (body, _) = world.insert(body.lock_rotations(), ColliderBuilder::cuboid(0.2, 0.2, 0.2).friction(0.0));

    let mut contacts = PersistentContacts::default();
    contacts.set_tracing(true);
    for step in 1..=120 {
        contacts.step(&mut world);
        let Some(clamp) = contacts.last_step().clamps().iter().find(|clamp| clamp.body == body) else { continue };
        println!("step {step}: the body stopped at x = {:.3} m", world.bodies[body].translation().x);
        println!("  after {:.0} % of the step, at a face with normal {}", 100.0 * clamp.fraction, clamp.normal);
        for pair in contacts.trace().pairs.iter().filter(|pair| pair.body == body) {
            print_pair(pair);
        }
        return;
    }
    println!("the body never stopped");
}

fn print_pair(pair: &PairTrace) {
    println!("\n{} triangles were in its way, {} of them out of reach", pair.elements, pair.rejected);
    match &pair.verdict {
        None => println!("nothing was near enough to ask what carries the body"),
        Some(Verdict::Loose) => println!("the body did not ride on this collider"),
        Some(Verdict::Persistent { evidence, references }) => {
            for reference in references {
                println!("the body rides on a face with normal {} (shown by: {evidence:?})", reference.normal);
            }
        }
    }
    for HitTrace { element, shape, fraction, face_angle, outcome } in &pair.hits {
        let angle = face_angle.map_or("no angle".into(), |angle| format!("{:.0}°", angle.to_degrees()));
        println!(
            "triangle {element}: {shape:?} shape at {:.0} %, {angle} off the floor: {outcome:?}",
            100.0 * fraction
        );
    }
}
