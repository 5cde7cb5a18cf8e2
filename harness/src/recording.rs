//! What happened in one run with one engine.

use crate::case::{Case, Lane, Run};
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

/// A recording under way: of one lane, with the engine's names for what is in it.
struct Track {
    recording: Recording,
    bodies: Vec<RigidBodyHandle>,
    pairs: Vec<Vec<(ColliderHandle, ColliderHandle)>>,
    lane: usize,
    origin: Vector,
}

impl Track {
    fn new(scene: &Scene, run: &Run, lane: usize, watched: &[WatchedPair], engine: Engine) -> Result<Self, Fault> {
        let bodies: Vec<_> = scene.bodies.iter().filter(|body| body.lane.is_none_or(|own| own == lane)).collect();
        let pairs = watched.iter().map(|pair| watched_handles(scene, pair, lane)).collect::<Result<Vec<_>, Fault>>()?;
        let Lane { values, origin, .. } = &run.lanes[lane];
        let recording = Recording {
            engine,
            dt: values.get("dt").copied().unwrap_or(1.0 / 60.0),
            names: bodies.iter().map(|body| body.name.clone()).collect(),
            solids: bodies.iter().map(|body| body.solids.clone()).collect(),
            masses: bodies.iter().map(|body| dynamic_mass(&scene.world, body.handle)).collect(),
            frames: Vec::with_capacity(scene.steps + 1),
            events: Vec::new(),
            contacts: vec![Vec::with_capacity(scene.steps); pairs.len()],
            broken: None,
        };
        let bodies = bodies.iter().map(|body| body.handle).collect();
        let mut track = Self { recording, bodies, pairs, lane, origin: *origin };
        track.add_frame(&scene.world);
        Ok(track)
    }

    fn add_events(&mut self, scene: &Scene, step: usize, events: &[CollisionEvent]) {
        for event in events {
            let name = |handle| {
                let collider = scene.colliders.iter().find(|collider| collider.handle == handle)?;
                collider.lane.is_none_or(|lane| lane == self.lane).then(|| collider.name.clone())
            };
            if let (Some(first), Some(second)) = (name(event.collider1()), name(event.collider2())) {
                self.recording.events.push(Event { step, started: event.started(), names: (first, second) });
            }
        }
    }

    fn add_contacts(&mut self, world: &PhysicsWorld) {
        let touch = |pair: &(ColliderHandle, ColliderHandle)| {
            world.narrow_phase.contact_pair(pair.0, pair.1).is_some_and(ContactPair::has_any_active_contact)
        };
        for (contacts, pairs) in self.recording.contacts.iter_mut().zip(&self.pairs) {
            contacts.push(pairs.iter().any(touch));
        }
    }

    fn add_frame(&mut self, world: &PhysicsWorld) {
        let frame: Vec<State> = self.bodies.iter().map(|body| state(world, *body, self.origin)).collect();
        if let Some(index) = frame.iter().position(|state| !state.is_finite()) {
            let (name, step) = (&self.recording.names[index], self.recording.frames.len());
            self.recording.broken = Some(format!("`{name}` is not finite after step {step}"));
        }
        self.recording.frames.push(frame);
    }
}

impl Recording {
    /// Runs a case with one engine; a recording for each lane, in which places are counted from the lane's origin.
    ///
    /// # Errors
    /// Whatever in the fixture is at fault.
    pub fn of_lanes(case: &Case, run: &Run, engine: Engine, watched: &[WatchedPair]) -> Result<Vec<Self>, Fault> {
        let mut scene = Scene::build(case, run, engine)?;
        let track = |lane| Track::new(&scene, run, lane, watched, engine);
        let mut tracks = (0..run.lanes.len()).map(track).collect::<Result<Vec<_>, Fault>>()?;
        for step in 1..=scene.steps {
            let events = Events::default();
            // A panic in an engine is a failure of this run, and no reason to lose all others.
            let stepped = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| scene.step(step, &events)));
            if stepped.is_err() {
                for track in &mut tracks {
                    track.recording.broken = Some(format!("the engine panicked in step {step}"));
                }
                break;
            }
            let events = events.0.into_inner().unwrap_or_else(PoisonError::into_inner);
            for track in &mut tracks {
                track.add_events(&scene, step, &events);
                track.add_contacts(&scene.world);
                track.add_frame(&scene.world);
            }
            if tracks.iter().any(|track| track.recording.broken.is_some()) {
                break;
            }
        }
        Ok(tracks.into_iter().map(|track| track.recording).collect())
    }

    /// Runs a case with one engine, and records the first lane.
    ///
    /// # Errors
    /// Whatever in the fixture is at fault.
    pub fn make(case: &Case, run: &Run, engine: Engine, watched: &[WatchedPair]) -> Result<Self, Fault> {
        let recordings = Self::of_lanes(case, run, engine, watched)?;
        recordings.into_iter().next().ok_or_else(|| Fault::in_field("lanes", "there is none"))
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

fn watched_handles(
    scene: &Scene,
    pair: &WatchedPair,
    lane: usize,
) -> Result<Vec<(ColliderHandle, ColliderHandle)>, Fault> {
    let body = scene.bodies[scene.body(&pair.0, lane)?].handle;
    let targets = scene.colliders_named(&pair.1, lane)?;
    let sources = scene.world.bodies.get(body).map_or(&[][..], |body| body.colliders());
    Ok(sources.iter().flat_map(|source| targets.iter().map(|target| (*source, *target))).collect())
}

/// The engine sums masses up in the first step only, and asking it to do so now would wake sleeping bodies.
fn dynamic_mass(world: &PhysicsWorld, handle: RigidBodyHandle) -> f64 {
    let body = world.bodies.get(handle).filter(|body| body.is_dynamic());
    let colliders = body.map_or(&[][..], |body| body.colliders()).iter();
    colliders.filter_map(|handle| world.colliders.get(*handle)).map(|collider| f64::from(collider.mass())).sum()
}

fn state(world: &PhysicsWorld, handle: RigidBodyHandle, origin: Vector) -> State {
    match world.bodies.get(handle) {
        Some(body) => State {
            pose: Pose::from_parts(body.translation() - origin, *body.rotation()),
            linvel: body.linvel(),
            angvel: body.angvel(),
            asleep: body.is_sleeping(),
            present: true,
        },
        None => {
            State { pose: Pose::IDENTITY, linvel: Vector::ZERO, angvel: Vector::ZERO, asleep: false, present: false }
        }
    }
}
