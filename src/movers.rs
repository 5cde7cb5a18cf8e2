//! The bodies that moved so far in one step that something may have been missed.

use crate::constants::{FAST_FRACTION, Tolerances};
use crate::flight::Flight;
use crate::fresh;
use crate::motion::Motion;
use crate::ownership::{FreeFlight, Owners};
use crate::source::inner_radius;
use crate::step_start::StepStart;
use crate::surfaces::{Surfaces, is_massless};
use crate::world::WorldSets;
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
    /// A body that moves by `motion`.
    fn new((handle, body): (RigidBodyHandle, &RigidBody), motion: Motion, colliders: &ColliderSet) -> Self {
        Self {
            handle,
            motion,
            bounds: swept_bounds(&motion, body, colliders),
            inner_radius: thinnest(body, colliders),
            is_dynamic: body.is_dynamic(),
            pose_at_start: motion.pose_at(0.0),
            stop: 1.0,
            is_rewritten: false,
            flight: OnceLock::new(),
            may_bounce: is_bouncy(body, colliders),
            impacts: 0,
            velocity_at_end: None,
            carries: 0,
            version: 0,
        }
    }

    /// A body in free flight that the solver has braked: its motion is what it would have been without.
    fn freed((handle, body): (RigidBodyHandle, &RigidBody), free: &FreeFlight, colliders: &ColliderSet) -> Self {
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

impl Movers {
    /// Finds the movers: the awake bodies that moved fast, those that may bounce, and those that a moving surface came near.
    pub fn find(&mut self, (world, surfaces): (&WorldSets, &Surfaces), owners: &Owners, start: &StepStart) {
        self.list.clear();
        self.slow_reach = 0.0;
        let bvh = world.tree();
        for handle in world.islands.active_bodies() {
            let Some(body) = world.bodies.get(handle) else { continue };
            if !body.is_enabled() || body.is_soft_frame() || !body.position().is_finite() {
                continue;
            }
            let came_from = start.pose(handle).copied().unwrap_or_else(|| fresh::start_pose(body, (world, start)));
            let bounces = !owners.neighbourhoods.is_lonely(handle)
                && is_bouncy(body, world.colliders)
                && self.find_bouncing((world, owners), (surfaces, bvh), (handle, body), (start, &came_from));
            if !bounces && (came_from != *body.position() || body.is_kinematic()) {
                self.find_fast(world, (handle, body), &came_from);
            }
        }
        self.find_swept_over((world, owners, bvh), start);
    }

    /// A body whose own material gives back something of a blow, and that is in free flight, bounces off what it meets at any
    /// speed; also where the solver has braked it already. Most are far from everything: one query of the broad phase's tree
    /// shows that.
    fn find_bouncing(
        &mut self,
        (world, owners): (&WorldSets, &Owners),
        (surfaces, bvh): (&Surfaces, &Bvh),
        (handle, body): (RigidBodyHandle, &RigidBody),
        (start, came_from): (&StepStart, &Pose),
    ) -> bool {
        let parameters = world.integration_parameters;
        let slop = Tolerances::new(parameters).slop;
        let velocity = start.get(handle).map_or(body.linvel(), |body| body.velocity.linvel);
        // Wherever the solver has left it, in free flight it gets no farther than this.
        let flown = velocity * parameters.dt;
        let moved = body.translation() - came_from.translation;
        if !body.is_dynamic() || moved.length_squared().max(flown.length_squared()) <= slop * slop {
            return false;
        }
        // Engine and flight part by less than a slop and what gravity does within a step.
        let fallen = (world.gravity * body.gravity_scale()).length() * parameters.dt * parameters.dt;
        let center = came_from.transform_point(body.mass_properties().local_mprops.local_com);
        let radius = Vector::splat(body.mass_properties().max_extent() + fallen + slop);
        let reach = Aabb::new(center.min(center + flown) - radius, center.max(center + flown) + radius);
        let is_surface = |leaf| {
            world.colliders.get_unknown_gen(leaf).is_some_and(|(collider, _)| is_massless(collider, world.bodies))
        };
        let meets_any = || match surfaces.meeting(&reach) {
            Some(mut met) => met.next().is_some(),
            None => bvh.intersect_aabb(&reach).any(is_surface),
        };
        if !meets_any() {
            return false;
        }
        let Some(free) = owners.free_flight(handle, start, came_from) else { return false };
        self.push(if free.was_braked {
            Mover::freed((handle, body), &free, world.colliders)
        } else {
            let motion = motion_from(came_from, body, parameters.dt);
            Mover { flight: OnceLock::from(Some(free.flight)), ..Mover::new((handle, body), motion, world.colliders) }
        });
        true
    }

    /// A body is fast by Rapier's criterion (`RigidBodyCcd::is_moving_fast_with_next_position`): a point of it moved more than
    /// half of its thinnest extent.
    fn find_fast(&mut self, world: &WorldSets, (handle, body): (RigidBodyHandle, &RigidBody), came_from: &Pose) {
        let parameters = world.integration_parameters;
        let thinnest = thinnest(body, world.colliders);
        // Contacts that the engine recycles may miss what a body drifts into by this far: one that is thinner could be
        // through it by then, so it counts as fast at any speed.
        let unseen_drift = if parameters.contact_recycling { parameters.contact_recycle_distance() } else { 0.0 };
        let is_fast = |moved: Real| moved > FAST_FRACTION * thinnest || thinnest < unseen_drift;
        let at_most = travel_at_most(body, came_from, parameters.dt);
        let slop = Tolerances::new(parameters).slop;
        if body.is_dynamic() && (at_most <= slop || !is_fast(at_most)) {
            self.slow_reach = self.slow_reach.max(at_most);
            return;
        }
        let motion = motion_from(came_from, body, parameters.dt);
        let moved = travel(&motion, body);
        if body.is_kinematic() || moved > slop && is_fast(moved) && thinnest != Real::MAX {
            self.push(Mover::new((handle, body), motion, world.colliders));
        } else {
            self.slow_reach = self.slow_reach.max(moved);
        }
    }

    /// A slow body is as good as a fast one to a surface that runs into it: what counts is how they move past each other.
    /// Sleeping bodies too. The work is that of the bodies near moving kinematic ones.
    fn find_swept_over(&mut self, (world, owners, bvh): (&WorldSets, &Owners, &Bvh), start: &StepStart) {
        for index in 0..self.list.len() {
            let surface = &self.list[index];
            if surface.is_dynamic {
                continue;
            }
            let (surface_motion, bounds) = (surface.motion, surface.bounds.loosened(self.slow_reach));
            let turns = match world.bodies.get(surface.handle) {
                Some(body) if surface_motion.rotation() > 0.0 => {
                    surface_motion.rotation() * extent(&surface_motion, body)
                }
                _ => 0.0,
            };
            // What is fast may have left the surface's way by the end of the step, where the tree has it.
            for place in 0..self.list.len() {
                let mover = &self.list[place];
                if mover.is_dynamic && mover.bounds.intersects(&bounds) {
                    let handle = mover.handle;
                    let body = &world.bodies[handle];
                    self.find_driven((world, owners), (handle, body), start, (&surface_motion, turns));
                }
            }
            for leaf in bvh.intersect_aabb(&bounds) {
                let body = world.colliders.get_unknown_gen(leaf).and_then(|(collider, _)| collider.parent());
                let Some((handle, body)) = body.and_then(|handle| Some((handle, world.bodies.get(handle)?))) else {
                    continue;
                };
                if body.is_dynamic() && body.is_enabled() && !body.is_soft_frame() {
                    self.find_driven((world, owners), (handle, body), start, (&surface_motion, turns));
                }
            }
        }
    }

    /// A body near a moving surface, whose points turn by no more than `turns`.
    fn find_driven(
        &mut self,
        (world, owners): (&WorldSets, &Owners),
        (handle, body): (RigidBodyHandle, &RigidBody),
        start: &StepStart,
        (surface, turns): (&Motion, Real),
    ) {
        let place = self.place(handle);
        let came_from = match place {
            // It has its flight already.
            Some(place) if matches!(self.list[place].flight.get(), Some(Some(_))) => return,
            Some(place) => self.list[place].pose_at_start,
            None if body.is_sleeping() => *body.position(),
            None => start.pose(handle).copied().unwrap_or_else(|| fresh::start_pose(body, (world, start))),
        };
        // What the solver has braked already in front of the surface is swept from where it was.
        let free = owners.free_flight(handle, start, &came_from);
        if let Some(free) = free.filter(|free| free.was_braked) {
            let mover = Mover::freed((handle, body), &free, world.colliders);
            match place {
                Some(place) => self.list[place] = mover,
                None => self.push(mover),
            }
        } else if place.is_none() {
            let motion = motion_from(&came_from, body, world.integration_parameters.dt);
            let travelled = |motion: &Motion| motion.center_path().1 - motion.center_path().0;
            let relative = (travelled(&motion) - travelled(surface)).length() + turns;
            let inner_radius = thinnest(body, world.colliders);
            let is_fast = relative > FAST_FRACTION * inner_radius && inner_radius != Real::MAX;
            let slop = Tolerances::new(world.integration_parameters).slop;
            if is_fast || relative > slop && free.is_some() {
                self.push(Mover::new((handle, body), motion, world.colliders));
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

/// Does one of the body's colliders give back something of a blow?
fn is_bouncy(body: &RigidBody, colliders: &ColliderSet) -> bool {
    swept_colliders(body, colliders).any(|collider| collider.material().restitution > 0.0)
}

/// How a body came to where the engine left it.
fn motion_from(came_from: &Pose, body: &RigidBody, dt: Real) -> Motion {
    let turned = body.angvel() * dt;
    let center = body.mass_properties().local_mprops.local_com;
    // The engine moves a body about its centre of mass. Where the game gives only the poses, nothing tells of one.
    if body.body_type() == RigidBodyType::KinematicPositionBased {
        Motion::screw(came_from, body.position(), center, turned)
    } else {
        Motion::between(came_from, body.position(), center, turned)
    }
}

/// \[length] The farthest that a point of the body may have moved.
fn travel(motion: &Motion, body: &RigidBody) -> Real {
    let (from, to) = motion.center_path();
    from.distance(to) + motion.rotation() * extent(motion, body)
}

/// \[length] No point of the body moved farther than this: a bound that costs no trigonometry.
fn travel_at_most(body: &RigidBody, came_from: &Pose, dt: Real) -> Real {
    let mass = body.mass_properties();
    let moved = came_from.transform_point(mass.local_mprops.local_com).distance(mass.world_com);
    // A rotation by θ is a quaternion at 2·sin(θ/4) from none, which is at least θ·√2/π; and θ is 2.3 times that at most.
    let (from, to) = (came_from.rotation, body.position().rotation);
    let to = if from.dot(to) < 0.0 { -to } else { to };
    let rotation = (2.3 * (to - from).length()).max(body.angvel().length() * dt);
    moved + rotation * mass.max_extent()
}

/// \[length] The radius of the ball that holds the body around the point it turns about.
fn extent(motion: &Motion, body: &RigidBody) -> Real {
    let mass = body.mass_properties();
    mass.max_extent() + mass.local_mprops.local_com.distance(motion.local_center())
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
