//! What the first step of a large world costs: whatever a step needs to know of it is found out then.

use super::{BenchGround, BenchScene, BenchShape, Ground, median};
use crate::engine::{Engine, Stepper};
use rapier3d::prelude::PhysicsWorld;
use rapier3d_persistent_contacts::Settings;
use serde::Serialize;
use std::time::Instant;

/// Its name among the scenes.
pub const FIRST_STEP: &str = "first step: 1000 boxes on 10 000 tiles";

/// \[ms] The most that the library's first step may take longer than that with CCD off: it is taken once, when a level is
/// loaded anyway, and half a second is what is noticed there.
pub const FIRST_STEP_BAR: f64 = 500.0;

/// The time of the first step with each engine.
#[derive(Clone, Debug, Serialize)]
pub struct FirstStep {
    /// The engines, `off` first, with \[ms] the first step of each round.
    pub milliseconds: Vec<(Engine, Vec<f64>)>,
}

impl FirstStep {
    /// Measures as many worlds as there are rounds, with each engine by turns.
    pub fn measure(ground: &Ground, rounds: usize, after_run: &dyn Fn()) -> Self {
        let scene = BenchScene {
            name: FIRST_STEP,
            bar: f64::INFINITY,
            ground: BenchGround::Tiles,
            shape: BenchShape::Cuboid,
            speed: 0.0,
            sleeping: false,
            restitution: 0.0,
        };
        let mut milliseconds: Vec<(Engine, Vec<f64>)> =
            Engine::ALL.iter().map(|engine| (*engine, Vec::with_capacity(rounds))).collect();
        for _ in 0..rounds {
            for (engine, times) in &mut milliseconds {
                let mut world = PhysicsWorld::default();
                scene.lay(ground, &mut world);
                scene.crowd(&mut world);
                // The defaults are valid, as the library's own tests show; were they not, the time would fail the bar.
                times.push(Stepper::new(*engine, Settings::default(), &mut world).map_or(f64::NAN, |mut stepper| {
                    let clock = Instant::now();
                    stepper.step(&mut world, &(), &());
                    clock.elapsed().as_secs_f64() * 1000.0
                }));
                after_run();
            }
        }
        Self { milliseconds }
    }

    /// \[ms] The typical time of each engine, `off` first: the median of the rounds.
    pub fn typical(&self) -> impl Iterator<Item = (Engine, f64)> {
        self.milliseconds.iter().map(|(engine, times)| (*engine, median(times.clone())))
    }

    /// \[ms] How much longer than with CCD off it takes with an engine.
    pub fn excess(&self, engine: Engine) -> f64 {
        let time = |wanted| self.typical().find(|(engine, _)| *engine == wanted).map_or(f64::NAN, |(_, time)| time);
        time(engine) - time(Engine::Off)
    }

    /// Is the library's within the bar?
    pub fn is_passed(&self) -> bool {
        let mut ours = self.milliseconds.iter().filter(|(engine, _)| engine.model() == Engine::Persistent);
        ours.all(|(engine, _)| self.excess(*engine) <= FIRST_STEP_BAR)
    }
}
