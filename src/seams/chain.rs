//! Which fixed colliders are joined: they touch, or others between them do.

use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d::prelude::*;
use smallvec::SmallVec;

/// Colliders that a chain may have; the pieces that one body crosses in one step are far fewer.
const MAX_LINKS: usize = 64;

/// Where chains of fixed colliders are looked for.
#[derive(Copy, Clone)]
pub(crate) struct Chains<'a> {
    pub bvh: &'a Bvh,
    pub bodies: &'a RigidBodySet,
    pub colliders: &'a ColliderSet,
    /// \[length] Boxes nearer than this touch.
    pub unevenness: Real,
}

impl Chains<'_> {
    /// Is there a chain of fixed colliders from `from` to `to` whose boxes touch one after the other, all of them in
    /// `region`?
    ///
    /// Boxes are enough: what hangs together by boxes alone is told apart by its faces, when one of them is hit.
    pub fn join(&self, from: ColliderHandle, to: ColliderHandle, region: &Aabb) -> bool {
        let mut links: SmallVec<[ColliderHandle; 16]> = SmallVec::from_elem(from, 1);
        let mut next = 0;
        while let Some(link) = links.get(next).copied() {
            next += 1;
            let Some(bounds) = self.fixed_box(link) else { continue };
            let around = bounds.loosened(self.unevenness);
            for leaf in self.bvh.intersect_aabb(&around) {
                let Some((_, other)) = self.colliders.get_unknown_gen(leaf) else { continue };
                if links.contains(&other) {
                    continue;
                }
                let Some(bounds) = self.fixed_box(other) else { continue };
                if !bounds.intersects(&around) || !bounds.intersects(region) {
                    continue;
                }
                if other == to {
                    return true;
                }
                if links.len() < MAX_LINKS {
                    links.push(other);
                }
            }
        }
        false
    }

    /// The box of a collider that is fixed and solid.
    fn fixed_box(&self, handle: ColliderHandle) -> Option<Aabb> {
        let collider = self.colliders.get(handle)?;
        let is_fixed = collider.parent().is_none_or(|body| self.bodies.get(body).is_some_and(RigidBody::is_fixed));
        (is_fixed && collider.is_enabled() && !collider.is_sensor()).then(|| collider.compute_aabb())
    }
}
