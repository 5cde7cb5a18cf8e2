//! The pass inside the engine's own step, for games that do not make that call themselves.
//!
//! A plugin or a language binding calls [`PhysicsPipeline::step`] for the game, and lets nothing through but a
//! `&dyn PhysicsHooks`. A patched Rapier asks those hooks for a continuous pass; this is the one it is given.

use crate::step::PersistentContacts;
use crate::world::WorldSets;
use rapier3d::pipeline::{ContinuousPass, ContinuousPassContext}; // Missing? This feature needs `cargo vendor-rapier`.
use rapier3d::prelude::*;
use std::borrow::BorrowMut;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Physics hooks that run this crate's pass inside Rapier's step, around the game's own hooks.
///
/// Made by [`PersistentContacts::hooks`] and its siblings, which lend or move the step object (`C`) into them. A step with
/// these hooks does what [`PersistentContacts::step_with_events`] does, to the bit. One exception: Rapier's step cannot be
/// held back from the inside, so a time step that is not finite reaches the engine. This crate's part does nothing then.
///
/// Hooks serve one step at a time. A pass that the game's own hooks bring along is not asked for.
///
/// ```
/// use rapier3d::prelude::*;
/// use rapier3d_persistent_contacts::PersistentContacts;
///
/// let mut world = PhysicsWorld::new();
/// world.insert_collider(ColliderBuilder::cuboid(100.0, 0.1, 100.0), None);
/// let ball = RigidBodyBuilder::dynamic().translation(Vector::Y).linvel(Vector::X * 40.0);
/// let (ball, _) = world.insert(ball, ColliderBuilder::ball(0.2));
///
/// let mut contacts = PersistentContacts::default();
/// for _ in 0..60 {
///     world.step_with_events(&contacts.hooks(), &());
/// }
/// assert!(world.bodies[ball].translation().x > 30.0);
/// ```
pub struct EngineHooks<'u, C> {
    contacts: Mutex<C>,
    user: &'u dyn PhysicsHooks,
}

impl PersistentContacts {
    /// Hooks for one or more steps, without hooks of the game's own.
    pub fn hooks(&mut self) -> EngineHooks<'static, &mut Self> {
        self.hooks_with(&())
    }

    /// Hooks for one or more steps, around those of the game.
    pub fn hooks_with<'u>(&mut self, user: &'u dyn PhysicsHooks) -> EngineHooks<'u, &mut Self> {
        EngineHooks { contacts: Mutex::new(self), user }
    }

    /// Hooks that own the step object, for whoever has to hand over hooks once and for all.
    pub fn into_hooks(self) -> EngineHooks<'static, Self> {
        self.into_hooks_with(&())
    }

    /// Like [`into_hooks`](Self::into_hooks), around the hooks of the game.
    pub fn into_hooks_with(self, user: &dyn PhysicsHooks) -> EngineHooks<'_, Self> {
        EngineHooks { contacts: Mutex::new(self), user }
    }
}

impl<C: BorrowMut<PersistentContacts>> EngineHooks<'_, C> {
    /// The step object, for use between steps: its report, its trace, its piece groups. What is returned has to be dropped
    /// before the next step, which waits for it.
    pub fn contacts(&self) -> MutexGuard<'_, C> {
        // A step that panicked leaves nothing half done that the next one would read.
        self.contacts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C: BorrowMut<PersistentContacts> + Send> PhysicsHooks for EngineHooks<'_, C> {
    fn filter_contact_pair(&self, context: &PairFilterContext) -> Option<SolverFlags> {
        self.user.filter_contact_pair(context)
    }

    fn filter_intersection_pair(&self, context: &PairFilterContext) -> bool {
        self.user.filter_intersection_pair(context)
    }

    fn modify_solver_contacts(&self, context: &mut ContactModificationContext) {
        (*self.contacts()).borrow().wrap(self.user).modify_solver_contacts(context);
    }

    fn continuous_pass(&self) -> Option<&dyn ContinuousPass> {
        Some(self)
    }
}

impl<C: BorrowMut<PersistentContacts>> ContinuousPass for EngineHooks<'_, C> {
    fn begin(&self, context: &mut ContinuousPassContext) {
        (*self.contacts()).borrow_mut().begin(&mut WorldSets::from(context));
    }

    fn finish(&self, context: &mut ContinuousPassContext) {
        let events = context.events;
        (*self.contacts()).borrow_mut().finish(&mut WorldSets::from(context), self.user, events);
    }
}

impl<'a> From<&'a mut ContinuousPassContext<'_>> for WorldSets<'a> {
    fn from(context: &'a mut ContinuousPassContext<'_>) -> Self {
        Self {
            gravity: context.gravity,
            integration_parameters: context.integration_parameters,
            islands: context.islands,
            broad_phase: context.broad_phase,
            narrow_phase: context.narrow_phase,
            bodies: context.bodies,
            colliders: context.colliders,
            impulse_joints: context.impulse_joints,
            multibody_joints: context.multibody_joints,
        }
    }
}
