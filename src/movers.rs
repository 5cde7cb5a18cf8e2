//! The bodies that moved so far in one step that something may have been missed.

use crate::build::Build;
use crate::candidate::Search;
use crate::constants::{FAST_FRACTION, Tolerances};
use crate::fresh;
use crate::motion::Motion;
use crate::mover::Mover;
use crate::ownership::Owners;
use crate::step_start::StepStart;
use crate::surfaces::Surfaces;
use crate::travel::{extent, motion_from};
use crate::world::WorldSets;
use rapier3d::parry::bounding_volume::BoundingVolume;
use rapier3d::prelude::*;

/// The movers of a step.
#[derive(Default)]
pub(crate) struct Movers {
    list: Vec<Mover>,
    /// By a body's arena index: its place in `list`, if that place names the same body.
    places: Vec<u32>,
    /// \[length] The farthest that a point of an awake body outside the list moved.
    pub slow_reach: Real,
}

impl Movers {
    /// Finds the movers: the awake bodies that moved fast, those that may bounce, and those that a moving surface came near.
    pub fn find(&mut self, (world, surfaces): (&WorldSets, &Surfaces), owners: &Owners, start: &StepStart) {
        self.list.clear();
        self.slow_reach = 0.0;
        let search = Search::new((world, surfaces), owners, start);
        for handle in world.islands.active_bodies() {
            let Some(body) = world.bodies.get(handle) else { continue };
            if !body.is_enabled() || body.is_soft_frame() || !body.position().is_finite() {
                continue;
            }
            if let Some(mover) = search.mover((handle, body), &mut self.slow_reach) {
                self.push(mover);
            }
        }
        self.find_swept_over((world, owners, world.tree()), start);
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
            let inner_radius = Build::of(body, world.colliders).inner_radius;
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
