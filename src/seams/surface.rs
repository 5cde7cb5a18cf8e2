//! The joined surface of the pieces around a contact.

use super::facet::{ElementId, Facet, NearFacet};
use super::tolerances::SeamTolerances;
use crate::element::{Element, ElementShape, for_each_element};
use rapier3d::math::{Pose, Real, Vector};
use rapier3d::parry::bounding_volume::Aabb;
use rapier3d::parry::query::PointQuery;
use rapier3d::parry::shape::Shape;
use smallvec::SmallVec;
use std::cell::OnceCell;

/// \[1] Two unit normals nearer than this are one (0.06°): at 60 m/s a body that takes the one for the other gains 0.06 m/s.
pub(super) const SAME_NORMAL: Real = 1.0e-3;

/// \[1] Two unit normals nearer than this (2°) are those of one plane, to the eye.
const FLAT: Real = 3.5e-2;

/// \[1] How far a contact's normal may be off the plane of the two faces that meet at its edge.
const OFF_FAN: Real = 1.0e-2;

/// A cuboid has six sides.
const SIDES: usize = 6;

/// The pieces around a contact, at their places.
pub(super) struct Surface<'a> {
    /// The piece that is touched comes first.
    pub pieces: SmallVec<[Piece<'a>; 8]>,
    /// Where the source is: the side from which it touches sheets.
    viewer: Vector,
    pub tolerances: SeamTolerances,
    /// The sides of the pieces that are cuboids: all contacts of a manifold, and each several times, ask for the same few.
    sides: OnceCell<SmallVec<[Facet; 4 * SIDES]>>,
}

/// A collider that is part of a surface.
#[derive(Copy, Clone)]
pub(super) struct Piece<'a> {
    pub shape: &'a dyn Shape,
    pub pose: Pose,
}

/// The facets near a point.
pub(super) type Facets<'a> = SmallVec<[NearFacet<'a>; 12]>;

impl<'a> Surface<'a> {
    /// The surface that these pieces make up, seen from `viewer`.
    pub fn new(pieces: SmallVec<[Piece<'a>; 8]>, viewer: Vector, tolerances: SeamTolerances) -> Self {
        Self { pieces, viewer, tolerances, sides: OnceCell::new() }
    }

    /// The facets of all pieces within `reach` of `point`.
    pub fn facets_near(&self, point: Vector, reach: Real) -> Facets<'_> {
        let mut facets = Facets::new();
        for piece in 0..self.pieces.len() {
            self.facets_of_piece(piece, (point, reach), &mut facets);
        }
        facets
    }

    /// The facets of the piece that is touched within `reach` of `point`.
    pub fn own_facets_near(&self, point: Vector, reach: Real) -> Facets<'_> {
        let mut facets = Facets::new();
        self.facets_of_piece(0, (point, reach), &mut facets);
        facets
    }

    fn facets_of_piece<'s>(&'s self, piece: usize, (point, reach): (Vector, Real), facets: &mut Facets<'s>) {
        if let Some(sides) = self.sides_of(piece) {
            facets.extend(sides.iter().filter(|side| side.is_near(point, reach)).map(NearFacet::Kept));
            return;
        }
        self.for_each_element_near(piece, (point, reach), &mut |element, id| {
            Facet::for_each(element, (id, &self.pieces[piece].pose, self.viewer), &mut |facet| {
                if facet.is_near(point, reach) {
                    facets.push(NearFacet::Made(facet));
                }
            });
        });
    }

    /// All facets of the elements of the touched piece within `reach` of `point`, however far the facets are.
    pub fn own_facets_of_elements_near(&self, point: Vector, reach: Real) -> Facets<'_> {
        let mut facets = Facets::new();
        if let Some(sides) = self.sides_of(0) {
            facets.extend(sides.iter().map(NearFacet::Kept));
            return facets;
        }
        self.for_each_element_near(0, (point, reach), &mut |element, id| {
            Facet::for_each(element, (id, &self.pieces[0].pose, self.viewer), &mut |facet| {
                facets.push(NearFacet::Made(facet));
            });
        });
        facets
    }

    /// The sides of a piece that is a cuboid.
    fn sides_of(&self, piece: usize) -> Option<&[Facet]> {
        self.pieces[piece].shape.as_cuboid()?;
        let sides = self.sides.get_or_init(|| {
            let mut sides = SmallVec::new();
            for (piece, Piece { shape, pose }) in self.pieces.iter().enumerate() {
                if shape.as_cuboid().is_some() {
                    let id = ElementId { piece, element: 0 };
                    let whole = Element { id: 0, local: Pose::IDENTITY, shape: ElementShape::Whole(*shape) };
                    Facet::for_each(&whole, (id, pose, self.viewer), &mut |side| sides.push(side));
                }
            }
            sides
        });
        let first = sides.iter().position(|side| side.element.piece == piece)?;
        sides.get(first..first + SIDES)
    }

    fn for_each_element_near(
        &self,
        piece: usize,
        (point, reach): (Vector, Real),
        visit: &mut dyn FnMut(&Element, ElementId),
    ) {
        let Piece { shape, pose } = self.pieces[piece];
        let local = pose.inverse_transform_point(point);
        let bounds = Aabb::new(local - Vector::splat(reach), local + Vector::splat(reach));
        for_each_element(shape, &bounds, &mut |element| {
            visit(element, ElementId { piece, element: element.id });
        });
    }

    /// Does the touched piece have more than two planes near `point`?
    pub fn is_rough_near(&self, point: Vector) -> bool {
        let mut normals: SmallVec<[Vector; 3]> = SmallVec::new();
        for facet in self.own_facets_near(point, self.tolerances.reach) {
            if normals.iter().all(|normal| normal.distance(facet.normal) >= FLAT) {
                normals.push(facet.normal);
            }
        }
        normals.len() > 2
    }

    /// Can anything touch `facet` near `point`? Not where the room in front of it is filled by another element.
    pub fn is_exposed(&self, facet: &Facet, point: Vector) -> bool {
        let inside = self.inside(facet, point);
        !self.is_filled(inside + facet.normal * self.tolerances.front, facet)
    }

    /// The point of a flat face that is nearest to `point`, but clear of the face's sides.
    fn inside(&self, facet: &Facet, point: Vector) -> Vector {
        let mut others = Facets::new();
        if facet.is_triangle {
            self.facets_of_piece(facet.element.piece, (point, 2.0 * self.tolerances.depth), &mut others);
            others.retain(|other| other.element != facet.element && other.normal.distance(facet.normal) < SAME_NORMAL);
        }
        facet.inset(facet.nearest(point), self.tolerances.depth, &others)
    }

    /// Is `point` inside an element, or just behind a sheet? The element of `facet` does not count.
    pub fn is_filled(&self, point: Vector, facet: &Facet) -> bool {
        let mut filled = false;
        // Sheets have no inside: what is behind them counts as filled, as deep as contact points may lie.
        let behind = self.tolerances.behind();
        for piece in 0..self.pieces.len() {
            if filled {
                break;
            }
            let Piece { shape, pose } = &self.pieces[piece];
            if let Some(cuboid) = shape.as_cuboid() {
                let is_its_own = facet.element == (ElementId { piece, element: 0 });
                filled = !is_its_own && cuboid.contains_local_point(pose.inverse_transform_point(point));
                continue;
            }
            self.for_each_element_near(piece, (point, behind), &mut |element, id| {
                if filled || id == facet.element {
                    return;
                }
                filled = match &element.shape {
                    ElementShape::Triangle(..) => {
                        let mut is_behind = false;
                        Facet::for_each(element, (id, &self.pieces[piece].pose, self.viewer), &mut |sheet| {
                            let height = sheet.height_of(point);
                            let flat = point - sheet.normal * height;
                            is_behind = height < 0.0
                                && height >= -behind
                                && sheet.nearest(flat).distance(flat) <= self.tolerances.unevenness;
                        });
                        is_behind
                    }
                    ElementShape::Segment(_) => false,
                    ElementShape::Voxel(cuboid) => {
                        cuboid.contains_point(&(self.pieces[piece].pose * element.local), point)
                    }
                    ElementShape::Whole(shape) => {
                        shape.contains_point(&(self.pieces[piece].pose * element.local), point)
                    }
                };
            });
        }
        filled
    }

    /// Does the joined surface pass through `point`, within its unevenness?
    pub fn covers(&self, point: Vector) -> bool {
        self.facets_near(point, self.tolerances.unevenness).iter().any(|facet| self.is_exposed(facet, point))
    }
}

impl Surface<'_> {
    /// May a convex edge or corner where these exposed facets meet at `point` give a contact the normal `normal`?
    pub fn is_in_fan(&self, normal: Vector, facets: &[NearFacet], point: Vector) -> bool {
        let meets = |a: &Facet, b: &Facet| self.meet_convexly(a, b, point);
        for (i, a) in facets.iter().enumerate() {
            for (j, b) in facets.iter().enumerate().skip(i + 1) {
                if !meets(a, b) {
                    continue;
                }
                let edge = a.normal.cross(b.normal);
                let sine = edge.length();
                if (normal.dot(edge) / sine).abs() <= OFF_FAN
                    && a.normal.cross(normal).dot(edge) >= -OFF_FAN * sine
                    && normal.cross(b.normal).dot(edge) >= -OFF_FAN * sine
                {
                    return true;
                }
                for c in &facets[j + 1..] {
                    if meets(a, c) && meets(b, c) && is_between(normal, [a.normal, b.normal, c.normal]) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Do the facets fall away from each other at `point`?
    pub fn meet_convexly(&self, a: &Facet, b: &Facet, point: Vector) -> bool {
        if a.normal.distance(b.normal) < SAME_NORMAL {
            return false;
        }
        let inside = |facet: &Facet| self.inside(facet, point);
        let sine = a.normal.cross(b.normal).length();
        let below = -0.1 * sine * self.tolerances.depth;
        a.normal.dot(inside(b) - a.nearest(point)) < below && b.normal.dot(inside(a) - b.nearest(point)) < below
    }
}

/// Is `normal` a sum of the three with no negative part?
fn is_between(normal: Vector, [a, b, c]: [Vector; 3]) -> bool {
    let volume = a.dot(b.cross(c));
    if volume.abs() < OFF_FAN {
        return false;
    }
    let parts = [normal.dot(b.cross(c)), a.dot(normal.cross(c)), a.dot(b.cross(normal))];
    parts.iter().all(|part| part / volume >= -OFF_FAN)
}
