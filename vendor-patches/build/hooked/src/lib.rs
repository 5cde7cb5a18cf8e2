//! Rapier, but that each of its steps runs the pass of `rapier3d-persistent-contacts` as its hook.
//!
//! Everything is Rapier's own, except for the two types that step: a world and a pipeline that put the hook around whatever
//! hooks they are given.

pub use engine::*;

/// Rapier's prelude with the types that step replaced.
pub mod prelude {
    pub use crate::{PhysicsPipeline, PhysicsWorld};
    pub use engine::prelude::*;
}

use engine::prelude as rapier;
use rapier::*;
use rapier3d_persistent_contacts::PersistentContacts;
use std::ops::{Deref, DerefMut};

/// Rapier's pipeline with the hook on.
#[derive(Default)]
pub struct PhysicsPipeline {
    inner: rapier::PhysicsPipeline,
    contacts: PersistentContacts,
}

impl PhysicsPipeline {
    /// As Rapier's.
    pub fn new() -> Self {
        Self::default()
    }

    /// As Rapier's, whose arguments these are.
    #[allow(clippy::too_many_arguments)]
    pub fn step(
        &mut self,
        gravity: Vector,
        integration_parameters: &IntegrationParameters,
        islands: &mut IslandManager,
        broad_phase: &mut BroadPhaseBvh,
        narrow_phase: &mut NarrowPhase,
        bodies: &mut RigidBodySet,
        colliders: &mut ColliderSet,
        impulse_joints: &mut ImpulseJointSet,
        multibody_joints: &mut MultibodyJointSet,
        soft_bodies: &mut SoftBodySet,
        ccd_solver: &mut CCDSolver,
        hooks: &dyn PhysicsHooks,
        events: &dyn EventHandler,
    ) {
        self.inner.step(
            gravity,
            integration_parameters,
            islands,
            broad_phase,
            narrow_phase,
            bodies,
            colliders,
            impulse_joints,
            multibody_joints,
            soft_bodies,
            ccd_solver,
            &self.contacts.hooks_with(hooks),
            events,
        );
    }
}

impl Deref for PhysicsPipeline {
    type Target = rapier::PhysicsPipeline;

    fn deref(&self) -> &Self::Target {
        &self.inner
    }
}

impl DerefMut for PhysicsPipeline {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.inner
    }
}

/// Rapier's world with the hook on.
#[derive(Default)]
pub struct PhysicsWorld {
    inner: rapier::PhysicsWorld,
    contacts: PersistentContacts,
}

impl PhysicsWorld {
    /// As Rapier's.
    pub fn new() -> Self {
        Self::default()
    }

    /// As Rapier's.
    pub fn step(&mut self) {
        self.step_with_events(&(), &());
    }

    /// As Rapier's.
    pub fn step_with_events(&mut self, hooks: &dyn PhysicsHooks, events: &dyn EventHandler) {
        self.inner.step_with_events(&self.contacts.hooks_with(hooks), events);
    }
}

impl Deref for PhysicsWorld {
    type Target = rapier::PhysicsWorld;

    fn deref(&self) -> &Self::Target {
        &self.inner
    }
}

impl DerefMut for PhysicsWorld {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.inner
    }
}
