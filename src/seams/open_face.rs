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
        face_at(touched.shape, self.part, local, (SAME_NORMAL, unevenness)).is_some()
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

/// The normal of the face that passes through `point`, if it is `near` the given one. Both are in the frame of `shape`: the face
/// is one of the shape itself, of the child `part` of a compound, or the triangle `part` of a mesh or height field. A
/// triangle has a normal on either side.
pub(super) fn face_at(
    shape: &dyn Shape,
    part: u32,
    (normal, point): (Vector, Vector),
    (near, unevenness): (Real, Real),
) -> Option<Vector> {
    let face = |face: Vector, origin: Vector| {
        (face.distance(normal) < near && face.dot(point - origin).abs() <= unevenness).then_some(face)
    };
    let of_triangle = |triangle: Triangle| {
        triangle.normal().and_then(|normal| face(normal, triangle.a).or_else(|| face(-normal, triangle.a)))
    };
    match shape.as_typed_shape() {
        TypedShape::Cuboid(cuboid) => [Vector::X, Vector::Y, Vector::Z].into_iter().find_map(|axis| {
            let side = axis * normal.dot(axis).signum();
            face(side, side * cuboid.half_extents)
        }),
        TypedShape::ConvexPolyhedron(hull) => hull.faces().iter().find_map(|side| {
            let corner = hull.vertices_adj_to_face()[side.first_vertex_or_edge as usize];
            face(side.normal, hull.points()[corner as usize])
        }),
        TypedShape::HalfSpace(half) => face(half.normal, Vector::ZERO),
        TypedShape::TriMesh(mesh) if (part as usize) < mesh.indices().len() => of_triangle(mesh.triangle(part)),
        TypedShape::HeightField(field) => field.triangle_at_id(part).and_then(of_triangle),
        TypedShape::Compound(compound) => compound.shapes().get(part as usize).and_then(|(place, child)| {
            let local = (place.rotation.inverse() * normal, place.inverse_transform_point(point));
            let is_simple = child.as_compound().is_none();
            let face = is_simple.then(|| face_at(child.as_ref(), 0, local, (near, unevenness))).flatten()?;
            Some(place.rotation * face)
        }),
        _ => None,
    }
}
