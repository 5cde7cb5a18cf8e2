//! What kinds of bodies and colliders meet at seams.

use rapier3d::parry::shape::Shape;
use rapier3d::prelude::*;

/// Does nothing lock single axes of the body? What locks forbid must not be asked of the solver: it would throw the body. One
/// that cannot turn at all is as simple as a free one.
pub(super) fn moves_freely(body: &RigidBody) -> bool {
    let locked = body.locked_axes();
    locked.is_empty() || locked == LockedAxes::ROTATION_LOCKED
}

/// Do contacts of this collider come from an iteration? It ends at the limit of precision when shapes just touch, and now
/// and then gives a normal that no face has, also in the middle of a face.
pub(super) fn is_iterated(collider: &Collider) -> bool {
    use ShapeType::{Cone, ConvexPolyhedron, Cylinder, RoundCone, RoundConvexPolyhedron, RoundCylinder};
    matches!(
        collider.shape().shape_type(),
        Cylinder | RoundCylinder | Cone | RoundCone | ConvexPolyhedron | RoundConvexPolyhedron
    )
}

/// Is the shape one with edges, or a cylinder? Balls and capsules touch a face at one point below their core, and are not caught.
pub(super) fn has_edges(collider: &Collider) -> bool {
    is_flat_sided(collider.shape()) || is_iterated(collider)
}

/// Does the shape lie on a flat side?
pub(super) fn is_flat_sided(shape: &dyn Shape) -> bool {
    matches!(shape.shape_type(), ShapeType::Cuboid | ShapeType::ConvexPolyhedron)
}

/// Is the shape made of many parts of which the engine takes each for itself?
pub(super) fn is_composite(shape: &dyn Shape) -> bool {
    shape.as_composite_shape().is_some() || shape.as_heightfield().is_some()
}

/// Is the shape bounded by flat faces that may continue those of another? A half-space has no end, and round shapes have no
/// faces: their contacts are the engine's.
pub(super) fn is_faceted(shape: &dyn Shape) -> bool {
    use ShapeType::{Compound, ConvexPolyhedron, Cuboid, HeightField, TriMesh, Triangle, Voxels};
    match shape.shape_type() {
        Compound => shape
            .as_compound()
            .is_some_and(|compound| compound.shapes().iter().all(|(_, child)| is_faceted(child.as_ref()))),
        kind => matches!(kind, Cuboid | ConvexPolyhedron | TriMesh | Triangle | HeightField | Voxels),
    }
}

/// Is `collider` fixed, and solid for `source`?
pub(super) fn is_piece_for(source: &Collider, collider: &Collider, bodies: &RigidBodySet) -> bool {
    collider.is_enabled()
        && !collider.is_sensor()
        && is_faceted(collider.shape())
        && source.collision_groups().test(collider.collision_groups())
        && source.solver_groups().test(collider.solver_groups())
        && collider.parent().is_none_or(|body| bodies.get(body).is_some_and(RigidBody::is_fixed))
}
