//! First question: does the pair itself have contact points?

use super::{PosedCollider, Reference, References};
use crate::seams::is_corrected;
use rapier3d::prelude::*;

/// \[1] The normals of two faces have a smaller cosine (30°). While a contact is recycled its normal stays where it was when the
/// engine last looked, which is never farther off than that.
const OTHER_FACE_COSINE: Real = 0.866;

/// \[1] The same where the hook looks at the contacts in every step, so that none is recycled (0.25°): the engine's normal of a
/// cylinder's line may be off by any angle, in the middle of a face.
const OTHER_NORMAL_COSINE: Real = 0.99999;

/// \[1] Manifolds of one pair whose normals have a greater cosine (6°) may reach the solver as one: Rapier merges those within 5°.
const MERGED_COSINE: Real = 0.9945;

/// The faces on which `pair` has a contact point within `prediction`, as seen from `source`.
///
/// Rapier recycles contacts: the points may be older than the step, by up to 5 cm of drift
/// (`geometry/narrow_phase/pair_update.rs`). They are fixed to the shapes, so their distance is measured afresh at the
/// poses of the step's start.
///
/// What the contact hook took from the solver, because the joined surface has no face there, carries nothing: the inner side of
/// the piece that the source has just left would excuse a wall ahead. Where the hook gave the points to another face, it is
/// that one.
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
        if is_taken(pair, source, (first.pose, outward1)) {
            continue;
        }
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
    let moved =
        pair.solver_manifolds().iter().filter(|manifold| is_moved(manifold, source, (first.pose, source_is_first)));
    references.extend(moved.filter_map(|manifold| of_solver(manifold, source_is_first)));
    references
}

/// The world normal with which the engine made a manifold, out of the first collider.
fn raw_normal(manifold: &ContactManifold, first: Pose) -> Vector {
    manifold.subshape_pos1().map_or(first, |sub| first * *sub).rotation * manifold.local_n1
}

/// Did the hook give the contacts to another face? Asked of targets that feel no impulse: their points are in world space.
fn is_moved(manifold: &ContactManifold, source: &PosedCollider, (first, source_is_first): (Pose, bool)) -> bool {
    let told = manifold.data.normal;
    let dominance = manifold.data.relative_dominance;
    let is_massless = if source_is_first { dominance < 0 } else { dominance > 0 };
    let least = if is_corrected(source.collider) { OTHER_NORMAL_COSINE } else { OTHER_FACE_COSINE };
    is_massless && told != Vector::ZERO && told.dot(raw_normal(manifold, first)) < least
}

/// Did the hook take all contacts with this normal from the solver, or give them to another face? The engine itself tells the
/// solver of every point within its prediction distance.
fn is_taken(pair: &ContactPair, source: &PosedCollider, (first, normal): (Pose, Vector)) -> bool {
    let mut told = pair
        .solver_manifolds()
        .iter()
        .filter(|manifold| !manifold.points.is_empty() && raw_normal(manifold, first).dot(normal) >= MERGED_COSINE)
        .peekable();
    let source_is_first = pair.collider1 == source.handle;
    let is_dropped = |manifold: &ContactManifold| {
        is_moved(manifold, source, (first, source_is_first))
            || is_corrected(source.collider) && manifold.data.solver_contacts.is_empty()
    };
    told.peek().is_some() && told.all(is_dropped)
}

/// The face that the solver was told of, at a fixed target.
fn of_solver(manifold: &ContactManifold, source_is_first: bool) -> Option<Reference> {
    let nearest = manifold.data.solver_contacts.iter().min_by(|a, b| a.dist.total_cmp(&b.dist))?;
    let (normal, point) = if source_is_first {
        (-manifold.data.normal, nearest.anchor2)
    } else {
        (manifold.data.normal, nearest.anchor1)
    };
    Some(Reference { normal, point, distance: nearest.dist })
}
