//! The cheap answer: a face that nothing stands in front of.

use super::surface::{Piece, SAME_NORMAL};
use rapier3d::math::{Real, Vector};
use rapier3d::parry::bounding_volume::Aabb;
use rapier3d::parry::shape::{Shape, Triangle, TypedShape};
use rapier3d::prelude::*;

/// A plane that touches a piece, with the points where it does.
pub(super) struct TouchedPlane {
    /// Unit, out of the piece.
    pub normal: Vector,
    /// One of the contact points.
    pub point: Vector,
    /// The box of the contact points and all that matters to them.
    pub bounds: Aabb,
    /// What of the piece was touched: a child of a compound, a triangle of a mesh.
    pub part: u32,
}

impl TouchedPlane {
    /// Is this the plane of a face of `touched`, with none of the others rising above it by more than `unevenness`? Then the
    /// contacts are those of the joined surface, and need no closer look. This settles nearly all of them.
    pub fn is_open_face<'p>(
        &self,
        touched: &Piece,
        mut others: impl Iterator<Item = Piece<'p>>,
        unevenness: Real,
    ) -> bool {
        let local = (touched.pose.rotation.inverse() * self.normal, touched.pose.inverse_transform_point(self.point));
        is_on_face(touched.shape, self.part, local, unevenness)
            && others.all(|other| self.height_of(other.shape, &other.pose) <= unevenness)
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
        highest - self.normal.dot(self.point)
    }
}

/// Is `normal` that of a face that passes through `point`, both in the frame of `shape`: a face of the shape itself, of the
/// child `part` of a compound, or the triangle `part` of a mesh or height field? A triangle has a normal on either side.
fn is_on_face(shape: &dyn Shape, part: u32, (normal, point): (Vector, Vector), unevenness: Real) -> bool {
    let is_face = |face: Vector, origin: Vector| {
        face.distance(normal) < SAME_NORMAL && face.dot(point - origin).abs() <= unevenness
    };
    let is_triangle = |triangle: Triangle| {
        triangle.normal().is_some_and(|face| is_face(face, triangle.a) || is_face(-face, triangle.a))
    };
    match shape.as_typed_shape() {
        TypedShape::Cuboid(cuboid) => [Vector::X, Vector::Y, Vector::Z].into_iter().any(|axis| {
            let side = axis * normal.dot(axis).signum();
            is_face(side, side * cuboid.half_extents)
        }),
        TypedShape::ConvexPolyhedron(hull) => hull.faces().iter().any(|face| {
            let corner = hull.vertices_adj_to_face()[face.first_vertex_or_edge as usize];
            is_face(face.normal, hull.points()[corner as usize])
        }),
        TypedShape::HalfSpace(half) => is_face(half.normal, Vector::ZERO),
        TypedShape::TriMesh(mesh) if (part as usize) < mesh.indices().len() => is_triangle(mesh.triangle(part)),
        TypedShape::HeightField(field) => field.triangle_at_id(part).is_some_and(is_triangle),
        TypedShape::Compound(compound) => compound.shapes().get(part as usize).is_some_and(|(place, child)| {
            let local = (place.rotation.inverse() * normal, place.inverse_transform_point(point));
            child.as_compound().is_none() && is_on_face(child.as_ref(), 0, local, unevenness)
        }),
        _ => false,
    }
}
