//! First question: does the pair itself have contact points?

use super::{PosedCollider, Reference, References};
use rapier3d::prelude::*;

/// The faces on which `pair` has a contact point within `prediction`, as seen from `source`.
///
/// Rapier recycles contacts: the points may be older than the step, by up to 5 cm of drift
/// (`geometry/narrow_phase/pair_update.rs`). They are fixed to the shapes, so their distance is measured afresh at the
/// poses of the step's start.
pub(super) fn references(
    pair: &ContactPair,
    source: &PosedCollider,
    target: &PosedCollider,
    prediction: Real,
) -> References {
    let source_is_first = pair.collider1 == source.handle;
    let (first, second) = if source_is_first { (source, target) } else { (target, source) };
    let skins = source.collider.contact_skin() + target.collider.contact_skin();

    let mut references = References::new();
    for manifold in pair.manifolds() {
        let pose1 = manifold.subshape_pos1().map_or(first.pose, |sub| first.pose * *sub);
        let pose2 = manifold.subshape_pos2().map_or(second.pose, |sub| second.pose * *sub);
        let outward1 = pose1.rotation * manifold.local_n1;
        let normal = if source_is_first { -outward1 } else { outward1 };

        let nearest = manifold
            .points
            .iter()
            .map(|contact| {
                let (p1, p2) = (pose1 * contact.local_p1, pose2 * contact.local_p2);
                let point = if source_is_first { p2 } else { p1 };
                Reference { normal, point, distance: (p2 - p1).dot(outward1) - skins }
            })
            .filter(|reference| reference.distance <= prediction)
            .min_by(|a, b| a.distance.total_cmp(&b.distance));
        references.extend(nearest);
    }
    references
}
