//! A platform that starts suddenly: the ball on it is thrown by the law of restitution, the box on it is carried.
//!
//! The platform jumps from rest to 5 m/s. A ball of restitution `e` that rests on it must leave at `(1 + e) · 5` m/s. A
//! box without restitution must ride along.

use rapier3d::prelude::*;
use rapier3d_persistent_contacts::PersistentContacts;

/// \[m/s] The speed at which the platform starts.
const SPEED: Real = 5.0;

/// The step before which it starts, so that everything on it has come to rest.
const START: usize = 60;

/// \[m/s] The velocity of ball and box along y in the step in which the platform starts.
fn thrown(restitution: Real, mut step: impl FnMut(&mut PhysicsWorld)) -> (Real, Real) {
    let mut world = PhysicsWorld::new();
    let platform = RigidBodyBuilder::kinematic_velocity_based().translation(Vector::Y * -0.1);
    let (platform, _) = world.insert(platform, ColliderBuilder::cuboid(3.0, 0.1, 3.0).restitution(restitution));
    let mut resting = |x: Real, collider: ColliderBuilder| {
        let body = RigidBodyBuilder::dynamic().translation(Vector::new(x, 0.2, 0.0)).can_sleep(false);
        world.insert(body, collider).0
    };
    let ball = resting(-1.0, ColliderBuilder::ball(0.2).restitution(restitution));
    // The lower restitution of the two counts, so the box has none.
    let rule = CoefficientCombineRule::Min;
    let cuboid = resting(1.0, ColliderBuilder::cuboid(0.2, 0.2, 0.2).restitution_combine_rule(rule));
    for number in 0..=START {
        if number == START {
            world.bodies[platform].set_linvel(Vector::Y * SPEED, true);
        }
        step(&mut world);
    }
    (world.bodies[ball].linvel().y, world.bodies[cuboid].linvel().y)
}

fn main() {
    println!("a platform starts at {SPEED} m/s under a ball and a box\n");
    println!("{:>11} {:>12} {:>18} {:>18}", "restitution", "the law says", "ball, Rapier", "ball, this crate");
    for restitution in [0.0, 0.3, 0.5, 0.8, 1.0] {
        let (rapier, _) = thrown(restitution, PhysicsWorld::step);
        let mut contacts = PersistentContacts::default();
        let (ours, cuboid) = thrown(restitution, |world| {
            contacts.step(world);
        });
        let law = (1.0 + restitution) * SPEED;
        println!("{restitution:>11} {law:>12.2} {rapier:>18.2} {ours:>18.2}   box {cuboid:.2}");
    }
    println!("\nGravity has acted for one step on what was thrown: 0.16 m/s.");
}
