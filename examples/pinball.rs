//! Pinball: a ball of 27 mm, bumpers, and two flippers that swing by a right angle's half in 32 ms, at 60 steps a second.
//!
//! A flipper is a kinematic body that is given its next pose before each step. Its tip moves by four times its thickness in a
//! step. The ball is met where the two really are at the same time, and takes the flipper's velocity there.

use rapier3d::prelude::*;
use rapier3d_persistent_contacts::PersistentContacts;

/// \[m] The ball.
const RADIUS: Real = 0.0135;

/// \[m] Half of the table's width, and of its length.
const TABLE: (Real, Real) = (0.25, 0.5);

/// \[m] The flippers: their length, and how far their hinges are from the middle.
const FLIPPER: (Real, Real) = (0.095, 0.12);

/// \[rad] Where a flipper rests and where it stops, seen from the hinge; \[rad/s] how fast it turns.
const SWING: (Real, Real, Real) = (-0.45, 0.5, 30.0);

const DT: Real = 1.0 / 60.0;

/// A flipper: 1 for the left one, which turns to the left, −1 for the right one, and its angle.
struct Flipper {
    body: RigidBodyHandle,
    side: Real,
    angle: Real,
}

impl Flipper {
    fn pose(side: Real, angle: Real) -> Pose {
        // The right one is the left one seen in a mirror: its arm points to −x.
        let turn = if side > 0.0 { angle } else { std::f64::consts::PI as Real - angle };
        Pose::from_parts(Vector::new(-side * FLIPPER.1, 0.1, 0.0), Rotation::from_rotation_z(turn))
    }

    /// Strikes as long as the ball is above it and near.
    fn play(&mut self, world: &mut PhysicsWorld, ball: Vector) {
        let near = ball.y < 0.17 && ball.x * -self.side > -0.01;
        let aim = if near { SWING.1 } else { SWING.0 };
        self.angle += (aim - self.angle).clamp(-SWING.2 * DT, SWING.2 * DT);
        world.bodies[self.body].set_next_kinematic_position(Self::pose(self.side, self.angle));
    }
}

fn table(world: &mut PhysicsWorld) -> (RigidBodyHandle, [Flipper; 2]) {
    // The table is in the plane z = 0, inclined by 6.5 degrees.
    world.gravity = Vector::Y * (-9.81 * Real::to_radians(6.5).sin());
    let (width, length) = TABLE;
    let mut fixed = |x: Real, y: Real, collider: ColliderBuilder| {
        world.insert_collider(collider.translation(Vector::new(x, y, 0.0)).friction(0.0), None);
    };
    for side in [-1.0, 1.0] {
        fixed(side * (width + 0.02), length, ColliderBuilder::cuboid(0.02, length, 0.1).restitution(0.6));
        let lane = ColliderBuilder::cuboid(0.09, 0.005, 0.1).rotation(Vector::Z * (side * 0.6));
        fixed(side * 0.19, 0.15, lane.restitution(0.3));
    }
    fixed(0.0, 2.0 * length + 0.02, ColliderBuilder::cuboid(width, 0.02, 0.1).restitution(0.6));
    for (x, y) in [(0.0, 0.75), (-0.1, 0.6), (0.1, 0.6)] {
        fixed(x, y, ColliderBuilder::ball(0.03).restitution(1.0).restitution_combine_rule(CoefficientCombineRule::Max));
    }
    let flippers = [1.0, -1.0].map(|side| {
        let body = RigidBodyBuilder::kinematic_position_based().pose(Flipper::pose(side, SWING.0));
        let arm = ColliderBuilder::cuboid(0.5 * FLIPPER.0, 0.006, 0.05).translation(Vector::X * (0.5 * FLIPPER.0));
        let (body, _) = world.insert(body, arm.restitution(0.7).friction(0.0));
        Flipper { body, side, angle: SWING.0 }
    });
    let ball = RigidBodyBuilder::dynamic().translation(Vector::new(0.03, 0.95, 0.0)).can_sleep(false);
    let (ball, _) = world.insert(ball, ColliderBuilder::ball(RADIUS).restitution(0.7).friction(0.0));
    (ball, flippers)
}

fn main() {
    let mut world = PhysicsWorld::new();
    let (ball, mut flippers) = table(&mut world);
    let mut contacts = PersistentContacts::default();
    println!("{:>7} {:>20} {:>8} {:>15}", "t [s]", "place [m]", "hits at", "leaves at [m/s]");
    for step in 1..=1200 {
        let place = world.bodies[ball].translation();
        for flipper in &mut flippers {
            flipper.play(&mut world, place);
        }
        for impact in contacts.step(&mut world).impacts() {
            let is_round = world.colliders[impact.target].shape().as_ball().is_some();
            let what = if impact.surface.is_some() {
                "flipper"
            } else if is_round {
                "bumper"
            } else {
                "rail"
            };
            let speed = world.bodies[ball].linvel().length();
            let time = (step - 1) as Real * DT + impact.time;
            let (x, y) = (impact.point.x, impact.point.y);
            println!("{time:>7.3} {x:>10.3} {y:>9.3} {:>8.2} {speed:>15.2}  {what}", impact.approach_speed);
        }
        if world.bodies[ball].translation().y < 0.0 {
            println!("lost after {:.2} s", step as Real * DT);
            return;
        }
    }
    println!("still in play after 20 s");
}
