//! What happened in one run with one engine.

use crate::case::{Case, Run};
use crate::engine::Engine;
use crate::error::Fault;
use crate::scene::Scene;
use crate::shape::Part;
use rapier3d::prelude::*;
use std::sync::{Mutex, PoisonError};

/// The motion of every body, the events, and the contacts that checks asked for.
pub struct Recording {
    /// The engine.
    pub engine: Engine,
    /// \[s] The length of a step.
    pub dt: f64,
    /// The names of the bodies, in the fixture's order.
    pub names: Vec<String>,
    /// The solids of each body, in its frame.
    pub solids: Vec<Vec<Part>>,
    /// \[mass] The mass of each body; 0 unless dynamic.
    pub masses: Vec<f64>,
    /// The start, then the state after each step; frame `n` is after step `n`.
    pub frames: Vec<Vec<State>>,
    /// The collision events.
    pub events: Vec<Event>,
    /// For each watched pair, the steps at whose start the engine had a contact for it; entry `n` is step `n + 1`.
    pub contacts: Vec<Vec<bool>>,
    /// Why the run ended early, if it did.
    pub broken: Option<String>,
}

/// The state of a body.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct State {
    /// Its pose.
    pub pose: Pose,
    /// \[length/s] Its velocity.
    pub linvel: Vector,
    /// \[rad/s] Its angular velocity.
    pub angvel: Vector,
    /// It sleeps.
    pub asleep: bool,
    /// It has not been removed.
    pub present: bool,
}

/// A collision event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The step it came from, counted from 1.
    pub step: usize,
    /// The colliders began to touch, or stopped.
    pub started: bool,
    /// The names of the two colliders.
    pub names: (String, String),
}

/// A pair whose contacts are to be recorded: a body and a collider name.
pub type WatchedPair = (String, String);

/// Keeps the collision events of a step.
#[derive(Default)]
struct Events(Mutex<Vec<CollisionEvent>>);

impl EventHandler for Events {
    fn handle_collision_event(
        &self,
        _: &RigidBodySet,
        _: &ColliderSet,
        event: CollisionEvent,
        _: Option<&ContactPair>,
    ) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(event);
    }

    fn handle_contact_force_event(&self, _: Real, _: &RigidBodySet, _: &ColliderSet, _: &ContactPair, _: Real) {}

    fn handle_soft_body_tear_event(&self, _: &SoftBodySet, _: &SoftBodyTearEvent) {}
}

impl Recording {
    /// Runs a case with one engine.
    ///
    /// # Errors
    /// Whatever in the fixture is at fault.
    pub fn make(case: &Case, run: &Run, engine: Engine, watched: &[WatchedPair]) -> Result<Self, Fault> {
        let mut scene = Scene::build(case, run, engine)?;
        let pairs = watched.iter().map(|pair| watched_handles(&scene, pair)).collect::<Result<Vec<_>, Fault>>()?;
        let mut recording = Self {
            engine,
            dt: run.values.get("dt").copied().unwrap_or(1.0 / 60.0),
            names: scene.bodies.iter().map(|body| body.name.clone()).collect(),
            solids: scene.bodies.iter().map(|body| body.solids.clone()).collect(),
            masses: scene.bodies.iter().map(|body| dynamic_mass(&scene.world, body.handle)).collect(),
            frames: Vec::with_capacity(scene.steps + 1),
            events: Vec::new(),
            contacts: vec![Vec::with_capacity(scene.steps); pairs.len()],
            broken: None,
        };
        recording.frames.push(frame(&scene));
        for step in 1..=scene.steps {
            recording.advance(&mut scene, step, &pairs);
            if recording.broken.is_some() {
                break;
            }
        }
        Ok(recording)
    }

    /// One step, recorded.
    fn advance(&mut self, scene: &mut Scene, step: usize, pairs: &[Vec<(ColliderHandle, ColliderHandle)>]) {
        let events = Events::default();
        // A panic in an engine is a failure of this run, and no reason to lose all others.
        let stepped = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| scene.step(step, &events)));
        if stepped.is_err() {
            self.broken = Some(format!("the engine panicked in step {step}"));
            return;
        }
        for event in events.0.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let name = |handle| scene.colliders.iter().find(|c| c.handle == handle).map_or("?", |c| &c.name).to_owned();
            let names = (name(event.collider1()), name(event.collider2()));
            self.events.push(Event { step, started: event.started(), names });
        }
        for (contacts, pairs) in self.contacts.iter_mut().zip(pairs) {
            contacts.push(pairs.iter().any(|pair| {
                scene.world.narrow_phase.contact_pair(pair.0, pair.1).is_some_and(ContactPair::has_any_active_contact)
            }));
        }
        let frame = frame(scene);
        if let Some(index) = frame.iter().position(|state| !state.is_finite()) {
            self.broken = Some(format!("`{}` is not finite after step {step}", self.names[index]));
        }
        self.frames.push(frame);
    }

    /// The index of the body of this name.
    ///
    /// # Errors
    /// There is none.
    pub fn body(&self, name: &str) -> Result<usize, Fault> {
        self.names
            .iter()
            .position(|body| body == name)
            .ok_or_else(|| Fault::in_name(name, format!("no body is named `{name}`")))
    }

    /// The number of the last step.
    pub fn last_step(&self) -> usize {
        self.frames.len() - 1
    }

    /// The bits of every pose and velocity of every frame, hashed (FNV-1a, 64 bits).
    pub fn hash(&self) -> u64 {
        let mut hash: u64 = 0xCBF2_9CE4_8422_2325;
        let mut add = |value: Real| {
            for byte in value.to_bits().to_le_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
            }
        };
        for state in self.frames.iter().flatten() {
            let rotation = state.pose.rotation;
            for vector in [state.pose.translation, state.linvel, state.angvel] {
                vector.to_array().into_iter().for_each(&mut add);
            }
            [rotation.x, rotation.y, rotation.z, rotation.w].into_iter().for_each(&mut add);
        }
        hash
    }
}

impl State {
    fn is_finite(&self) -> bool {
        self.pose.is_finite() && self.linvel.is_finite() && self.angvel.is_finite()
    }
}

fn watched_handles(scene: &Scene, pair: &WatchedPair) -> Result<Vec<(ColliderHandle, ColliderHandle)>, Fault> {
    let body = scene.bodies[scene.body(&pair.0)?].handle;
    let targets = scene.colliders_named(&pair.1)?;
    let sources = scene.world.bodies.get(body).map_or(&[][..], |body| body.colliders());
    Ok(sources.iter().flat_map(|source| targets.iter().map(|target| (*source, *target))).collect())
}

/// The engine sums masses up in the first step only, and asking it to do so now would wake sleeping bodies.
fn dynamic_mass(world: &PhysicsWorld, handle: RigidBodyHandle) -> f64 {
    let body = world.bodies.get(handle).filter(|body| body.is_dynamic());
    let colliders = body.map_or(&[][..], |body| body.colliders()).iter();
    colliders.filter_map(|handle| world.colliders.get(*handle)).map(|collider| f64::from(collider.mass())).sum()
}

fn frame(scene: &Scene) -> Vec<State> {
    let state = |handle| match scene.world.bodies.get(handle) {
        Some(body) => State {
            pose: *body.position(),
            linvel: body.linvel(),
            angvel: body.angvel(),
            asleep: body.is_sleeping(),
            present: true,
        },
        None => {
            State { pose: Pose::IDENTITY, linvel: Vector::ZERO, angvel: Vector::ZERO, asleep: false, present: false }
        }
    };
    scene.bodies.iter().map(|body| state(body.handle)).collect()
}
