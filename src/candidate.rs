//! Candidates: is an awake body fast, or about to bounce?
//!
//! Every awake body is asked in every step, so what is the same for all is reckoned once, and what most answer by no comes first.

use crate::build::Build;
use crate::constants::{FAST_FRACTION, Tolerances};
use crate::fresh;
use crate::mover::Mover;
use crate::ownership::Owners;
use crate::step_start::StepStart;
use crate::surfaces::{Surfaces, is_massless};
use crate::travel::{center_at, motion_from, travel, travel_at_most};
use crate::world::WorldSets;
use rapier3d::parry::bounding_volume::Aabb;
use rapier3d::prelude::*;
use std::sync::OnceLock;

/// An awake body that moved, after the engine step, and where it came from.
struct Candidate<'a> {
    handle: RigidBodyHandle,
    body: &'a RigidBody,
    build: Build,
    came_from: &'a Pose,
    /// \[length] What it would have moved by at its first velocity.
    flown: Vector,
}

/// What all candidates of a step are compared with.
pub(crate) struct Search<'a, 'w> {
    world: &'a WorldSets<'w>,
    surfaces: &'a Surfaces,
    owners: &'a Owners<'a>,
    start: &'a StepStart,
    bvh: &'a Bvh,
    slop: Real,
    dt: Real,
    /// \[length] How far gravity takes a body within the step, at most.
    fall: Real,
    /// \[length] How far a body may drift while the engine keeps its contacts.
    unseen_drift: Real,
}

impl<'a, 'w> Search<'a, 'w> {
    /// The search of a step.
    pub fn new(
        (world, surfaces): (&'a WorldSets<'w>, &'a Surfaces),
        owners: &'a Owners<'a>,
        start: &'a StepStart,
    ) -> Self {
        let parameters = world.integration_parameters;
        Self {
            world,
            surfaces,
            owners,
            start,
            bvh: world.tree(),
            slop: Tolerances::new(parameters).slop,
            dt: parameters.dt,
            fall: world.gravity.length() * parameters.dt * parameters.dt,
            unseen_drift: if parameters.contact_recycling { parameters.contact_recycle_distance() } else { 0.0 },
        }
    }

    /// The mover that a body is, if it is one. What is slow adds to `slow_reach`, the farthest that a point of such a body moved.
    pub fn mover(&self, (handle, body): (RigidBodyHandle, &RigidBody), slow_reach: &mut Real) -> Option<Mover> {
        let (fresh, flown);
        let came_from = match self.start.get(handle) {
            Some(known) => {
                flown = known.velocity.linvel * self.dt;
                &known.pose
            }
            None => {
                flown = body.linvel() * self.dt;
                fresh = fresh::start_pose(body, (self.world, self.start));
                &fresh
            }
        };
        let moved_at_most = travel_at_most(body, came_from, self.dt);
        let mut stay_slow = || *slow_reach = slow_reach.max(moved_at_most);
        if body.is_dynamic() && moved_at_most <= self.slop && flown.length_squared() <= self.slop * self.slop {
            stay_slow();
            return None;
        }
        let build = Build::of(body, self.world.colliders);
        let may_bounce = build.is_bouncy && !self.owners.neighbourhoods.is_lonely(handle);
        let is_slow = body.is_dynamic() && (moved_at_most <= self.slop || !self.is_fast(moved_at_most, build));
        let candidate = || Candidate { handle, body, build, came_from, flown };
        if may_bounce && let Some(mover) = self.bouncing(&candidate()) {
            return Some(mover);
        }
        if is_slow {
            stay_slow();
            return None;
        }
        self.fast(&candidate(), slow_reach)
    }

    /// Is this far for a body of that build, by Rapier's criterion (`RigidBodyCcd::is_moving_fast_with_next_position`): more
    /// than half of its thinnest extent?
    ///
    /// Contacts that the engine recycles may miss what a body drifts into while it keeps them: one that is thinner could be
    /// through it by then, so it counts as fast at any speed.
    fn is_fast(&self, moved: Real, build: Build) -> bool {
        moved > FAST_FRACTION * build.inner_radius || build.inner_radius < self.unseen_drift
    }

    /// A body whose own material gives back something of a blow, and that is in free flight, bounces off what it meets at any
    /// speed; also where the solver has braked it already. Most are far from everything: comparing a few boxes, or one query of
    /// the broad phase's tree, shows that.
    fn bouncing(&self, candidate: &Candidate) -> Option<Mover> {
        let Candidate { handle, body, came_from, flown, .. } = *candidate;
        // Wherever the solver has left it, in free flight it gets no farther than it flies.
        let moved = body.translation() - came_from.translation;
        let is_still = moved.length_squared().max(flown.length_squared()) <= self.slop * self.slop;
        if !body.is_dynamic() || is_still || !self.meets_any(candidate) {
            return None;
        }
        let free = self.owners.free_flight(handle, self.start, came_from)?;
        let colliders = &*self.world.colliders;
        Some(if free.was_braked {
            Mover::freed((handle, body), &free, colliders)
        } else {
            let motion = motion_from(came_from, body, self.dt);
            Mover { flight: OnceLock::from(Some(free.flight)), ..Mover::new((handle, body), motion, colliders) }
        })
    }

    /// Is there a surface without mass on the way that the candidate flies?
    fn meets_any(&self, &Candidate { body, came_from, flown, .. }: &Candidate) -> bool {
        // Engine and flight part by less than a slop and what gravity does within a step.
        let fallen = self.fall * body.gravity_scale().abs();
        let center = center_at(body, came_from);
        let radius = Vector::splat(body.mass_properties().max_extent() + fallen + self.slop);
        let reach = Aabb::new(center.min(center + flown) - radius, center.max(center + flown) + radius);
        let WorldSets { bodies, colliders, .. } = self.world;
        let is_surface =
            |leaf| colliders.get_unknown_gen(leaf).is_some_and(|(collider, _)| is_massless(collider, bodies));
        match self.surfaces.meeting(&reach) {
            Some(mut met) => met.next().is_some(),
            None => self.bvh.intersect_aabb(&reach).any(is_surface),
        }
    }

    /// A body that seems fast, and one that drives others.
    fn fast(&self, candidate: &Candidate, slow_reach: &mut Real) -> Option<Mover> {
        let Candidate { handle, body, build, came_from, .. } = *candidate;
        if body.is_dynamic() && came_from == body.position() {
            return None;
        }
        let motion = motion_from(came_from, body, self.dt);
        let moved = travel(&motion, body);
        let is_fast = moved > self.slop && self.is_fast(moved, build) && build.inner_radius != Real::MAX;
        if body.is_kinematic() || is_fast {
            return Some(Mover::new((handle, body), motion, self.world.colliders));
        }
        *slow_reach = slow_reach.max(moved);
        None
    }
}
