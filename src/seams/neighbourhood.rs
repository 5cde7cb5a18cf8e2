//! The fixed colliders around each body, before the engine step.

use super::flag::{changed_flags, user_asks_for_contacts};
use super::kind::{has_edges, is_composite, is_flat_sided, is_iterated, is_piece_for, moves_freely};
use super::newcomers::Newcomers;
use super::view::View;
use super::{SeamTolerances, has_inner_seams};
use crate::assembly::Joints;
use crate::rolling::{is_round, turns_fast};
use crate::surfaces::{Surfaces, is_massless};
use crate::world::WorldSets;
use rapier3d::parry::bounding_volume::BoundingVolume;
use rapier3d::prelude::*;
use std::ops::Range;

/// The fixed colliders around the awake bodies' colliders. Written anew in every step; the buffers stay.
#[derive(Default)]
pub(crate) struct Neighbourhoods {
    sources: Vec<Source>,
    any_may_lose_ground: bool,
    /// By a collider's arena index: its place in `sources`, if that place names the same collider.
    places: Vec<u32>,
    /// The pieces of all sources, one source after the other.
    pieces: Vec<ColliderHandle>,
    newcomers: Newcomers,
    /// The bodies that have nothing fixed or driven around them, nor on the way that they fly in this step.
    lonely: Vec<RigidBodyHandle>,
    /// By a body's arena index: its place in `lonely`, if that place names the same body.
    lonely_places: Vec<u32>,
    /// The colliders whose flags have to change.
    changed: Vec<(ColliderHandle, ActiveHooks)>,
}

struct Source {
    handle: ColliderHandle,
    pieces: Range<u32>,
    /// It turns fast, or is a cylinder.
    roll: Option<Roll>,
    /// It moves fast on a flat underside, and only contacts tell it where to be.
    slides: bool,
}

/// How a body rolls.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Roll {
    /// Only contacts tell it where to be.
    Freely,
    /// Joints have a say in it: it is not to be moved on its own.
    OnJoints,
}

impl Neighbourhoods {
    /// The fixed colliders around `source`; empty unless it is near a seam, or rolls.
    pub fn of(&self, source: ColliderHandle) -> &[ColliderHandle] {
        let pieces = self.source(source).map(|found| found.pieces.start as usize..found.pieces.end as usize);
        pieces.map_or(&[], |pieces| &self.pieces[pieces])
    }

    /// How a body turns fast, or lies on its side, near fixed colliders.
    pub fn roll(&self, source: ColliderHandle) -> Option<Roll> {
        self.source(source).and_then(|found| found.roll)
    }

    /// Does it do so without joints?
    pub fn rolls_freely(&self, source: ColliderHandle) -> bool {
        self.roll(source) == Some(Roll::Freely)
    }

    /// Does `source` belong to a body that moves fast on a flat underside near fixed colliders, without joints?
    pub fn slides(&self, source: ColliderHandle) -> bool {
        self.source(source).is_some_and(|found| found.slides)
    }

    fn source(&self, source: ColliderHandle) -> Option<&Source> {
        let place = *self.places.get(source.into_raw_parts().0 as usize)?;
        self.sources.get(place as usize).filter(|found| found.handle == source)
    }

    /// Does any body roll or slide near fixed colliders?
    pub fn any_may_lose_ground(&self) -> bool {
        self.any_may_lose_ground
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.any_may_lose_ground = false;
        self.sources.clear();
        self.pieces.clear();
        self.lonely.clear();
        self.changed.clear();
    }

    /// Is it known that `body` has no surface around it, nor on its way in this step?
    pub fn is_lonely(&self, body: RigidBodyHandle) -> bool {
        let place = self.lonely_places.get(body.into_raw_parts().0 as usize);
        place.and_then(|place| self.lonely.get(*place as usize)).is_some_and(|lonely| *lonely == body)
    }

    fn push_lonely(&mut self, body: RigidBodyHandle) {
        let index = body.into_raw_parts().0 as usize;
        if index >= self.lonely_places.len() {
            self.lonely_places.resize(index + 1, 0);
        }
        self.lonely_places[index] = self.lonely.len() as u32;
        self.lonely.push(body);
    }

    /// Looks around the awake dynamic bodies, and those that the next step takes in, and sets or takes back the hook flag of
    /// their colliders.
    pub fn find(&mut self, world: &mut WorldSets, surfaces: &Surfaces, tolerances: &SeamTolerances) {
        self.clear();
        let dispatcher = world.narrow_phase.query_dispatcher();
        let query =
            world.broad_phase.as_query_pipeline(dispatcher, world.bodies, world.colliders, QueryFilter::default());
        let parameters = world.integration_parameters;
        let view = View {
            bvh: query.bvh,
            surfaces,
            bodies: world.bodies,
            colliders: world.colliders,
            joints: Joints { impulse: world.impulse_joints, multibody: world.multibody_joints },
            narrow_phase: world.narrow_phase,
            tolerances: *tolerances,
            slop: parameters.allowed_linear_error(),
            dt: parameters.dt,
            gravity: world.gravity,
            recycle_distance: if parameters.contact_recycling { parameters.contact_recycle_distance() } else { 0.0 },
        };
        self.newcomers.find(view.bvh, view.bodies, view.colliders);
        let has_seams = surfaces.may_have_seams();
        for handle in world.islands.active_bodies() {
            let Some(body) = world.bodies.get(handle) else { continue };
            if !has_seams && !view.is_restless(body) && !turns_fast(body, view.dt) && !view.has_edges(body) {
                // Its contacts are the engine's, and kept from step to step as it likes.
                self.unflag(body, view.colliders);
                continue;
            }
            let mut is_lonely = true;
            for collider in body.colliders() {
                is_lonely &= self.look_around((*collider, false), body, &view);
            }
            if is_lonely {
                self.push_lonely(handle);
            }
        }
        for i in 0..self.newcomers.sources.len() {
            let handle = self.newcomers.sources[i];
            let parent = view.colliders.get(handle).and_then(Collider::parent);
            if let Some(body) = parent.and_then(|parent| view.bodies.get(parent))
                && self.of(handle).is_empty()
            {
                self.look_around((handle, true), body, &view);
            }
        }
        for (handle, flags) in self.changed.drain(..) {
            if let Some(collider) = world.colliders.get_mut(handle) {
                collider.set_active_hooks(flags);
            }
        }
    }

    fn unflag(&mut self, body: &RigidBody, colliders: &ColliderSet) {
        for handle in body.colliders() {
            let flags = colliders.get(*handle).and_then(|collider| changed_flags(collider, false));
            self.changed.extend(flags.map(|flags| (*handle, flags)));
        }
    }

    /// Finds the pieces around a collider. Returns whether it saw that there is nothing at all, also on its way.
    fn look_around(&mut self, (handle, is_new): (ColliderHandle, bool), body: &RigidBody, view: &View) -> bool {
        let Some(source) = view.colliders.get(handle) else { return false };
        let Some(parent) = source.parent() else { return false };
        if !body.is_dynamic() || !body.is_enabled() || body.is_soft_frame() || !body.position().is_finite() {
            return false;
        }
        if !source.is_enabled() || source.is_sensor() {
            return false;
        }
        if view.is_resting(source, body) && !is_new && !user_asks_for_contacts(source) {
            // What it stands on was found while it moved, with the flag set, and the engine keeps those contacts for as long
            // as the flag does not stand in the way.
            self.changed.extend(changed_flags(source, false).map(|flags| (handle, flags)));
            return false;
        }
        let bounds = view.reach_of(source, body);
        // Only of what bounces anyone asks whether it is lonely.
        let may_bounce = source.material().restitution > 0.0;
        let on_the_way = if may_bounce { view.way_of(&bounds, body) } else { bounds };
        let mut is_alone = may_bounce;
        let from = self.pieces.len();
        let is_restless = view.is_restless(body);
        let is_held = view.joints.hold(parent);
        let moves_freely = moves_freely(body);
        let is_cylinder = source.shape().as_cylinder().is_some();
        let turns = turns_fast(body, view.dt) && is_round(source.shape());
        let roll = if !moves_freely {
            None
        } else if is_held {
            (is_cylinder && (turns || is_restless)).then_some(Roll::OnJoints)
        } else {
            // The engine loses the ground of a cylinder on its side whether that turns or not, and however slow it is.
            (is_cylinder || turns).then_some(Roll::Freely)
        };
        let mut is_near_seam = is_restless && is_iterated(source) || roll.is_some();
        let Self { pieces, newcomers, .. } = self;
        let mut look_at = |piece: ColliderHandle, collider: &Collider| {
            if !is_massless(collider, view.bodies) {
                return;
            }
            is_alone = false;
            if is_piece_for(source, collider, view.bodies) && collider.compute_aabb().intersects(&bounds) {
                pieces.push(piece);
                is_near_seam |= has_inner_seams(collider)
                    || is_restless && (is_composite(collider.shape()) || is_iterated(collider))
                    || has_edges(source) && view.meets_corner_or_rim(&bounds, body, collider);
            }
        };
        match view.surfaces.meeting(&on_the_way) {
            Some(surfaces) => {
                for piece in surfaces {
                    if let Some(collider) = view.colliders.get(piece) {
                        look_at(piece, collider);
                    }
                }
            }
            None => {
                let own = handle.into_raw_parts().0;
                for leaf in view.bvh.intersect_aabb(&on_the_way).filter(|leaf| *leaf != own) {
                    if let Some((collider, piece)) = view.colliders.get_unknown_gen(leaf) {
                        look_at(piece, collider);
                    }
                }
            }
        }
        if !newcomers.pieces.is_empty() {
            for leaf in newcomers.tree.intersect_aabb(&bounds) {
                let piece = newcomers.pieces[leaf as usize];
                if let Some(collider) = view.colliders.get(piece) {
                    look_at(piece, collider);
                }
            }
        }
        for piece in view.turned_contacts_of(handle, source) {
            let is_solid = |collider: &Collider| is_piece_for(source, collider, view.bodies);
            if view.colliders.get(piece).is_some_and(is_solid) {
                is_near_seam = true;
                if !self.pieces[from..].contains(&piece) {
                    self.pieces.push(piece);
                }
            }
        }
        let to = self.pieces.len();
        is_near_seam |= to - from > 1;
        is_near_seam &= to > from;
        if let Some(flags) = changed_flags(source, is_near_seam) {
            self.changed.push((handle, flags));
        }
        if !is_near_seam {
            self.pieces.truncate(from);
            return is_alone;
        }
        let index = handle.into_raw_parts().0 as usize;
        if index >= self.places.len() {
            self.places.resize(index + 1, 0);
        }
        self.places[index] = self.sources.len() as u32;
        let slides = roll.is_none() && is_restless && is_flat_sided(source.shape()) && !is_held && moves_freely;
        self.any_may_lose_ground |= slides || roll == Some(Roll::Freely);
        self.sources.push(Source { handle, pieces: from as u32..to as u32, roll, slides });
        false
    }
}
