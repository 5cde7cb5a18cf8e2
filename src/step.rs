//! The step, top to bottom.

use crate::assembly::Joints;
use crate::constants::Tolerances;
use crate::encounter::{Books, View};
use crate::filter::Filter;
use crate::flight::Forces;
use crate::hooks::Hooks;
use crate::movers::Movers;
use crate::ownership::Owners;
use crate::pieces::PieceGroups;
use crate::report::StepReport;
use crate::resolve::{BodyEnd, Resolution};
use crate::rolling::{Grip, Rolling};
use crate::seams::{Chains, Neighbourhoods, SeamTolerances, Seams};
use crate::settings::{Settings, SettingsError};
use crate::step_start::StepStart;
use crate::surfaces::Surfaces;
use crate::sweep::Rules;
use crate::trace::{StopTrace, Trace};
use crate::verdict::Witnesses;
use crate::world::{WorldParts, WorldSets};
use crate::{crossing, engine};
use rapier3d::prelude::*;

/// Steps a Rapier world without stopping bodies on the surface they ride on, and without letting them through walls.
///
/// It keeps nothing from step to step but settings, piece groups and memory to work in, so one object may step many
/// worlds, and snapshots, rollback and replay of a world work as they do without it. The piece groups name colliders by
/// their handles, so worlds that use them need an object each.
#[derive(Default)]
pub struct PersistentContacts {
    settings: Settings,
    groups: PieceGroups,
    report: StepReport,
    trace: Trace,
    tracing: bool,
    memory: Memory,
}

/// What the stages work in, kept for its allocations.
#[derive(Default)]
struct Memory {
    start: StepStart,
    surfaces: Surfaces,
    neighbourhoods: Neighbourhoods,
    rolling: Rolling,
    movers: Movers,
    books: Books,
    resolution: Resolution,
    ends: Vec<BodyEnd>,
    /// The distances that the contact hook compares with, if it has work in this step.
    hook_distances: Option<(SeamTolerances, Grip)>,
}

impl PersistentContacts {
    /// With these settings.
    ///
    /// # Errors
    /// A setting that is not finite or outside its range; the error names it.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        settings.validate()?;
        Ok(Self { settings, ..Self::default() })
    }

    /// Steps the world: what [`PhysicsWorld::step`] does, with this crate's sweeps in place of Rapier's.
    pub fn step(&mut self, world: &mut PhysicsWorld) -> &StepReport {
        self.step_with_events(world, &(), &())
    }

    /// Like [`step`](Self::step), with the game's hooks and event handler.
    pub fn step_with_events(
        &mut self,
        world: &mut PhysicsWorld,
        hooks: &dyn PhysicsHooks,
        events: &dyn EventHandler,
    ) -> &StepReport {
        self.step_parts(WorldParts::from(world), hooks, events)
    }

    /// Like [`step_with_events`](Self::step_with_events), for games that keep Rapier's sets apart.
    ///
    /// A time step of zero or below only updates contacts, as in Rapier. One that is not finite does nothing at all. With
    /// `max_ccd_substeps = 0` nothing is swept.
    pub fn step_parts(
        &mut self,
        mut world: WorldParts,
        hooks: &dyn PhysicsHooks,
        events: &dyn EventHandler,
    ) -> &StepReport {
        self.begin(&mut world.sets());
        if world.integration_parameters.dt.is_finite() {
            let without_ccd = IntegrationParameters { max_ccd_substeps: 0, ..*world.integration_parameters };
            engine::step(&mut world, &without_ccd, &self.wrap(hooks), events);
            self.finish(&mut world.sets(), hooks, events);
        }
        &self.report
    }

    /// The stages before the engine step: opens the report, reads where everything is, and finds the seams of the ground.
    pub(crate) fn begin(&mut self, world: &mut WorldSets) {
        self.report.clear();
        self.trace.clear();
        let Memory { start, surfaces, .. } = &mut self.memory;
        start.read(world.islands, world.bodies);
        if sweeps(world.integration_parameters) {
            surfaces.read(start.awake(), world.bodies, world.colliders);
        }
        self.find_seams(world);
    }

    /// Which bodies are near seams of the ground: writes the flags of their colliders.
    fn find_seams(&mut self, world: &mut WorldSets) {
        let Memory { surfaces, neighbourhoods, hook_distances, .. } = &mut self.memory;
        neighbourhoods.clear();
        *hook_distances = None;
        if self.settings.joins_pieces && sweeps(world.integration_parameters) {
            let tolerances = Tolerances::new(world.integration_parameters);
            let tolerances = SeamTolerances::new(&tolerances, self.settings.seam_unevenness);
            surfaces.place(world.tree(), world.colliders);
            neighbourhoods.find(world, surfaces, &tolerances);
            *hook_distances = Some((tolerances, Grip::new(world.integration_parameters)));
        }
    }

    /// The game's hooks for the engine step, with this crate's work on contacts at seams before them.
    pub(crate) fn wrap<'a>(&'a self, user: &'a dyn PhysicsHooks) -> Hooks<'a> {
        let Memory { neighbourhoods, hook_distances, .. } = &self.memory;
        let seams =
            hook_distances.map(|(tolerances, grip)| Seams { neighbourhoods, groups: &self.groups, tolerances, grip });
        Hooks { user, seams }
    }

    /// The stages after the engine step, which ran without Rapier's continuous pass.
    pub(crate) fn finish(&mut self, world: &mut WorldSets, hooks: &dyn PhysicsHooks, events: &dyn EventHandler) {
        if !sweeps(world.integration_parameters) {
            return;
        }
        self.lift_what_rolls(world, hooks);
        let Memory { start, surfaces, movers, neighbourhoods, .. } = &mut self.memory;
        surfaces.place(world.tree(), world.colliders);
        movers.find((world, surfaces), &owners(&self.settings, neighbourhoods, world), start);
        if !self.memory.movers.list().is_empty() {
            self.find_stops(world, hooks);
            self.write_back(world);
            self.send_crossings(world, events);
        }
        self.keep_books();
    }

    /// Takes the depth that spin alone caused out of the poses, before they are looked at.
    fn lift_what_rolls(&mut self, world: &mut WorldSets, hooks: &dyn PhysicsHooks) {
        let Memory { start, neighbourhoods, rolling, hook_distances, .. } = &mut self.memory;
        let Some((_, grip)) = *hook_distances else { return };
        if !neighbourhoods.any_may_lose_ground() {
            return;
        }
        rolling.find((world, start), (grip, neighbourhoods), hooks);
        for end in &rolling.ends {
            engine::set_end(world, end);
        }
    }

    /// Verdicts, sweeps and their resolution: reads the world, writes the stops.
    fn find_stops(&mut self, world: &WorldSets, hooks: &dyn PhysicsHooks) {
        let Memory { start, movers, books, resolution, neighbourhoods, .. } = &mut self.memory;
        books.open(self.tracing);
        let tolerances = Tolerances::new(world.integration_parameters);
        let dispatcher = world.narrow_phase.query_dispatcher();
        let query =
            world.broad_phase.as_query_pipeline(dispatcher, world.bodies, world.colliders, QueryFilter::default());
        let view = View {
            filter: Filter {
                bodies: world.bodies,
                colliders: world.colliders,
                impulse_joints: world.impulse_joints,
                multibody_joints: world.multibody_joints,
                hooks,
            },
            witnesses: Witnesses {
                narrow_phase: world.narrow_phase,
                colliders: world.colliders,
                groups: &self.groups,
                chains: self.settings.joins_pieces.then_some(Chains {
                    bvh: query.bvh,
                    bodies: world.bodies,
                    colliders: world.colliders,
                    unevenness: self.settings.seam_unevenness * tolerances.slop,
                }),
                dispatcher,
                tolerances,
            },
            rules: Rules { settings: &self.settings, tolerances, dispatcher, manifolds: dispatcher },
            owners: owners(&self.settings, neighbourhoods, world),
            start,
            bvh: query.bvh,
        };
        let joints = Joints { impulse: world.impulse_joints, multibody: world.multibody_joints };
        resolution.run(&view, joints, movers, books);
    }

    /// Moves the bodies that were stopped, lifted or bounced to where they end the step.
    fn write_back(&mut self, world: &mut WorldSets) {
        let Memory { start, movers, resolution, ends, .. } = &mut self.memory;
        resolution.ends(movers, (world.bodies, start), ends);
        for end in ends.iter() {
            engine::set_end(world, end);
        }
    }

    /// Events for the sensors and the bounces that only the sweep saw.
    fn send_crossings(&self, world: &WorldSets, events: &dyn EventHandler) {
        let Memory { start, books, resolution, .. } = &self.memory;
        crossing::send_events((world, start), resolution, &books.crossings, events);
        crossing::send_bounces(world, &resolution.impacts, events);
    }

    /// Moves the stages' books into the report and the trace.
    fn keep_books(&mut self) {
        let Memory { movers, books, resolution, .. } = &mut self.memory;
        if movers.list().is_empty() {
            return;
        }
        self.report.counters = books.counters;
        self.report.counters.movers = movers.list().len() as u32;
        self.report.counters.stopped_bodies = resolution.stops.len() as u32;
        self.report.counters.impacts = resolution.impacts.len() as u32;
        self.report.counters.glances = resolution.glances.len() as u32;
        self.report.clamps.extend_from_slice(&resolution.clamps);
        self.report.glances.extend_from_slice(&resolution.glances);
        self.report.impacts.extend_from_slice(&resolution.impacts);
        if let Some(pairs) = &mut books.traces {
            self.trace.pairs.append(pairs);
            self.trace.stops.extend(resolution.stops.iter().map(StopTrace::from));
        }
    }

    /// The piece groups, to read and to change between steps.
    pub fn groups_mut(&mut self) -> &mut PieceGroups {
        &mut self.groups
    }

    /// The report of the last step; empty before the first.
    pub fn last_step(&self) -> &StepReport {
        &self.report
    }

    /// Switches the trace on or off. Off, it costs nothing.
    pub fn set_tracing(&mut self, on: bool) {
        self.tracing = on;
        self.trace.clear();
    }

    /// The decisions of the last step; empty unless tracing was on.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }
}

/// Does a step with these parameters sweep anything?
fn sweeps(parameters: &IntegrationParameters) -> bool {
    parameters.dt.is_finite() && parameters.dt > 0.0 && parameters.max_ccd_substeps > 0
}

/// Who answers for a bounce in this world.
fn owners<'a>(settings: &Settings, neighbourhoods: &'a Neighbourhoods, world: &'a WorldSets) -> Owners<'a> {
    let parameters = world.integration_parameters;
    Owners {
        bodies: world.bodies,
        colliders: world.colliders,
        narrow_phase: world.narrow_phase,
        impulse_joints: world.impulse_joints,
        multibody_joints: world.multibody_joints,
        neighbourhoods,
        forces: Forces { gravity: world.gravity, parameters },
        min_bounce_speed: settings.min_bounce_speed * parameters.length_unit,
    }
}
