//! Second question: does another piece of the same surface have contact points?

use super::{PosedCollider, References, Witnesses, direct};
use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d::prelude::*;

/// The faces of a neighbouring piece that carry `source`, and that piece.
///
/// A neighbour is another collider of the same piece group and the same fixed body as `target`. If neither is in a group,
/// it is a fixed collider that touches the target, or is joined to it by others that the source passes. Where several carry the
/// source the one with the least handle answers, so that the order of the pairs is of no consequence; the faces of all
/// of them count.
pub(super) fn references<'p>(
    witnesses: &Witnesses,
    (source, target): (&PosedCollider, &PosedCollider),
    source_pairs: impl Iterator<Item = &'p ContactPair>,
) -> Option<(ColliderHandle, References)> {
    let mut region = None;
    let mut answer: Option<(ColliderHandle, References)> = None;
    for pair in source_pairs {
        let handle = if pair.collider1 == source.handle { pair.collider2 } else { pair.collider1 };
        let Some(collider) = witnesses.colliders.get(handle) else { continue };
        if handle == target.handle
            || !witnesses.groups.may_continue((handle, collider), (target.handle, target.collider))
        {
            continue;
        }
        // Pieces are fixed: they are where they were at the step's start.
        let neighbour = PosedCollider { handle, collider, pose: *collider.position() };
        let references = direct::references(pair, source, &neighbour, witnesses.tolerances.prediction);
        if references.is_empty() {
            continue;
        }
        if witnesses.groups.get(handle).is_none() {
            let region = region.get_or_insert_with(|| region_of(source).loosened(witnesses.tolerances.prediction));
            if !witnesses.chains.is_some_and(|chains| chains.join(handle, target.handle, region)) {
                continue;
            }
        }
        match &mut answer {
            Some((least, faces)) => {
                if handle.into_raw_parts() < least.into_raw_parts() {
                    *least = handle;
                }
                faces.extend(references);
            }
            None => answer = Some((handle, references)),
        }
    }
    answer
}

/// The box of the source from the step's start to where the engine left it.
fn region_of(source: &PosedCollider) -> Aabb {
    source.collider.shape().compute_aabb(&source.pose).merged(&source.collider.compute_aabb())
}
