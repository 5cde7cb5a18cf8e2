//! Colliders that the broad phase does not know yet.

use crate::surfaces::is_massless;
use rapier3d::parry::partitioning::BvhBuildStrategy;
use rapier3d::prelude::*;

/// The colliders that were inserted, or enabled, since the last step: the engine takes them in during the next one, and
/// finds contacts for them at once.
///
/// They are told from the broad phase's tree, which has a leaf for every enabled collider. Where leaves are missing, all
/// colliders are gone through for those that have none; which of them will not get one either is kept, as a guess. The next
/// step looks at the guessed ones only: if they have no leaf and are not to get one, and are as many as are missing, then no
/// other collider is without a leaf, whatever world the guess was made in.
#[derive(Default)]
pub(super) struct Newcomers {
    /// Those that no dynamic body carries, with their boxes.
    pub pieces: Vec<ColliderHandle>,
    bounds: Vec<Aabb>,
    /// A tree of the boxes; a leaf is a place in `pieces`.
    pub tree: Bvh,
    /// Those of dynamic bodies.
    pub sources: Vec<ColliderHandle>,
    /// The guess: each collider without a leaf that was left out of the tree when the colliders were last gone through.
    left_out: Vec<ColliderHandle>,
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
        let has_leaf = |handle: ColliderHandle| bvh.leaf_node(handle.into_raw_parts().0).is_some();
        let is_left_out =
            |handle: &ColliderHandle| !has_leaf(*handle) && colliders.get(*handle).is_some_and(stays_out_of_tree);
        let missing = colliders.len().checked_sub(bvh.leaf_count() as usize);
        if missing == Some(self.left_out.len()) && self.left_out.iter().all(is_left_out) {
            return;
        }
        self.left_out.clear();
        for (handle, collider) in colliders.iter().filter(|(handle, _)| !has_leaf(*handle)) {
            if stays_out_of_tree(collider) {
                self.left_out.push(handle);
            } else if !is_massless(collider, bodies) {
                self.sources.push(handle);
            } else {
                self.pieces.push(handle);
                self.bounds.push(collider.compute_aabb());
            }
        }
        if !self.pieces.is_empty() {
            self.tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &self.bounds);
        }
    }
}

/// Does the engine give the collider no leaf in the tree: because it is disabled, or has no finite box?
fn stays_out_of_tree(collider: &Collider) -> bool {
    let is_finite = || {
        let bounds = collider.compute_aabb();
        bounds.mins.is_finite() && bounds.maxs.is_finite()
    };
    !collider.is_enabled() || !is_finite()
}
