//! A body that moved so far in one step that something may have been missed.

use crate::build::Build;
use crate::flight::Flight;
use crate::motion::Motion;
use crate::ownership::FreeFlight;
use crate::travel::swept_bounds;
use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d::prelude::*;
use std::sync::OnceLock;

/// A body that is swept, or that others are swept against on its way.
#[derive(Clone, Debug)]
pub(crate) struct Mover {
    pub handle: RigidBodyHandle,
    /// Its motion as the engine left it, but for the lifts of glancing hits.
    pub motion: Motion,
    /// The box of all that its colliders sweep.
    pub bounds: Aabb,
    /// \[length] The inner radius of its thinnest collider.
    pub inner_radius: Real,
    /// A dynamic body is a source; a kinematic one is only in the way of others.
    pub is_dynamic: bool,
    /// The pose at the step's start.
    pub pose_at_start: Pose,
    /// The part of the motion that is played; 1 unless the body is stopped.
    pub stop: Real,
    /// The motion is no longer the engine's: a glancing hit, a bounce or a surface that carries the body changed it.
    pub is_rewritten: bool,
    /// Its free flight, if nobody else answers for it; found when first needed.
    pub flight: OnceLock<Option<Flight>>,
    /// There may be something in this world that it bounces off.
    pub may_bounce: bool,
    /// How often it bounced in this step.
    pub impacts: u32,
    /// The velocity it ends the step with, if that is not the engine's.
    pub velocity_at_end: Option<RigidBodyVelocity<Real>>,
    /// How often a moving surface ran into it in this step.
    pub carries: u32,
    /// Counts the changes of its motion: whatever was found out about an older one is void.
    pub version: u32,
}

impl Mover {
    /// A body that moves by `motion`.
    pub fn new((handle, body): (RigidBodyHandle, &RigidBody), motion: Motion, colliders: &ColliderSet) -> Self {
        let build = Build::of(body, colliders);
        Self {
            handle,
            motion,
            bounds: swept_bounds(&motion, body, colliders),
            inner_radius: build.inner_radius,
            is_dynamic: body.is_dynamic(),
            pose_at_start: motion.pose_at(0.0),
            stop: 1.0,
            is_rewritten: false,
            flight: OnceLock::new(),
            may_bounce: build.is_bouncy,
            impacts: 0,
            velocity_at_end: None,
            carries: 0,
            version: 0,
        }
    }

    /// A body in free flight that the solver has braked: its motion is what it would have been without.
    pub fn freed((handle, body): (RigidBodyHandle, &RigidBody), free: &FreeFlight, colliders: &ColliderSet) -> Self {
        Self {
            flight: OnceLock::from(Some(free.flight)),
            is_rewritten: free.was_apart,
            velocity_at_end: free.was_apart.then(|| free.flight.velocity_at_end()),
            ..Self::new((handle, body), free.flight.as_motion(), colliders)
        }
    }

    /// Moves the end of the motion by `shift`.
    pub fn shift_end(&mut self, shift: Vector) {
        self.is_rewritten = true;
        self.version += 1;
        self.flight = OnceLock::from(None);
        self.motion = self.motion.with_end_shifted(shift);
        let shifted = Aabb::new(self.bounds.mins + shift, self.bounds.maxs + shift);
        self.bounds = self.bounds.merged(&shifted);
    }

    /// Stops the motion at fraction `t`, if it does not stop before. Returns whether that changed anything.
    pub fn stop_at(&mut self, t: Real) -> bool {
        let changes = t < self.stop;
        if changes {
            self.stop = t;
            self.version += 1;
        }
        changes
    }

    /// Continues with `flight` after an impact.
    pub fn fly(&mut self, flight: Flight, body: &RigidBody, colliders: &ColliderSet) {
        self.velocity_at_end = Some(flight.velocity_at_end());
        self.flight = OnceLock::from(Some(flight));
        self.impacts += 1;
        self.follow(&flight, body, colliders);
    }

    /// Is held against a surface that moves with `velocity` for the rest of the step: it has bounced as often as it may, and
    /// goes on in the next step with the velocity that the last bounce gave it.
    pub fn hold(&mut self, (flight, velocity): (&Flight, Vector), body: &RigidBody, colliders: &ColliderSet) {
        self.velocity_at_end = Some(flight.velocity_at_end());
        self.flight = OnceLock::from(None);
        self.follow(&flight.held(flight.since, velocity), body, colliders);
    }

    fn follow(&mut self, flight: &Flight, body: &RigidBody, colliders: &ColliderSet) {
        self.motion = flight.as_motion();
        self.bounds = swept_bounds(&flight.chord((flight.since, 1.0)), body, colliders);
        self.is_rewritten = true;
        self.version += 1;
    }

    /// What is played of the motion in a window.
    pub fn motion_in(&self, window: (Real, Real)) -> Motion {
        self.motion.played(window, self.stop)
    }
}
