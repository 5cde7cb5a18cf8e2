//! The flat faces that a surface of several pieces is made of.

use crate::element::{Element, ElementShape};
use rapier3d::math::{Real, Vector};
use rapier3d::parry::shape::{ConvexPolyhedron, Cuboid, Triangle, TypedShape};
use rapier3d::prelude::*;
use smallvec::SmallVec;
use std::cell::OnceCell;
use std::ops::Deref;

/// \[length²] Sides shorter than this have no direction.
const MIN_SIDE_SQUARED: Real = 1.0e-12;

/// How far beyond a side it is looked whether the plane goes on, as a fraction of the depth.
const BEYOND: Real = 0.2;

/// How much of the depth may be missing where a point counts as inset all the same.
const STILL_INSET: Real = 0.1;

/// A convex flat face, in world space.
#[derive(Clone, Debug)]
pub(super) struct Facet {
    /// Unit, out of the solid; for a sheet, towards the source.
    pub normal: Vector,
    /// The corners, in order around the face.
    corners: SmallVec<[Vector; 4]>,
    /// The element it belongs to.
    pub element: ElementId,
    /// It may be one of many that make up a flat face: a triangle of a mesh or a height field.
    pub is_triangle: bool,
    /// Found when first needed: most facets are too far away for anyone to ask.
    sides: OnceCell<SmallVec<[Side; 4]>>,
}

/// The plane of a facet.
#[derive(Copy, Clone, Debug)]
pub(super) struct Plane {
    /// Unit, out of the solid; for a sheet, towards the source.
    pub normal: Vector,
    /// A corner of the facet.
    pub origin: Vector,
}

impl Plane {
    /// \[length] How far `point` is in front of it.
    pub fn height_of(&self, point: Vector) -> Real {
        self.normal.dot(point - self.origin)
    }

    /// The point of it below or above `point`.
    pub fn foot_of(&self, point: Vector) -> Vector {
        point - self.normal * self.height_of(point)
    }
}

/// A side of a facet.
#[derive(Copy, Clone, Debug)]
struct Side {
    from: Vector,
    to: Vector,
    /// The unit vector in the face's plane that points from it inwards.
    inwards: Vector,
}

impl Side {
    /// The point of it that is nearest to `point`.
    fn nearest(&self, point: Vector) -> Vector {
        let along = self.to - self.from;
        self.from + along * (along.dot(point - self.from) / along.length_squared()).clamp(0.0, 1.0)
    }
}

/// An element of one of the colliders around a contact.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct ElementId {
    /// The collider's place in the neighbourhood; 0 is the piece that is touched.
    pub piece: usize,
    /// The element within the collider.
    pub element: u32,
}

/// A facet near a point: one that its surface keeps, or one that was made for the question.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a box would be an allocation for each triangle near a contact")]
pub(super) enum NearFacet<'a> {
    Kept(&'a Facet),
    Made(Facet),
}

impl Deref for NearFacet<'_> {
    type Target = Facet;

    fn deref(&self) -> &Facet {
        match self {
            Self::Kept(facet) => facet,
            Self::Made(facet) => facet,
        }
    }
}

impl Facet {
    /// Calls `visit` with each facet of `element` of a collider at `pose`. Curved shapes have none. A sheet's facet looks to
    /// the side that `viewer` is on.
    pub fn for_each(element: &Element, (id, pose, viewer): (ElementId, &Pose, Vector), visit: &mut impl FnMut(Self)) {
        let place = *pose * element.local;
        match &element.shape {
            ElementShape::Triangle(triangle, normal) => {
                visit(Self::of_triangle(triangle, *normal, (id, place, viewer)))
            }
            ElementShape::Voxel(cuboid) => Self::for_each_side(cuboid, (id, place), visit),
            ElementShape::Segment(_) => {}
            ElementShape::Whole(shape) => match shape.as_typed_shape() {
                TypedShape::Cuboid(cuboid) => Self::for_each_side(cuboid, (id, place), visit),
                TypedShape::ConvexPolyhedron(hull) => Self::for_each_hull_face(hull, (id, place), visit),
                _ => {}
            },
        }
    }

    fn of_triangle(triangle: &Triangle, normal: Vector, (element, place, viewer): (ElementId, Pose, Vector)) -> Self {
        let corners = SmallVec::from_slice(&[place * triangle.a, place * triangle.b, place * triangle.c]);
        let normal = place.rotation * normal;
        let normal = if normal.dot(viewer - (place * triangle.a)) < 0.0 { -normal } else { normal };
        Self { normal, corners, element, is_triangle: true, sides: OnceCell::new() }
    }

    fn for_each_side(cuboid: &Cuboid, (element, place): (ElementId, Pose), visit: &mut impl FnMut(Self)) {
        let half = cuboid.half_extents;
        let axes = [Vector::X * half.x, Vector::Y * half.y, Vector::Z * half.z];
        for (i, axis) in axes.into_iter().enumerate() {
            let (u, v) = (axes[(i + 1) % 3], axes[(i + 2) % 3]);
            for out in [axis, -axis] {
                let corners = [out + u + v, out + u - v, out - u - v, out - u + v].map(|corner| place * corner);
                let normal = place.rotation * out.normalize_or_zero();
                let corners = SmallVec::from_slice(&corners);
                visit(Self { normal, corners, element, is_triangle: false, sides: OnceCell::new() });
            }
        }
    }

    fn for_each_hull_face(hull: &ConvexPolyhedron, (element, place): (ElementId, Pose), visit: &mut impl FnMut(Self)) {
        for face in hull.faces() {
            let first = face.first_vertex_or_edge as usize;
            let around = &hull.vertices_adj_to_face()[first..first + face.num_vertices_or_edges as usize];
            let corners = around.iter().map(|corner| place * hull.points()[*corner as usize]).collect();
            let normal = place.rotation * face.normal;
            visit(Self { normal, corners, element, is_triangle: false, sides: OnceCell::new() });
        }
    }

    /// The same facet, its normal on the side that `normal` points to.
    pub fn facing(&self, normal: Vector) -> Self {
        let facet = self.clone();
        if facet.normal.dot(normal) < 0.0 { Self { normal: -facet.normal, ..facet } } else { facet }
    }

    /// The plane it lies in.
    pub fn plane(&self) -> Plane {
        Plane { normal: self.normal, origin: self.corners[0] }
    }

    /// \[length] How far `point` is in front of the face's plane.
    pub fn height_of(&self, point: Vector) -> Real {
        self.plane().height_of(point)
    }

    /// Is the face within `reach` of `point`?
    pub fn is_near(&self, point: Vector, reach: Real) -> bool {
        self.height_of(point).abs() <= reach && self.nearest(point).distance_squared(point) <= reach * reach
    }

    /// The point of the face that is nearest to `point`.
    pub fn nearest(&self, point: Vector) -> Vector {
        let flat = point - self.normal * self.height_of(point);
        let mut nearest = flat;
        let mut least = Real::MAX;
        for side in self.sides() {
            if side.inwards.dot(flat - side.from) >= 0.0 {
                continue;
            }
            // Beyond this side: the nearest point lies on it, or on another that `flat` is beyond too.
            let on_side = side.nearest(flat);
            let distance = on_side.distance_squared(flat);
            if distance < least {
                (nearest, least) = (on_side, distance);
            }
        }
        nearest
    }

    /// `point` of the face, moved so that it is at least `depth` from every side of the face, or half way to its middle
    /// where the face is narrower. `others` are the facets around `point` that go on in its plane: sides that two of them
    /// share do not count, and those of all of them do.
    pub fn inset(&self, point: Vector, depth: Real, others: &[NearFacet]) -> Vector {
        let middle = self.middle();
        let width = self.sides().iter().fold(Real::MAX, |least, side| least.min(side.inwards.dot(middle - side.from)));
        // A sliver of a larger face is as wide as the face.
        let depth = if others.is_empty() { depth.min(0.5 * width) } else { depth };
        let mut rims: SmallVec<[&Side; 6]> = SmallVec::new();
        for facet in std::iter::once(self).chain(others.iter().map(|other| &**other)) {
            for side in facet.sides() {
                let near = side.nearest(point);
                let is_far = !std::ptr::eq(facet, self) && near.distance(point) > depth;
                if !is_far && !facet.goes_on(side, near - side.inwards * (BEYOND * depth), (self, others)) {
                    rims.push(side);
                }
            }
        }
        let missing = |at: Vector, rim: &Side| depth - rim.inwards.dot(at - rim.from);
        let moved = rims.iter().fold(point, |moved, rim| moved + rim.inwards * missing(moved, rim).max(0.0));
        if rims.iter().all(|rim| missing(moved, rim) <= STILL_INSET * depth) {
            return moved;
        }
        // In a sharp corner the way in from one side leads out by the other: there it is the way to the middle.
        let share = rims.iter().fold(0.0, |share: Real, rim| {
            let (here, there) = (missing(point, rim), missing(middle, rim));
            if here > 0.0 { share.max((here / (here - there).max(here)).min(1.0)) } else { share }
        });
        point + (middle - point) * share
    }

    /// Does one of the facets go on beyond a side of this one? `beyond` is a point beyond it.
    fn goes_on(&self, side: &Side, beyond: Vector, (first, others): (&Self, &[NearFacet])) -> bool {
        let near = beyond.distance(side.nearest(beyond));
        let all = std::iter::once(first).chain(others.iter().map(|other| &**other));
        all.filter(|facet| !std::ptr::eq(*facet, self)).any(|facet| {
            // At a corner of the whole face what is beyond a shared side may be beyond the face, hence the look at corners.
            (facet.has(side.from) && facet.has(side.to)) || facet.nearest(beyond).distance(beyond) < 0.5 * near
        })
    }

    /// Is one of its corners at `point`?
    fn has(&self, point: Vector) -> bool {
        self.corners.iter().any(|corner| corner.distance_squared(point) < MIN_SIDE_SQUARED)
    }

    fn middle(&self) -> Vector {
        self.corners.iter().fold(Vector::ZERO, |sum, corner| sum + *corner) / self.corners.len() as Real
    }

    fn sides(&self) -> &[Side] {
        self.sides.get_or_init(|| {
            let middle = self.middle();
            let mut sides = SmallVec::new();
            let mut from = self.corners[0];
            for to in self.corners[1..].iter().chain(&self.corners[..1]).copied() {
                let side = to - from;
                if side.length_squared() >= MIN_SIDE_SQUARED
                    && let Some(across) = self.normal.cross(side).try_normalize()
                {
                    let inwards = if across.dot(middle - from) < 0.0 { -across } else { across };
                    sides.push(Side { from, to, inwards });
                }
                from = to;
            }
            sides
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two triangles of an upright wall that is 0.2 high, its top at height 0, cut along either diagonal.
    fn wall(length: Real, other_diagonal: bool) -> [Facet; 2] {
        let corner = |along: Real, height: Real| Vector::new(along * length, height, 0.0);
        let (a, b, c, d) = (corner(0.0, -0.2), corner(1.0, -0.2), corner(1.0, 0.0), corner(0.0, 0.0));
        let triangles = if other_diagonal { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] };
        let facet = |corners: [Vector; 3]| Facet {
            normal: Vector::Z,
            corners: SmallVec::from_slice(&corners),
            element: ElementId { piece: 0, element: 0 },
            is_triangle: true,
            sides: OnceCell::new(),
        };
        triangles.map(facet)
    }

    #[test]
    fn a_point_is_inset_from_the_rim_of_the_whole_wall() {
        // Walls of many lengths: at the corners of each, its triangles are sharp in one way or the other. Wherever the point
        // of the top rim is, the wall has room for one that is 20 mm from all four sides, and so has its triangle.
        for length in [0.25, 0.3, 0.36, 0.5, 1.0, 3.0] {
            for diagonal in [false, true] {
                let [first, second] = wall(length, diagonal);
                for (facet, other) in [(&first, &second), (&second, &first)] {
                    for step in 0..=20 {
                        let point = facet.nearest(Vector::new(length * step as Real / 20.0, 0.0, 0.0));
                        let inset = facet.inset(point, 0.02, &[NearFacet::Kept(other)]);
                        let from_rim = [inset.x, length - inset.x, -inset.y, inset.y + 0.2];
                        assert!(
                            from_rim.iter().all(|distance| *distance > 0.017),
                            "{length} m, at {point}: {inset}, {from_rim:?} from the sides"
                        );
                    }
                }
            }
        }
    }
}
