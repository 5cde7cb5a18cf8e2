//! The cheap answer: a face that nothing stands in front of.

use super::surface::{Piece, SAME_NORMAL};
use rapier3d::math::{Real, Vector};
use rapier3d::parry::bounding_volume::Aabb;
use rapier3d::parry::shape::{Shape, TypedShape};
use rapier3d::prelude::*;

/// A plane that touches a piece, with the points where it does.
pub(super) struct TouchedPlane {
    /// Unit, out of the piece.
    pub normal: Vector,
    /// \[length] The least coordinate along the normal of the contact points.
    pub height: Real,
    /// The box of the contact points and all that matters to them.
    pub bounds: Aabb,
    /// What of the piece was touched: a child of a compound, a triangle of a mesh.
    pub part: u32,
}

impl TouchedPlane {
    /// Is this the plane of a face of `pieces[0]`, with none of the pieces rising above it by more than `unevenness`? Then
    /// the contacts are those of the joined surface, and need no closer look. This settles nearly all of them.
    pub fn is_open_face(&self, pieces: &[Piece], unevenness: Real) -> bool {
        let [touched, others @ ..] = pieces else { return false };
        is_face_normal(touched.shape, self.part, touched.pose.rotation.inverse() * self.normal)
            && others.iter().all(|other| self.height_of(other.shape, &other.pose) <= unevenness)
            && touched.shape.as_compound().is_none_or(|compound| {
                let near = self.bounds.transform_by(&touched.pose.inverse());
                compound.bvh().intersect_aabb(&near).all(|child| {
                    let (place, child) = &compound.shapes()[child as usize];
                    self.height_of(child.as_ref(), &(touched.pose * *place)) <= unevenness
                })
            })
    }

    /// \[length] How far the shape rises above the plane, at most.
    fn height_of(&self, shape: &dyn Shape, pose: &Pose) -> Real {
        let highest = match shape.as_support_map() {
            Some(map) => self.normal.dot(map.support_point(pose, self.normal)),
            None => {
                let aabb = shape.compute_aabb(pose);
                self.normal.dot(aabb.center()) + self.normal.abs().dot(aabb.half_extents())
            }
        };
        highest - self.height
    }
}

/// Is `normal`, in the frame of `shape`, that of a face of it, of the child `part` of a compound or of the triangle `part` of
/// a mesh or height field? A triangle has one on either side.
fn is_face_normal(shape: &dyn Shape, part: u32, normal: Vector) -> bool {
    let is_same = |face: Vector| face.distance(normal) < SAME_NORMAL;
    match shape.as_typed_shape() {
        TypedShape::Cuboid(_) => normal.abs().max_element() > 1.0 - 0.5 * SAME_NORMAL * SAME_NORMAL,
        TypedShape::ConvexPolyhedron(hull) => hull.faces().iter().any(|face| is_same(face.normal)),
        TypedShape::HalfSpace(half) => is_same(half.normal),
        TypedShape::TriMesh(mesh) if (part as usize) < mesh.indices().len() => {
            mesh.triangle(part).normal().is_some_and(|face| is_same(face) || is_same(-face))
        }
        TypedShape::HeightField(field) => {
            let face = field.triangle_at_id(part).and_then(|triangle| triangle.normal());
            face.is_some_and(|face| is_same(face) || is_same(-face))
        }
        TypedShape::Compound(compound) => compound.shapes().get(part as usize).is_some_and(|(place, child)| {
            child.as_compound().is_none() && is_face_normal(child.as_ref(), 0, place.rotation.inverse() * normal)
        }),
        _ => false,
    }
}
