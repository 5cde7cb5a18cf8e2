//! The fixed colliders around each body, before the engine step.

use super::flag::changed_flags;
use super::{SeamTolerances, has_inner_seams};
use crate::world::WorldParts;
use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d::prelude::*;
use std::ops::Range;

/// The fixed colliders around the awake bodies' colliders. Written anew in every step; the buffers stay.
#[derive(Default)]
pub(crate) struct Neighbourhoods {
    sources: Vec<Source>,
    /// By a collider's arena index: its place in `sources`, if that place names the same collider.
    places: Vec<u32>,
    /// The pieces of all sources, one source after the other.
    pieces: Vec<ColliderHandle>,
    /// The colliders whose flags have to change.
    changed: Vec<(ColliderHandle, ActiveHooks)>,
}

struct Source {
    handle: ColliderHandle,
    pieces: Range<u32>,
}

impl Neighbourhoods {
    /// The fixed colliders around `source`; empty unless it is near a seam.
    pub fn of(&self, source: ColliderHandle) -> &[ColliderHandle] {
        let place = self.places.get(source.into_raw_parts().0 as usize);
        match place.and_then(|place| self.sources.get(*place as usize)) {
            Some(found) if found.handle == source => {
                &self.pieces[found.pieces.start as usize..found.pieces.end as usize]
            }
            _ => &[],
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.sources.clear();
        self.pieces.clear();
        self.changed.clear();
    }

    /// Looks around the awake dynamic bodies, and sets or takes back the hook flag of their colliders.
    pub fn find(&mut self, world: &mut WorldParts, tolerances: &SeamTolerances) {
        self.clear();
        let dispatcher = world.narrow_phase.query_dispatcher();
        let query =
            world.broad_phase.as_query_pipeline(dispatcher, world.bodies, world.colliders, QueryFilter::default());
        for handle in world.islands.active_bodies() {
            let Some(body) = world.bodies.get(handle) else { continue };
            if !body.is_dynamic() || !body.is_enabled() || body.is_soft_frame() || !body.position().is_finite() {
                continue;
            }
            // The engine looks for contacts farther away where it predicts motion.
            let predicted = body.soft_ccd_prediction().min(body.linvel().length() * world.integration_parameters.dt);
            for handle in body.colliders() {
                let Some(collider) = world.colliders.get(*handle) else { continue };
                if !collider.is_enabled() || collider.is_sensor() {
                    continue;
                }
                let place = collider.position_wrt_parent().copied().unwrap_or(Pose::IDENTITY);
                let reach = tolerances.prediction + collider.contact_skin() + predicted.max(0.0);
                let bounds = collider.shape().compute_aabb(&(*body.position() * place)).loosened(reach);
                self.look_around((*handle, collider), &bounds, (query.bvh, world.bodies, world.colliders));
            }
        }
        for (handle, flags) in self.changed.drain(..) {
            if let Some(collider) = world.colliders.get_mut(handle) {
                collider.set_active_hooks(flags);
            }
        }
    }

    fn look_around(
        &mut self,
        (handle, source): (ColliderHandle, &Collider),
        bounds: &Aabb,
        (bvh, bodies, colliders): (&Bvh, &RigidBodySet, &ColliderSet),
    ) {
        let from = self.pieces.len();
        let mut is_near_seam = false;
        for leaf in bvh.intersect_aabb(bounds) {
            let Some((collider, piece)) = colliders.get_unknown_gen(leaf) else { continue };
            if is_piece_for(source, collider, bodies) && collider.compute_aabb().intersects(bounds) {
                self.pieces.push(piece);
                is_near_seam |= has_inner_seams(collider);
            }
        }
        let to = self.pieces.len();
        is_near_seam |= to - from > 1;
        if let Some(flags) = changed_flags(source, is_near_seam) {
            self.changed.push((handle, flags));
        }
        if !is_near_seam {
            self.pieces.truncate(from);
            return;
        }
        let index = handle.into_raw_parts().0 as usize;
        if index >= self.places.len() {
            self.places.resize(index + 1, 0);
        }
        self.places[index] = self.sources.len() as u32;
        self.sources.push(Source { handle, pieces: from as u32..to as u32 });
    }
}

/// Is `collider` fixed, and solid for `source`?
fn is_piece_for(source: &Collider, collider: &Collider, bodies: &RigidBodySet) -> bool {
    collider.is_enabled()
        && !collider.is_sensor()
        && source.collision_groups().test(collider.collision_groups())
        && source.solver_groups().test(collider.solver_groups())
        && collider.parent().is_none_or(|body| bodies.get(body).is_some_and(RigidBody::is_fixed))
}
