//! From a case and its numbers to a world that can be stepped.

use crate::body::{Action, Body, BodyKind, Change, Collider, Joint, JointKind};
use crate::case::{Case, Lane, Run};
use crate::engine::{Engine, Stepper};
use crate::error::Fault;
use crate::fixture::World;
use crate::number::{Num, direction, vector};
use crate::pose::pose;
use crate::shape::{Library, Part};
use rapier3d::prelude::*;
use rapier3d_persistent_contacts::PieceGroup;
use std::collections::{HashMap, HashSet};

mod change;
mod material;

use change::{PlannedChange, PlannedDrive};
use material::{empty_world, settings, with_material};

/// A world with the names of what is in it.
pub struct Scene {
    /// The world.
    pub world: PhysicsWorld,
    /// What steps it.
    pub stepper: Stepper,
    /// How many steps the fixture wants.
    pub steps: usize,
    /// The bodies, in the fixture's order.
    pub bodies: Vec<SceneBody>,
    /// The colliders, in the order they were made.
    pub colliders: Vec<SceneCollider>,
    rejected: RejectedPairs,
    actions: Vec<(usize, PlannedChange)>,
}

/// A body with its name.
pub struct SceneBody {
    /// The fixture's name for it.
    pub name: String,
    /// The index of its lane; none if it is shared by all.
    pub lane: Option<usize>,
    /// The engine's.
    pub handle: RigidBodyHandle,
    /// The solids of its colliders, in the body's frame.
    pub solids: Vec<Part>,
    drive: Option<PlannedDrive>,
}

/// A collider with its name.
pub struct SceneCollider {
    /// The fixture's name for it; those of one tiled shape share it.
    pub name: String,
    /// The index of its lane; none if it is shared by all.
    pub lane: Option<usize>,
    /// Its number among the colliders of its name, and how many there are.
    pub number: (usize, usize),
    /// The engine's name for it.
    pub handle: ColliderHandle,
}

/// Where something of a fixture is put: the numbers it is made with, and its lane.
#[derive(Copy, Clone)]
struct Site<'a> {
    library: Library<'a>,
    world: &'a World,
    lane: Option<usize>,
    origin: Vector,
}

/// The user's hook of a fixture: it rejects pairs.
#[derive(Default)]
struct RejectedPairs(HashSet<(ColliderHandle, ColliderHandle)>);

impl PhysicsHooks for RejectedPairs {
    fn filter_contact_pair(&self, context: &PairFilterContext) -> Option<SolverFlags> {
        (!self.0.contains(&(context.collider1, context.collider2))).then(SolverFlags::default)
    }

    fn filter_intersection_pair(&self, context: &PairFilterContext) -> bool {
        !self.0.contains(&(context.collider1, context.collider2))
    }
}

impl Scene {
    /// Builds the scene of one run for one engine.
    ///
    /// # Errors
    /// Whatever in the fixture is at fault.
    pub fn build<'a>(case: &'a Case, run: &'a Run, engine: Engine) -> Result<Self, Fault> {
        let fixture = &case.file.fixture;
        let values = &run.values;
        let folder = case.file.path.parent().unwrap_or(std::path::Path::new("."));
        // What all lanes share has the numbers of the first.
        let shared = Site {
            library: Library { shapes: &case.shapes, values, folder },
            world: &fixture.world,
            lane: None,
            origin: Vector::ZERO,
        };
        let in_lane = |(index, lane): (usize, &'a Lane)| Site {
            library: Library { values: &lane.values, ..shared.library },
            lane: Some(index),
            origin: lane.origin,
            ..shared
        };
        let lanes: Vec<Site> = run.lanes.iter().enumerate().map(in_lane).collect();
        let mut world = empty_world(&fixture.world, values)?;
        let settings = settings(&fixture.settings, values)?;
        let stepper = Stepper::new(engine, settings, &mut world)
            .map_err(|error| Fault::in_field(&format!("settings.{}", error.field), error.to_string()))?;
        let steps = values.get("steps").map_or(0, |steps| *steps as usize);
        let mut scene = Self {
            world,
            stepper,
            steps,
            bodies: Vec::new(),
            colliders: Vec::new(),
            rejected: RejectedPairs::default(),
            actions: Vec::new(),
        };
        for body in case.bodies() {
            let sites = if body.shared { std::slice::from_ref(&shared) } else { &lanes };
            for site in sites {
                scene.add_body(body, *site).map_err(|fault| fault.near(&body.name))?;
            }
        }
        for collider in &fixture.colliders {
            let name = collider.name.as_deref().unwrap_or("ground");
            scene.add_collider(collider, (name, None), shared).map_err(|fault| fault.near(name))?;
        }
        scene.number_colliders();
        for joint in &fixture.joints {
            for site in &lanes {
                scene.add_joint(joint, *site).map_err(|fault| fault.near(&joint.bodies.0))?;
            }
        }
        for (a, b) in &fixture.hooks.reject_pairs {
            for lane in 0..lanes.len() {
                scene.reject(a, b, lane)?;
            }
        }
        for action in case.actions() {
            for site in &lanes {
                let change = scene.plan(action, *site).map_err(|fault| fault.near(action.change.subject()))?;
                scene.actions.push((action.step.count(site.library.values)?, change));
            }
        }
        Ok(scene)
    }

    /// Runs the step of this number, counted from 1: the fixture's actions and drives, then the engine.
    pub fn step(&mut self, number: usize, events: &dyn EventHandler) {
        for (step, change) in &self.actions {
            if *step == number {
                change.apply(&mut self.world);
            }
        }
        let dt = self.world.integration_parameters.dt;
        for body in &self.bodies {
            if let (Some(drive), Some(rigid)) = (&body.drive, self.world.bodies.get_mut(body.handle)) {
                rigid.set_next_kinematic_position(drive.pose_after(number, dt));
            }
        }
        self.stepper.step(&mut self.world, &self.rejected, events);
    }

    /// The index of the body of this name, of those in a lane and those that all share.
    ///
    /// # Errors
    /// There is none.
    pub fn body(&self, name: &str, lane: usize) -> Result<usize, Fault> {
        self.bodies
            .iter()
            .position(|body| body.name == name && body.lane.is_none_or(|own| own == lane))
            .ok_or_else(|| Fault::in_name(name, format!("no body is named `{name}`")))
    }

    /// The colliders of this name, of those in a lane and those that all share.
    ///
    /// # Errors
    /// There are none.
    pub fn colliders_named(&self, name: &str, lane: usize) -> Result<Vec<ColliderHandle>, Fault> {
        let is_meant = |c: &&SceneCollider| c.name == name && c.lane.is_none_or(|own| own == lane);
        let found: Vec<_> = self.colliders.iter().filter(is_meant).map(|c| c.handle).collect();
        if found.is_empty() { Err(Fault::in_name(name, format!("no collider is named `{name}`"))) } else { Ok(found) }
    }

    fn add_body(&mut self, body: &Body, site: Site) -> Result<(), Fault> {
        if self.bodies.iter().any(|other| other.name == body.name && other.lane == site.lane) {
            return Err(Fault::in_name(&body.name, "two bodies have this name"));
        }
        let values = site.library.values;
        let mut start = pose(&body.translation, &body.rotation, values)?;
        start.translation += site.origin;
        let mut builder = RigidBodyBuilder::new(match body.kind {
            BodyKind::Dynamic => RigidBodyType::Dynamic,
            BodyKind::Fixed => RigidBodyType::Fixed,
            BodyKind::KinematicVelocity => RigidBodyType::KinematicVelocityBased,
            BodyKind::KinematicPosition => RigidBodyType::KinematicPositionBased,
        })
        .pose(start)
        .linvel(vector(&body.linvel, values)?)
        .angvel(vector(&body.angvel, values)?)
        .ccd_enabled(body.ccd_enabled)
        .allow_fast_rotation(body.allow_fast_rotation)
        .can_sleep(body.can_sleep)
        .sleeping(body.sleeping)
        .enabled(body.enabled);
        if body.lock_rotations {
            builder = builder.lock_rotations();
        }
        let optional = |number: &Option<Num>, default| number.as_ref().map_or(Ok(default), |n| n.real(values));
        builder = builder
            .gravity_scale(optional(&body.gravity_scale, 1.0)?)
            .linear_damping(optional(&body.linear_damping, 0.0)?)
            .angular_damping(optional(&body.angular_damping, 0.0)?)
            .soft_ccd_prediction(optional(&body.soft_ccd_prediction, 0.0)?);
        let drive = match &body.path {
            Some(_) if body.kind != BodyKind::KinematicPosition => {
                return Err(Fault::in_field("path", "only a `KinematicPosition` body is driven along a path"));
            }
            Some(drive) => Some(PlannedDrive {
                start,
                linear: vector(&drive.linear, values)?,
                angular: vector(&drive.angular, values)?,
                from_step: drive.from_step.count(values)?.max(1),
                to_step: drive.to_step.as_ref().map_or(Ok(usize::MAX), |step| step.count(values))?,
            }),
            None => None,
        };
        let handle = self.world.insert_body(builder);
        let mut solids = Vec::new();
        for collider in &body.colliders {
            let name = collider.name.as_deref().unwrap_or(&body.name);
            solids.extend(self.add_collider(collider, (name, Some(handle)), site)?);
        }
        self.bodies.push(SceneBody { name: body.name.clone(), lane: site.lane, handle, solids, drive });
        Ok(())
    }

    /// Adds the colliders of one entry; returns their shapes and local poses.
    fn add_collider(
        &mut self,
        collider: &Collider,
        (name, parent): (&str, Option<RigidBodyHandle>),
        site: Site,
    ) -> Result<Vec<Part>, Fault> {
        let values = site.library.values;
        let place = pose(&collider.translation, &collider.rotation, values)?;
        let group = match collider.group {
            Some(number) => Some(
                PieceGroup::checked(number).ok_or_else(|| Fault::in_field("group", "groups are numbered from 1"))?,
            ),
            None => None,
        };
        let mut solids = Vec::new();
        for (local, shape) in site.library.parts(&collider.shape)? {
            let local = place * local;
            let builder = ColliderBuilder::new(shape.clone()).position(local);
            let builder = with_material(builder, collider, site.world, values)?;
            let handle = self.world.insert_collider(builder, parent);
            if let Some(group) = group {
                self.stepper.contacts().groups_mut().insert(handle, group);
            }
            self.colliders.push(SceneCollider { name: name.to_owned(), lane: site.lane, number: (0, 0), handle });
            solids.push((local, shape));
        }
        Ok(solids)
    }

    fn number_colliders(&mut self) {
        let mut counts: HashMap<(String, Option<usize>), usize> = HashMap::new();
        for collider in &mut self.colliders {
            let count = counts.entry((collider.name.clone(), collider.lane)).or_default();
            collider.number.0 = *count;
            *count += 1;
        }
        for collider in &mut self.colliders {
            collider.number.1 = counts.get(&(collider.name.clone(), collider.lane)).copied().unwrap_or(1);
        }
    }

    fn add_joint(&mut self, joint: &Joint, site: Site) -> Result<(), Fault> {
        let (values, lane) = (site.library.values, site.lane.unwrap_or_default());
        let first = self.bodies[self.body(&joint.bodies.0, lane)?].handle;
        let second = self.bodies[self.body(&joint.bodies.1, lane)?].handle;
        let anchors = (vector(&joint.anchor1, values)?, vector(&joint.anchor2, values)?);
        let (locked, axis, motor_axis) = match &joint.kind {
            JointKind::Revolute { axis } => {
                (JointAxesMask::LOCKED_REVOLUTE_AXES, direction(axis, values, "axis")?, Some(JointAxis::AngX))
            }
            JointKind::Prismatic { axis } => {
                (JointAxesMask::LOCKED_PRISMATIC_AXES, direction(axis, values, "axis")?, Some(JointAxis::LinX))
            }
            JointKind::Spherical => (JointAxesMask::LOCKED_SPHERICAL_AXES, Vector::X, None),
            JointKind::Fixed => (JointAxesMask::LOCKED_FIXED_AXES, Vector::X, None),
        };
        let mut builder = GenericJointBuilder::new(locked)
            .local_axis1(axis)
            .local_axis2(axis)
            .local_anchor1(anchors.0)
            .local_anchor2(anchors.1)
            .contacts_enabled(joint.contacts_enabled);
        if let Some(motor) = &joint.motor {
            let axis = motor_axis
                .ok_or_else(|| Fault::in_field("motor", "only revolute and prismatic joints have a motor"))?;
            builder = builder.motor_velocity(axis, motor.velocity.real(values)?, motor.factor.real(values)?);
            if let Some(max_force) = &motor.max_force {
                builder = builder.motor_max_force(axis, max_force.real(values)?);
            }
        }
        self.world.insert_impulse_joint(first, second, builder.build());
        Ok(())
    }

    fn reject(&mut self, a: &str, b: &str, lane: usize) -> Result<(), Fault> {
        let (first, second) = (self.colliders_named(a, lane)?, self.colliders_named(b, lane)?);
        for &a in &first {
            for &b in &second {
                self.rejected.0.extend([(a, b), (b, a)]);
            }
        }
        for handle in first.into_iter().chain(second) {
            if let Some(collider) = self.world.colliders.get_mut(handle) {
                collider.set_active_hooks(ActiveHooks::FILTER_CONTACT_PAIRS | ActiveHooks::FILTER_INTERSECTION_PAIR);
            }
        }
        Ok(())
    }

    fn plan(&self, action: &Action, site: Site) -> Result<PlannedChange, Fault> {
        let (name, values, lane) = (action.change.subject(), site.library.values, site.lane.unwrap_or_default());
        if action.change.is_about_colliders() {
            let enabled = matches!(action.change, Change::EnableCollider(_));
            return Ok(PlannedChange::EnableColliders(self.colliders_named(name, lane)?, enabled));
        }
        let handle = self.bodies[self.body(name, lane)?].handle;
        Ok(match &action.change {
            Change::Remove(_) => PlannedChange::Remove(handle),
            Change::EnableBody(_) => PlannedChange::EnableBody(handle, true),
            Change::DisableBody(_) => PlannedChange::EnableBody(handle, false),
            Change::Wake(_) => PlannedChange::Wake(handle),
            Change::SetVelocity { linear, angular, .. } => {
                PlannedChange::SetVelocity(handle, vector(linear, values)?, vector(angular, values)?)
            }
            Change::SetPose { translation, rotation, .. } => {
                let mut pose = pose(translation, rotation, values)?;
                pose.translation += site.origin;
                PlannedChange::SetPose(handle, pose)
            }
            Change::Sleep(_) | Change::EnableCollider(_) | Change::DisableCollider(_) => PlannedChange::Sleep(handle),
        })
    }
}
