//! What a step costs with each engine, on scenes with many bodies.

use crate::check::median;
use crate::engine::{Engine, Stepper};
use crate::shape::wheel;
use crate::terrain::{Grid, Relief};
use rapier3d::prelude::*;
use rapier3d_persistent_contacts::Settings;
use serde::Serialize;
use std::time::Instant;

mod first_step;

pub use first_step::{FIRST_STEP, FIRST_STEP_BAR, FirstStep};

/// Cells of the ground along x and z, 1 m each: 120 000 triangles.
const CELLS: (usize, usize) = (600, 100);

/// Steps before the clock starts: the first contacts, allocations and caches.
const WARM_UP: usize = 20;

/// \[length] Half of the extent of every body.
const HALF: Real = 0.2;

/// A scene of the benchmark.
#[derive(Copy, Clone, Debug)]
pub struct BenchScene {
    /// Its name.
    pub name: &'static str,
    /// The highest ratio of the library's time to the time with CCD off that is accepted.
    pub bar: f64,
    ground: BenchGround,
    shape: BenchShape,
    speed: Real,
    sleeping: bool,
    /// The bodies bounce: they fall from one to three metres.
    restitution: Real,
}

/// What the bodies are on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum BenchGround {
    /// One mesh.
    Mesh,
    /// A field of box tiles of 1 m. With CCD off the solver bumps at their seams, so its answer is never right there, but
    /// its time is still what ours is held to.
    Tiles,
}

#[derive(Copy, Clone, Debug)]
enum BenchShape {
    Ball,
    Cuboid,
    Wheel,
}

/// Every scene.
pub const SCENES: [BenchScene; 8] = [
    BenchScene {
        name: "1000 balls at 20 m/s",
        bar: 1.4,
        ground: BenchGround::Mesh,
        shape: BenchShape::Ball,
        speed: 20.0,
        sleeping: false,
        restitution: 0.0,
    },
    BenchScene {
        name: "1000 cuboids at 20 m/s",
        bar: 1.3,
        ground: BenchGround::Mesh,
        shape: BenchShape::Cuboid,
        speed: 20.0,
        sleeping: false,
        restitution: 0.0,
    },
    BenchScene {
        name: "1000 hull wheels at 20 m/s",
        bar: 1.4,
        ground: BenchGround::Mesh,
        shape: BenchShape::Wheel,
        speed: 20.0,
        sleeping: false,
        restitution: 0.0,
    },
    BenchScene {
        name: "1000 balls at 2 m/s",
        bar: 1.05,
        ground: BenchGround::Mesh,
        shape: BenchShape::Ball,
        speed: 2.0,
        sleeping: false,
        restitution: 0.0,
    },
    BenchScene {
        name: "10 000 sleeping bodies",
        bar: 1.02,
        ground: BenchGround::Mesh,
        shape: BenchShape::Cuboid,
        speed: 20.0,
        sleeping: true,
        restitution: 0.0,
    },
    BenchScene {
        name: "1000 balls bouncing",
        bar: 1.25,
        ground: BenchGround::Mesh,
        shape: BenchShape::Ball,
        speed: 0.0,
        sleeping: false,
        restitution: 0.8,
    },
    BenchScene {
        name: "1000 boxes at rest on tiles",
        bar: 1.1,
        ground: BenchGround::Tiles,
        shape: BenchShape::Cuboid,
        speed: 0.0,
        sleeping: false,
        restitution: 0.0,
    },
    BenchScene {
        name: "1000 boxes at 5 m/s on tiles",
        bar: 1.25,
        ground: BenchGround::Tiles,
        shape: BenchShape::Cuboid,
        speed: 5.0,
        sleeping: false,
        restitution: 0.0,
    },
];

/// How long to measure.
#[derive(Copy, Clone, Debug)]
pub struct Effort {
    /// How often each engine is run, by turns.
    pub rounds: usize,
    /// How many steps are timed in each run; at most 170, so that the bodies stay on the ground.
    pub steps: usize,
}

/// The result of a scene.
#[derive(Clone, Debug, Serialize)]
pub struct Measurement {
    /// The scene's name.
    pub scene: &'static str,
    /// The highest accepted ratio.
    pub bar: f64,
    /// The engine `off` is known to answer wrongly, and its time counts all the same.
    pub is_off_wrong: bool,
    /// The engines, `off` first.
    pub engines: Vec<EngineTime>,
}

/// The time of one engine.
#[derive(Clone, Debug, Serialize)]
pub struct EngineTime {
    /// The engine.
    pub engine: Engine,
    /// \[ms] A step in each round.
    pub milliseconds: Vec<f64>,
    /// The median of the rounds' ratios to the engine `off`.
    pub ratio: f64,
    /// What is wrong with the scene's answer. A timing with a wrong answer does not count.
    pub wrong: Option<String>,
}

impl EngineTime {
    /// \[ms] A step, median over the rounds.
    pub fn typical(&self) -> f64 {
        median(self.milliseconds.clone())
    }
}

impl Measurement {
    /// Is the library's answer right, and its time within the bar?
    pub fn is_passed(&self) -> bool {
        let mut ours = self.engines.iter().filter(|time| time.engine.model() == Engine::Persistent);
        let off = self.engines.iter().find(|time| time.engine == Engine::Off);
        // A ratio to a run that went wrong says nothing.
        let is_right = off.is_some_and(|off| off.wrong.is_none()) || self.is_off_wrong;
        is_right && ours.all(|time| time.wrong.is_none() && time.ratio <= self.bar)
    }
}

/// The ground of all scenes; it takes long to prepare, and is shared.
pub struct Ground(SharedShape);

impl Ground {
    /// Prepares the mesh.
    ///
    /// # Errors
    /// Parry refuses it.
    pub fn new() -> Result<Self, TriMeshBuilderError> {
        let (cells_x, cells_z) = CELLS;
        let grid =
            Grid { cells_x, cells_z, cell: 1.0, relief: Relief::Flat, jitter: 0.0, random_diagonals: false, seed: 1 };
        let mesh = grid.mesh();
        let shape = SharedShape::trimesh_with_flags(mesh.vertices, mesh.indices, TriMeshFlags::FIX_INTERNAL_EDGES)?;
        Ok(Self(shape))
    }
}

impl BenchScene {
    /// What a scene makes of the effort that is asked for: steps in which nearly all bodies sleep are too short for the
    /// clock, so there are ten times as many of them, in three times as many rounds.
    pub fn effort(&self, asked: Effort) -> Effort {
        let Effort { rounds, steps } = asked;
        if self.sleeping { Effort { rounds: rounds * 3, steps: steps * 10 } } else { asked }
    }

    /// Measures the scene: the engines take turns, so that whatever else the machine does hits all alike.
    pub fn measure(&self, ground: &Ground, effort: Effort, after_run: &dyn Fn()) -> Measurement {
        let mut engines: Vec<EngineTime> = Engine::ALL
            .iter()
            .map(|&engine| EngineTime { engine, milliseconds: Vec::new(), ratio: f64::NAN, wrong: None })
            .collect();
        let Effort { rounds, steps } = self.effort(effort);
        for _ in 0..rounds {
            for time in &mut engines {
                let (milliseconds, wrong) = self.run(ground, time.engine, steps);
                time.milliseconds.push(milliseconds);
                time.wrong = time.wrong.take().or(wrong);
                after_run();
            }
        }
        let off = engines[0].milliseconds.clone();
        for time in &mut engines {
            time.ratio = median(time.milliseconds.iter().zip(&off).map(|(own, off)| own / off).collect());
        }
        Measurement { scene: self.name, bar: self.bar, is_off_wrong: self.ground == BenchGround::Tiles, engines }
    }

    /// One run in a world of its own: \[ms] a step, and what is wrong with the answer.
    fn run(&self, ground: &Ground, engine: Engine, steps: usize) -> (f64, Option<String>) {
        let mut world = PhysicsWorld::default();
        self.lay(ground, &mut world);
        let crowd = self.crowd(&mut world);
        // The defaults are valid, as the library's own tests show.
        let Ok(mut stepper) = Stepper::new(engine, Settings::default(), &mut world) else {
            return (f64::NAN, Some("the library refuses its own settings".into()));
        };
        for step in 0..WARM_UP {
            // Put to sleep once their contacts are known: a body that is asleep when it is inserted is woken by its
            // first contact, and would then be awake while the clock runs.
            if step == WARM_UP / 2 {
                send_to_sleep(&mut world, &crowd);
            }
            stepper.step(&mut world, &(), &());
        }
        let woken = crowd.iter().filter(|member| member.is_awake_sleeper(&world)).count();
        if woken > 0 {
            return (f64::NAN, Some(format!("{woken} bodies do not fall asleep")));
        }
        let clock = Instant::now();
        for _ in 0..steps {
            stepper.step(&mut world, &(), &());
        }
        let seconds = clock.elapsed().as_secs_f64();
        let wrong = crowd.iter().find_map(|member| self.fault_of(&world, member, WARM_UP + steps));
        (seconds * 1000.0 / steps as f64, wrong)
    }

    /// Lays the ground.
    fn lay(&self, ground: &Ground, world: &mut PhysicsWorld) {
        match self.ground {
            BenchGround::Mesh => {
                let ground = ColliderBuilder::new(ground.0.clone()).friction(0.0).restitution(self.restitution);
                world.insert(RigidBodyBuilder::fixed(), ground);
            }
            BenchGround::Tiles => lay_tiles(world),
        }
    }

    /// The bodies, in rows along x that all move the same way, so that none meets another.
    fn crowd(&self, world: &mut PhysicsWorld) -> Vec<Member> {
        let (along, across) = if self.sleeping { (100, 100) } else { (50, 20) };
        let reach = if self.ground == BenchGround::Tiles { 80.0 } else { 490.0 };
        let mut crowd = Vec::with_capacity(along * across + 1);
        for i in 0..along {
            for j in 0..across {
                let x = 5.13 + reach * i as Real / along as Real;
                let z = 96.0 * ((j as Real + 0.5) / across as Real - 0.5) + 0.07;
                crowd.push(self.member(world, (x, z), (self.shape, if self.sleeping { 0.0 } else { self.speed })));
            }
        }
        if self.sleeping {
            // Beside the others: the step has something to do, and must not look at those that sleep.
            crowd.push(self.member(world, (5.13, 49.5), (BenchShape::Ball, self.speed)));
        }
        crowd
    }

    fn member(&self, world: &mut PhysicsWorld, (x, z): (Real, Real), (shape, speed): (BenchShape, Real)) -> Member {
        // Heights that no two rows share, so that the bounces are spread over the steps.
        let drop = if self.restitution > 0.0 { 1.0 + 2.0 * (0.618 * (x + 0.37 * z)).rem_euclid(1.0) } else { 0.0 };
        let start = Vector::new(x, HALF + drop, z);
        let body = RigidBodyBuilder::dynamic().translation(start).linvel(Vector::X * speed).can_sleep(self.sleeping);
        let shape = match shape {
            BenchShape::Ball => Some(SharedShape::ball(HALF)),
            BenchShape::Cuboid => Some(SharedShape::cuboid(HALF, HALF, HALF)),
            BenchShape::Wheel => SharedShape::convex_hull(&wheel(32, HALF, HALF)),
        };
        let shape = shape.unwrap_or_else(|| SharedShape::ball(HALF));
        let (handle, _) = world.insert(body, ColliderBuilder::new(shape).friction(0.0).restitution(self.restitution));
        Member { handle, start, speed, sleeps: self.sleeping && speed == 0.0 }
    }

    /// What is wrong with a body after the last step: it fell, lost speed or way, or woke up.
    fn fault_of(&self, world: &PhysicsWorld, member: &Member, steps: usize) -> Option<String> {
        let body = world.bodies.get(member.handle)?;
        let place = body.translation();
        let way = member.speed * steps as Real * world.integration_parameters.dt;
        let (advance, speed) = (place.x - member.start.x, body.linvel().x);
        let bounces = self.restitution > 0.0;
        if bounces && (place.y < 0.5 * HALF || place.y > member.start.y) {
            Some(format!("a ball that fell from {:.3} m is at {:.3} m", member.start.y, place.y))
        } else if !bounces && (place.y - HALF).abs() > 0.05 {
            Some(format!("a body is at height {:.3} m instead of {HALF}", place.y))
        } else if speed < 0.99 * member.speed - 1.0e-3 && !bounces {
            Some(format!("a body has {speed:.2} m/s left of {}", member.speed))
        } else if advance < 0.99 * way - 1.0e-3 {
            Some(format!("a body came {advance:.1} m far instead of {way:.1}"))
        } else if member.is_awake_sleeper(world) {
            Some("a sleeping body woke up".into())
        } else {
            None
        }
    }
}

/// Lays a field of 100 × 100 tiles, a collider each.
fn lay_tiles(world: &mut PhysicsWorld) {
    for i in 0..100 {
        for j in 0..100 {
            let place = Vector::new(i as Real + 0.5, -0.1, j as Real - 49.5);
            world.insert_collider(ColliderBuilder::cuboid(0.5, 0.1, 0.5).translation(place).friction(0.0), None);
        }
    }
}

/// A body of the crowd.
struct Member {
    handle: RigidBodyHandle,
    start: Vector,
    /// \[length/s]
    speed: Real,
    /// It is put to sleep, and is to stay so.
    sleeps: bool,
}

impl Member {
    fn is_awake_sleeper(&self, world: &PhysicsWorld) -> bool {
        self.sleeps && world.bodies.get(self.handle).is_none_or(|body| !body.is_sleeping())
    }
}

fn send_to_sleep(world: &mut PhysicsWorld, crowd: &[Member]) {
    for member in crowd.iter().filter(|member| member.sleeps) {
        if let Some(body) = world.bodies.get_mut(member.handle) {
            body.sleep();
        }
    }
}
