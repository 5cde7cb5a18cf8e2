//! The world as the search for seams sees it, before the engine step.

use super::field_rim::has_rim;
use super::inner_corner::has_inner_corner;
use super::kind::has_edges;
use super::{NEAR_NORMAL, SeamTolerances};
use crate::assembly::Joints;
use crate::surfaces::Surfaces;
use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d::prelude::*;

/// A body that moves less than this in a step is at rest, in slops: 6 mm/s with Rapier's defaults at 60 Hz, a small part of
/// the speed below which Rapier lets bodies sleep.
const RESTING_SLOPS: Real = 0.02;

/// The world before the step.
pub(super) struct View<'a> {
    pub bvh: &'a Bvh,
    pub surfaces: &'a Surfaces,
    pub bodies: &'a RigidBodySet,
    pub colliders: &'a ColliderSet,
    pub joints: Joints<'a>,
    pub narrow_phase: &'a NarrowPhase,
    pub tolerances: SeamTolerances,
    /// \[length] Rapier's slop.
    pub slop: Real,
    /// \[s] The length of the step.
    pub dt: Real,
    pub gravity: Vector,
    /// \[length] Contacts of a body that moved less are kept by the engine.
    pub recycle_distance: Real,
}

impl View<'_> {
    /// Is the body all but still, with the farthest point of this collider?
    pub fn is_resting(&self, source: &Collider, body: &RigidBody) -> bool {
        let still = RESTING_SLOPS * self.slop;
        let moved = body.linvel().length() * self.dt;
        if moved > still {
            return false;
        }
        let place = source.position_wrt_parent().map_or(Vector::ZERO, |place| place.translation);
        let local_center = body.mass_properties().local_mprops.local_com;
        let extent = source.shape().compute_local_aabb();
        let arm = (place - local_center).length() + extent.mins.abs().max(extent.maxs.abs()).length();
        moved + body.angvel().length() * self.dt * arm <= still
    }

    /// Has one of the body's colliders edges, to catch with them in a corner?
    pub fn has_edges(&self, body: &RigidBody) -> bool {
        body.colliders().iter().any(|handle| self.colliders.get(*handle).is_some_and(has_edges))
    }

    /// Does a body come to where `collider`, if that is a mesh or a height field, misleads the engine, before the engine looks for
    /// contacts again? `bounds` is what it reaches now.
    pub fn meets_corner_or_rim(&self, bounds: &Aabb, body: &RigidBody, collider: &Collider) -> bool {
        let place = collider.position();
        let around = || {
            let ahead = self.recycle_distance + body.linvel().length() * self.dt;
            bounds.loosened(ahead.max(0.0)).transform_by(&place.inverse())
        };
        match collider.shape().as_typed_shape() {
            TypedShape::TriMesh(mesh) => {
                has_inner_corner(mesh, &around(), place.inverse_transform_point(bounds.center()))
            }
            TypedShape::HeightField(field) => has_rim(field, &around()),
            _ => false,
        }
    }

    /// What `source` had contacts with in the last step that were turned, as the engine took them for those of inner faces.
    ///
    /// It keeps them for as long as their points stay opposite each other, however deep they get: across the whole piece, and after
    /// the body has left it.
    pub fn turned_contacts_of(
        &self,
        handle: ColliderHandle,
        source: &Collider,
    ) -> impl Iterator<Item = ColliderHandle> {
        let is_hooked = source.active_hooks().contains(ActiveHooks::MODIFY_SOLVER_CONTACTS);
        let pairs = is_hooked.then(|| self.narrow_phase.contact_pairs_with(handle));
        pairs.into_iter().flatten().filter_map(move |pair| {
            let piece_is_first = pair.collider2 == handle;
            let piece = if piece_is_first { pair.collider1 } else { pair.collider2 };
            let pose = self.colliders.get(piece)?.position();
            let is_turned = |manifold: &ContactManifold| {
                // Fixed pieces are where they were, so their side of the manifold tells what its normal was.
                let (part, local, sign) = if piece_is_first {
                    (manifold.subshape_pos1(), manifold.local_n1, 1.0)
                } else {
                    (manifold.subshape_pos2(), manifold.local_n2, -1.0)
                };
                let local = part.map_or(local, |part| part.rotation * local);
                !manifold.points.is_empty()
                    && (pose.rotation * local * sign).distance(manifold.data.normal) > NEAR_NORMAL
            };
            pair.solver_manifolds().iter().any(is_turned).then_some(piece)
        })
    }

    /// Does the engine look for contacts of this body in every step, because it moves too far for them to be kept? Then the
    /// hook flag costs it nothing.
    pub fn is_restless(&self, body: &RigidBody) -> bool {
        body.linvel().length() * self.dt > self.recycle_distance
    }

    /// The box `bounds` of a collider, and all that it can reach in this step if nothing touches it.
    pub fn way_of(&self, bounds: &Aabb, body: &RigidBody) -> Aabb {
        let flown = body.linvel() * self.dt;
        // What turns stays within the ball around its centre of mass; what falls, falls by this much more.
        let mass = body.mass_properties();
        let turned = if body.angvel() == Vector::ZERO { 0.0 } else { 2.0 * mass.max_extent() };
        let fallen = self.gravity.length() * body.gravity_scale().abs() * self.dt * self.dt;
        let pushed = (mass.effective_inv_mass * body.user_force()).length() * self.dt * self.dt;
        let reach = Vector::splat(self.slop + turned + fallen + pushed);
        Aabb::new(bounds.mins.min(bounds.mins + flown) - reach, bounds.maxs.max(bounds.maxs + flown) + reach)
    }

    /// The box around a collider within which the engine looks for contacts.
    pub fn reach_of(&self, source: &Collider, body: &RigidBody) -> Aabb {
        let place = source.position_wrt_parent().copied().unwrap_or(Pose::IDENTITY);
        // The engine looks farther where it is asked to predict motion.
        let predicted = body.soft_ccd_prediction().min(body.linvel().length() * self.dt).max(0.0);
        // Its answers are a little beyond what it was asked for.
        let reach = self.tolerances.prediction + self.slop + source.contact_skin() + predicted;
        source.shape().compute_aabb(&(*body.position() * place)).loosened(reach.max(0.0))
    }
}
