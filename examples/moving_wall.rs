//! What moving walls still let through: a limit of this version, in figures.
//!
//! A body stops at a moving wall at the time of impact, but the wall moves on, and may be past the body before the solver
//! answers. A wall that meets a slow body is not swept against it at all.

use rapier3d::prelude::*;
use rapier3d_persistent_contacts::PersistentContacts;

/// \[m/s] The ball's velocity along x, and the wall's.
const CASES: [(Real, Real); 5] = [(-30.0, 2.0), (-30.0, 20.0), (-100.0, 5.0), (0.0, 5.0), (0.0, 20.0)];

const OFFSETS: u32 = 200;

#[derive(Copy, Clone, PartialEq)]
enum Engine {
    Rapier,
    Bullet,
    PersistentContacts,
}

/// Does a ball of 0.1 m get past a kinematic wall of 0.1 m?
fn passes(engine: Engine, (ball_speed, wall_speed): (Real, Real), offset: u32) -> bool {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::ZERO;
    let wall = RigidBodyBuilder::kinematic_velocity_based().linvel(Vector::X * wall_speed);
    let (wall, _) = world.insert(wall, ColliderBuilder::cuboid(0.05, 20.0, 20.0));
    let place = Vector::X * (4.0 + 0.01 * offset as Real);
    let ball = RigidBodyBuilder::dynamic().translation(place).linvel(Vector::X * ball_speed).can_sleep(false);
    let ball = ball.ccd_enabled(engine == Engine::Bullet);
    let (ball, _) = world.insert(ball, ColliderBuilder::ball(0.1).restitution(1.0));
    let mut contacts = PersistentContacts::default();
    (0..90).any(|_| {
        if engine == Engine::PersistentContacts {
            contacts.step(&mut world);
        } else {
            world.step();
        }
        world.bodies[wall].translation().x > world.bodies[ball].translation().x
    })
}

fn main() {
    println!("balls of {OFFSETS} that get past a moving wall\n");
    println!("{:>9} {:>9} {:>8} {:>12} {:>20}", "ball m/s", "wall m/s", "Rapier", "ccd_enabled", "persistent contacts");
    for case in CASES {
        let count = |engine| (0..OFFSETS).filter(|offset| passes(engine, case, *offset)).count();
        let [rapier, bullet, ours] = [Engine::Rapier, Engine::Bullet, Engine::PersistentContacts].map(count);
        println!("{:>9} {:>9} {rapier:>8} {bullet:>12} {ours:>20}", case.0, case.1);
    }
}
