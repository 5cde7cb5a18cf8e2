//! The bodies that moved so far in one step that something may have been missed.

use crate::constants::{FAST_FRACTION, Tolerances};
use crate::fresh;
use crate::motion::Motion;
use crate::source::inner_radius;
use crate::step_start::StepStart;
use crate::world::WorldSets;
use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d::prelude::*;

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
    /// The part of the motion that is played; 1 unless the body is stopped.
    pub stop: Real,
    /// A glancing hit moved the end of the motion.
    pub is_shifted: bool,
}

/// The movers of a step.
#[derive(Default)]
pub(crate) struct Movers {
    list: Vec<Mover>,
    /// By a body's arena index: its place in `list`, if that place names the same body.
    places: Vec<u32>,
    /// \[length] The farthest that a point of an awake body outside the list moved.
    pub slow_reach: Real,
}

impl Mover {
    /// Moves the end of the motion by `shift`.
    pub fn shift_end(&mut self, shift: Vector) {
        self.is_shifted = true;
        self.motion = self.motion.with_end_shifted(shift);
        let shifted = Aabb::new(self.bounds.mins + shift, self.bounds.maxs + shift);
        self.bounds = self.bounds.merged(&shifted);
    }
}

impl Movers {
    /// Finds the movers among the awake bodies, by Rapier's criterion (`RigidBodyCcd::is_moving_fast_with_next_position`):
    /// a point of the body moved more than half of its thinnest extent.
    pub fn find(&mut self, world: &WorldSets, start: &StepStart) {
        self.list.clear();
        self.slow_reach = 0.0;
        let parameters = world.integration_parameters;
        let tolerances = Tolerances::new(parameters);
        let unseen_drift = if parameters.contact_recycling { parameters.contact_recycle_distance() } else { 0.0 };
        for handle in world.islands.active_bodies() {
            let Some(body) = world.bodies.get(handle) else { continue };
            if !body.is_enabled() || body.is_soft_frame() || !body.position().is_finite() {
                continue;
            }
            let came_from = start.pose(handle).copied().unwrap_or_else(|| fresh::start_pose(handle, body, world));
            if came_from == *body.position() {
                continue;
            }
            let turned = body.angvel() * world.integration_parameters.dt;
            let motion =
                Motion::between(&came_from, body.position(), body.mass_properties().local_mprops.local_com, turned);
            let moved = travel(&motion, body, world.colliders);
            if moved <= tolerances.slop {
                self.slow_reach = self.slow_reach.max(moved);
                continue;
            }
            let thinnest = thinnest(body, world.colliders);
            // Contacts that the engine recycles may miss what a body drifts into by this far: one that is thinner could be
            // through it by then, so it counts as fast at any speed.
            let is_fast = moved > FAST_FRACTION * thinnest || thinnest < unseen_drift;
            if is_fast && thinnest != Real::MAX || body.is_kinematic() {
                self.push(Mover {
                    handle,
                    motion,
                    bounds: swept_bounds(&motion, body, world.colliders),
                    inner_radius: thinnest,
                    is_dynamic: body.is_dynamic(),
                    stop: 1.0,
                    is_shifted: false,
                });
            } else {
                self.slow_reach = self.slow_reach.max(moved);
            }
        }
    }

    fn push(&mut self, mover: Mover) {
        let index = mover.handle.into_raw_parts().0 as usize;
        if index >= self.places.len() {
            self.places.resize(index + 1, 0);
        }
        self.places[index] = self.list.len() as u32;
        self.list.push(mover);
    }

    /// The place of `handle` in the list, if it is a mover.
    pub fn place(&self, handle: RigidBodyHandle) -> Option<usize> {
        let place = *self.places.get(handle.into_raw_parts().0 as usize)? as usize;
        (self.list.get(place)?.handle == handle).then_some(place)
    }

    /// The movers.
    pub fn list(&self) -> &[Mover] {
        &self.list
    }

    /// The movers, to stop them.
    pub fn list_mut(&mut self) -> &mut [Mover] {
        &mut self.list
    }
}

/// \[length] The farthest that a point of the body may have moved.
fn travel(motion: &Motion, body: &RigidBody, colliders: &ColliderSet) -> Real {
    let (from, to) = motion.center_path();
    let moved = from.distance(to);
    if motion.rotation() == 0.0 {
        return moved;
    }
    moved + motion.rotation() * extent(motion, body, colliders)
}

/// \[length] The radius of the ball around the centre of mass that holds the body.
fn extent(motion: &Motion, body: &RigidBody, colliders: &ColliderSet) -> Real {
    swept_colliders(body, colliders).fold(0.0, |extent: Real, collider| {
        let place = collider.position_wrt_parent().copied().unwrap_or(Pose::IDENTITY);
        let sphere = collider.shape().compute_local_bounding_sphere();
        let center = place * sphere.center();
        extent.max(center.distance(motion.local_center()) + sphere.radius())
    })
}

/// \[length] The inner radius of the body's thinnest collider; `Real::MAX` if none is ever swept.
fn thinnest(body: &RigidBody, colliders: &ColliderSet) -> Real {
    swept_colliders(body, colliders).fold(Real::MAX, |thinnest, collider| thinnest.min(inner_radius(collider.shape())))
}

fn swept_colliders<'a>(body: &'a RigidBody, colliders: &'a ColliderSet) -> impl Iterator<Item = &'a Collider> {
    body.colliders().iter().filter_map(|handle| colliders.get(*handle)).filter(|collider| collider.is_enabled())
}

/// The box of all that the body's colliders sweep.
fn swept_bounds(motion: &Motion, body: &RigidBody, colliders: &ColliderSet) -> Aabb {
    swept_colliders(body, colliders).fold(Aabb::new_invalid(), |bounds, collider| {
        let place = collider.position_wrt_parent().copied().unwrap_or(Pose::IDENTITY);
        bounds.merged(&swept_box(motion, &place, collider.shape()))
    })
}

/// The box of all that a shape at `place` on a body with this motion sweeps.
pub(crate) fn swept_box(motion: &Motion, place: &Pose, shape: &dyn Shape) -> Aabb {
    let ends = shape
        .compute_aabb(&(motion.pose_at(0.0) * *place))
        .merged(&shape.compute_aabb(&(motion.pose_at(1.0) * *place)));
    let rotation = motion.rotation();
    if rotation == 0.0 {
        return ends;
    }
    // Between the ends a point at distance r from the axis bulges by at most r·θ²/8. It also never leaves the ball around
    // the centre of mass that holds the shape, which is the tighter box for wheels.
    let sphere = shape.compute_local_bounding_sphere();
    let radius = (*place * sphere.center()).distance(motion.local_center()) + sphere.radius();
    let bulge = ends.loosened(radius * rotation * rotation / 8.0);
    let (from, to) = motion.center_path();
    let ball = Aabb::new(from.min(to) - Vector::splat(radius), from.max(to) + Vector::splat(radius));
    bulge.intersection(&ball).unwrap_or(ball)
}
