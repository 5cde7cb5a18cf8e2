//! Contacts at seams, as the joined surface would give them.

use super::NEAR_NORMAL;
use super::facet::{Facet, NearFacet, Plane};
use super::lowest::TouchingPart;
use super::surface::{SAME_NORMAL, Surface};
use rapier3d::geometry::{ContactId, NEW_CONTACT_BIT};
use rapier3d::prelude::*;
use smallvec::SmallVec;

/// What the joined surface says of a contact point with a given normal.
#[derive(Copy, Clone)]
enum Judgement {
    /// A face gives this normal.
    Face,
    /// A real edge may give it; or, if the source is over it and as far from it by its own measure, this face.
    Edge(Option<Plane>),
    /// No outside face does; this is the plane of the nearest that the piece has there.
    Seam(Plane),
    /// The piece has no outside face there.
    Buried,
}

impl Judgement {
    /// The contact is one of the joined surface.
    fn is_real(&self) -> bool {
        matches!(self, Self::Face | Self::Edge(_))
    }
}

/// A manifold of the engine has no more points.
const MAX_POINTS: usize = 4;

type Points = SmallVec<[Vector; MAX_POINTS]>;

/// The contacts of one manifold: of a source with the first piece of a surface.
pub(super) struct Contacts<'a> {
    pub list: &'a mut SolverContacts,
    /// Unit, from the first to the second collider.
    pub normal: &'a mut Vector,
    /// The piece is the first collider.
    pub piece_is_first: bool,
    /// \[length] The skins of both colliders.
    pub skins: Real,
    /// How many points the manifold has. The engine keeps what it knows of a contact with one of them, and of two contacts
    /// with the same it would mix that up.
    pub places: usize,
}

impl Contacts<'_> {
    /// The normal out of the piece.
    fn outward(&self) -> Vector {
        if self.piece_is_first { *self.normal } else { -*self.normal }
    }

    /// The points on piece and source.
    fn anchors(&self, contact: &SolverContact) -> (Vector, Vector) {
        if self.piece_is_first { (contact.anchor1, contact.anchor2) } else { (contact.anchor2, contact.anchor1) }
    }

    /// Gives every contact the normal and the distance that the joined surface would give, and drops those that belong to
    /// a neighbour.
    pub fn correct(&mut self, surface: &Surface, source: &TouchingPart) {
        let judgements = self.judge_all(surface, source);
        if let Some(face) = face_instead_of_edge(&judgements, source) {
            self.move_to(&face, surface, source);
            return;
        }
        if judgements.iter().all(Judgement::is_real) {
            return;
        }
        // Points that the engine adds for motion to come lie anywhere on the piece, and do not tell what is touched.
        let is_real = |(contact, judgement): (&SolverContact, &Judgement)| {
            judgement.is_real() && contact.dist <= surface.tolerances.prediction
        };
        if self.list.iter().zip(&judgements).any(is_real) {
            // A manifold has one normal: what does not have it belongs to another face, which has contacts of its own.
            let mut judgements = judgements.into_iter();
            self.list.retain(|_| judgements.next().is_some_and(|judgement| judgement.is_real()));
            return;
        }
        let planes = judgements.iter().filter_map(|judgement| match judgement {
            Judgement::Seam(plane) => Some(*plane),
            _ => None,
        });
        match shallowest(planes, |plane| *plane, source) {
            Some(face) => self.move_to(&face, surface, source),
            None => self.list.clear(),
        }
    }

    /// What the joined surface says of each contact.
    fn judge_all(&self, surface: &Surface, source: &TouchingPart) -> SmallVec<[Judgement; MAX_POINTS]> {
        let outward = self.outward();
        let level = surface.tolerances.level;
        let mut judgements = SmallVec::new();
        for (i, contact) in self.list.iter().enumerate() {
            let (point, on_source) = self.anchors(contact);
            // Of a body that lies on one face and meets the side of another, every second point is just above the one before.
            let is_known = |other: &SolverContact| {
                let (known, known_on_source) = self.anchors(other);
                known.distance(point) <= level && known_on_source.distance(on_source) <= level
            };
            let judgement = match self.list[..i].iter().position(is_known) {
                Some(known) => judgements[known],
                None => judge(surface, source, ((point, on_source), outward, contact.dist)),
            };
            judgements.push(judgement);
        }
        judgements
    }

    /// Turns all contacts into contacts with `face`.
    fn move_to(&mut self, face: &Plane, surface: &Surface, source: &TouchingPart) {
        let mut points = self.points_on(face, surface, source);
        spread(&mut points, self.places);
        self.list.truncate(points.len());
        for (i, point) in points.into_iter().enumerate() {
            if i >= self.list.len() {
                let is_free = |place: &ContactId| self.list.iter().all(|other| place_of(other) != *place);
                let Some(place) = (0..self.places as ContactId).find(is_free) else { break };
                let mut added = self.list[0];
                added.contact_id = [place | NEW_CONTACT_BIT];
                self.list.push(added);
            }
            let (height, foot) = (face.height_of(point), face.foot_of(point));
            let (first, second) = if self.piece_is_first { (foot, point) } else { (point, foot) };
            let contact = &mut self.list[i];
            (contact.anchor1, contact.anchor2, contact.dist) = (first, second, height - self.skins);
        }
        *self.normal = if self.piece_is_first { face.normal } else { -face.normal };
    }

    /// The points of the source that touch `face` where that is the piece's.
    fn points_on(&self, face: &Plane, surface: &Surface, source: &TouchingPart) -> Points {
        let (outward, tolerances) = (self.outward(), &surface.tolerances);
        let is_on_piece = |foot: Vector| {
            let mut facets = surface.own_facets_near(foot, tolerances.level).into_iter();
            facets.any(|facet| facet.normal.distance(face.normal) < SAME_NORMAL)
        };
        let mut points = Points::new();
        let mut take = |point: Vector| {
            let foot = face.foot_of(point);
            let is_taken = |other: &Vector| face.foot_of(*other).distance(foot) <= tolerances.level;
            let is_far = face.height_of(point) - self.skins > tolerances.prediction;
            if points.len() < MAX_POINTS && !is_far && !points.iter().any(is_taken) && is_on_piece(foot) {
                points.push(point);
            }
        };
        let mut corners = source.underside(face.normal, tolerances.prediction);
        corners.sort_by(|a, b| face.height_of(*a).total_cmp(&face.height_of(*b)));
        let engines = self.list.iter().map(|contact| {
            let (_, on_source) = self.anchors(contact);
            source.touching(face.normal, (on_source, outward), tolerances.level)
        });
        // Points of another side of the source tell little of the one that is on this face: that stands on its corners. A little
        // aslant, they stand at different heights, and on fewer than three it would tip.
        if TouchingPart::is_same_side(face.normal, outward) {
            engines.for_each(&mut take);
            corners.drain(..).for_each(&mut take);
        } else {
            corners.drain(..).for_each(&mut take);
            engines.for_each(&mut take);
        }
        points
    }
}

/// The place among the manifold's points that the engine keeps what it knows of the contact at.
fn place_of(contact: &SolverContact) -> ContactId {
    contact.contact_id[0] & !NEW_CONTACT_BIT
}

/// Leaves `count` of the points: the first, and those that are farthest from the ones before. On these a body tips least.
fn spread(points: &mut Points, count: usize) {
    for i in 1..count.min(points.len()) {
        let (kept, rest) = points.split_at(i);
        let distance =
            |point: &Vector| kept.iter().fold(Real::MAX, |least, other| least.min(other.distance_squared(*point)));
        let farthest = (0..rest.len()).rev().max_by(|a, b| distance(&rest[*a]).total_cmp(&distance(&rest[*b])));
        points.swap(i, i + farthest.unwrap_or(0));
    }
    points.truncate(count);
}

/// The face that all contacts are moved to if none of them is with a face and one of an edge is as near to one.
fn face_instead_of_edge(judgements: &[Judgement], source: &TouchingPart) -> Option<Plane> {
    if judgements.iter().any(|judgement| matches!(judgement, Judgement::Face)) {
        return None;
    }
    let faces =
        judgements.iter().filter_map(|judgement| if let Judgement::Edge(face) = judgement { *face } else { None });
    shallowest(faces, |face| *face, source)
}

/// Judges a contact of `point` of the piece with `on_source`; `outward` is its normal out of the piece.
fn judge(
    surface: &Surface,
    source: &TouchingPart,
    ((point, on_source), outward, distance): ((Vector, Vector), Vector, Real),
) -> Judgement {
    let tolerances = &surface.tolerances;
    let is_same = |facet: &Facet| facet.normal.distance(outward) < SAME_NORMAL;
    if distance < -tolerances.reach
        && let Some(face) = shallowest_side(surface, source, (point, outward))
    {
        return if is_same(&face) { Judgement::Face } else { Judgement::Seam(face.plane()) };
    }
    let mut facets = surface.facets_near(point, tolerances.reach);
    let is_own = |facet: &Facet| facet.element.piece == 0;
    // The point of a contact that is yet to come may lie down in a groove, where there is room that the source does not get to.
    let is_to_come = distance > 0.0 && distance <= tolerances.prediction;
    let is_before_source = |facet: &Facet| !is_to_come || surface.is_exposed(facet, on_source);
    facets.retain(|facet| surface.is_exposed(facet, point) && is_before_source(facet));
    if facets.iter().any(|facet| is_own(facet) && is_same(facet)) {
        return Judgement::Face;
    }
    if surface.is_in_fan(outward, &facets, point) {
        // Convex bodies are parted by the direction along which they are farthest apart. The engine's iteration ends a little
        // before it finds that, and a body whose underside is still on the face would be let go at the edge.
        let by_edge = source.lowest(outward) - outward.dot(point);
        let is_nearer = |facet: &Facet| {
            let touching = source.touching(facet.normal, (on_source, outward), tolerances.level);
            let is_below =
                |point: &Vector| facet.is_near(*point - facet.normal * facet.height_of(*point), tolerances.level);
            height(&facet.plane(), source) >= by_edge - tolerances.level
                && (is_below(&touching) || source.underside(facet.normal, tolerances.level).iter().any(is_below))
        };
        let nearer = facets.iter().filter(|facet| is_own(facet) && is_nearer(facet)).map(|facet| facet.plane());
        return Judgement::Edge(shallowest(nearer, |face| *face, source));
    }
    // The engine's normal of a line that touches a plane is off by a thousandth or two: it is that plane's all the same, though a
    // wall beside it be nearer by a rounding.
    let is_meant = |facet: &&NearFacet| is_own(facet) && facet.normal.distance(outward) < NEAR_NORMAL;
    if let Some(face) = facets.iter().find(is_meant) {
        return Judgement::Seam(face.plane());
    }
    let mut own: SmallVec<[NearFacet; 8]> = facets.drain(..).filter(|facet| is_own(facet)).collect();
    if own.is_empty() {
        // Faces far from the point come into question only if the source is at them: of one that it would have to pass through
        // the piece to get to, nobody knows what is in front of it, since only pieces around the point are looked at.
        let deepest = distance.min(0.0) - tolerances.behind();
        let all = surface.own_facets_of_elements_near(point, tolerances.reach);
        // Of a sheet it is known only near by what lies behind it, and so whether it is filled.
        let is_known =
            |facet: &Facet| !facet.is_triangle || facet.nearest(point).distance(point) <= tolerances.behind();
        let is_met = |facet: &Facet| height(&facet.plane(), source) >= deepest && is_known(facet);
        own.extend(all.into_iter().filter(|facet| is_met(facet) && surface.is_exposed(facet, point)));
    }
    let Some(face) = shallowest(own, |facet| facet.plane(), source) else { return Judgement::Buried };
    // The source is aside of the face, where its normal leans to. If nothing goes on there, neither the surface nor, in an
    // inner corner, another piece, this is its rim.
    let Some(aside) = outward.reject_from_normalized(face.normal).try_normalize() else { return Judgement::Face };
    let beyond = face.nearest(point) + aside * tolerances.depth;
    if surface.covers(beyond) || surface.is_filled(beyond + face.normal * tolerances.front, &face) {
        Judgement::Seam(face.plane())
    } else {
        Judgement::Edge(None)
    }
}

/// The outside face of the solid at `point` that the source is least deep in, given a normal out of it.
///
/// The engine keeps the contacts of a face for as long as its points stay opposite each other, however deep they get: a
/// body that slides away from a seam takes the inner face of the last piece along. The way out of a convex solid is by the
/// face that is nearest. Of a mesh, faces that fall away from each other at `point` are those of a solid that is convex there.
fn shallowest_side<'a>(
    surface: &'a Surface,
    source: &TouchingPart,
    (point, outward): (Vector, Vector),
) -> Option<NearFacet<'a>> {
    let reach = surface.tolerances.reach;
    let mut sides = surface.own_facets_of_elements_near(point, reach);
    sides.retain(|side| !side.is_triangle || side.is_near(point, reach));
    // Its own side of a sheet is the one that the contact was taken on, wherever the source has got to.
    let taken = sides.iter().find(|side| side.is_triangle && side.normal.cross(outward).length() < SAME_NORMAL);
    let taken = taken.map(|side| side.facing(outward));
    let falls_away = |side: &Facet| taken.as_ref().is_some_and(|taken| surface.meet_convexly(side, taken, point));
    sides.retain(|side| surface.is_exposed(side, point) && (!side.is_triangle || falls_away(side)));
    let is_deeper = |side: &NearFacet| {
        taken.as_ref().is_none_or(|taken| height(&taken.plane(), source) < height(&side.plane(), source))
    };
    shallowest(sides, |side| side.plane(), source).filter(is_deeper)
}

/// What the source is least deep in, of facets or planes.
fn shallowest<F>(faces: impl IntoIterator<Item = F>, plane: impl Fn(&F) -> Plane, source: &TouchingPart) -> Option<F> {
    let height = |face: &F| height(&plane(face), source);
    faces.into_iter().max_by(|a, b| height(a).total_cmp(&height(b)))
}

/// \[length] How high the source's lowest point is above the plane; negative where it is deep in it.
fn height(plane: &Plane, source: &TouchingPart) -> Real {
    source.lowest(plane.normal) - plane.normal.dot(plane.origin)
}
