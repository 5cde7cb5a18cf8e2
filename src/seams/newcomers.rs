//! Colliders that the broad phase does not know yet.

use rapier3d::parry::partitioning::BvhBuildStrategy;
use rapier3d::prelude::*;

/// The colliders that were inserted, or enabled, since the last step: the engine takes them in during the next one, and
/// finds contacts for them at once.
///
/// They are told from the broad phase's tree, which has a leaf for every enabled collider. Only where the number of its
/// leaves is not the expected one are the colliders gone through.
#[derive(Default)]
pub(super) struct Newcomers {
    /// Those that no dynamic body carries, with their boxes.
    pub pieces: Vec<ColliderHandle>,
    bounds: Vec<Aabb>,
    /// A tree of the boxes; a leaf is a place in `pieces`.
    pub tree: Bvh,
    /// Those of dynamic bodies.
    pub sources: Vec<ColliderHandle>,
    /// The numbers of colliders and of leaves that were last found to hide no newcomer: disabled colliders have no leaf.
    settled: Option<(usize, u32)>,
}

impl Newcomers {
    /// Finds them.
    pub fn find(&mut self, bvh: &Bvh, bodies: &RigidBodySet, colliders: &ColliderSet) {
        if !self.pieces.is_empty() {
            self.tree = Bvh::new();
        }
        self.pieces.clear();
        self.bounds.clear();
        self.sources.clear();
        let numbers = (colliders.len(), bvh.leaf_count());
        if numbers.0 == numbers.1 as usize || self.settled == Some(numbers) {
            return;
        }
        for (handle, collider) in colliders.iter() {
            if !collider.is_enabled() || bvh.leaf_node(handle.into_raw_parts().0).is_some() {
                continue;
            }
            if collider.parent().and_then(|body| bodies.get(body)).is_some_and(RigidBody::is_dynamic) {
                self.sources.push(handle);
                continue;
            }
            let bounds = collider.compute_aabb();
            if bounds.mins.is_finite() && bounds.maxs.is_finite() {
                self.pieces.push(handle);
                self.bounds.push(bounds);
            }
        }
        if self.pieces.is_empty() && self.sources.is_empty() {
            self.settled = Some(numbers);
        }
        if !self.pieces.is_empty() {
            self.tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &self.bounds);
        }
    }
}
