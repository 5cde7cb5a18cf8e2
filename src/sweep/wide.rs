//! Impacts on wide faces: what falls on a floor of hundreds of metres.
//!
//! Queries for contacts and times of impact lose their way on such shapes, in single precision: a body the size of a hand would fall
//! through. It hits the middle of one face then, and when it does its support point tells.

use super::approach::{Approach, Strike};
use super::landing::is_within;
use super::{Hit, PairSweep};
use crate::element::{Element, ElementShape};
use rapier3d::math::{Real, Vector};
use rapier3d::parry::shape::TypedShape;
use smallvec::SmallVec;

/// The cosine of the angle (0.8°) within which two faces are one.
const ONE_FACE: Real = 0.9999;

/// A face's unit normal out of the element, and its coordinate along that, in the target's frame.
type Plane = (Vector, Real);

impl PairSweep<'_> {
    /// The impact of the part on the middle of a face of an element that does not move: the last face whose plane it crosses of those
    /// that it is in front of. `None` if it does not get through all of them, or comes down beside the face.
    pub(super) fn strike_wide(&self, element: &Element, approach: &Approach) -> Option<Strike> {
        if !self.motion.is_past_fixed() {
            return None;
        }
        let planes = planes(element);
        let mut last: Option<(Real, Plane)> = None;
        for (normal, offset) in &planes {
            if self.path.lowest_at_start(*normal) >= *offset {
                let fraction = self.path.crosses(*normal, *offset)?;
                if last.is_none_or(|(latest, _)| fraction > latest) {
                    last = Some((fraction, (*normal, *offset)));
                }
            }
        }
        let (fraction, (normal, offset)) = last?;
        let lowest = self.part.shape.as_support_map()?.support_point(&self.source_pose(fraction), -normal);
        let foot = lowest - normal * (normal.dot(lowest) - offset);
        let is_on_face = match &element.shape {
            ElementShape::Triangle(triangle, _) => is_within(&triangle.transformed(&element.local), foot, 0.0),
            _ => planes.iter().all(|(normal, offset)| normal.dot(foot) <= *offset + self.rules.tolerances.slop),
        };
        if !is_on_face {
            return None;
        }
        let hit = Hit::new(fraction, element.id, self.motion.direction_in_world(normal));
        approach.strike(hit, self.motion.point_in_world(foot, fraction))
    }
}

/// The faces of an element that is bounded by planes; none for others.
fn planes(element: &Element) -> SmallVec<[Plane; 6]> {
    let place = element.local;
    let mut planes: SmallVec<[Plane; 6]> = SmallVec::new();
    let mut add = |normal: Vector, point: Vector| {
        let normal = place.rotation * normal;
        let offset = normal.dot(place * point);
        // Faces of a hull that are one to the eye are cut apart by roundings: the outer one counts.
        match planes.iter_mut().find(|(known, _)| known.dot(normal) > ONE_FACE) {
            Some(known) if known.1 < offset => *known = (normal, offset),
            Some(_) => {}
            None => planes.push((normal, offset)),
        }
    };
    match &element.shape {
        ElementShape::Triangle(triangle, normal) => {
            add(*normal, triangle.a);
            add(-*normal, triangle.a);
        }
        ElementShape::Whole(shape) => match shape.as_typed_shape() {
            TypedShape::Cuboid(cuboid) => {
                for axis in [Vector::X, Vector::Y, Vector::Z] {
                    add(axis, cuboid.half_extents);
                    add(-axis, -cuboid.half_extents);
                }
            }
            TypedShape::ConvexPolyhedron(hull) => {
                for face in hull.faces() {
                    let corner = hull.vertices_adj_to_face()[face.first_vertex_or_edge as usize];
                    add(face.normal, hull.points()[corner as usize]);
                }
            }
            _ => {}
        },
        ElementShape::Voxel(_) | ElementShape::Segment(_) => {}
    }
    planes
}
