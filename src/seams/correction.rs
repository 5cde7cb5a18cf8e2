//! Contacts at seams, as the joined surface would give them.

use super::NEAR_NORMAL;
use super::facet::{Facet, NearFacet, Plane};
use super::lowest::TouchingPart;
use super::surface::{SAME_NORMAL, Surface};
use rapier3d::prelude::*;
use smallvec::SmallVec;

/// What the joined surface says of a contact point with a given normal.
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

/// The contacts of one manifold: of a source with the first piece of a surface.
pub(super) struct Contacts<'a> {
    pub list: &'a mut SolverContacts,
    /// Unit, from the first to the second collider.
    pub normal: &'a mut Vector,
    /// The piece is the first collider.
    pub piece_is_first: bool,
    /// \[length] The skins of both colliders.
    pub skins: Real,
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
        let outward = self.outward();
        let judgements: SmallVec<[Judgement; 4]> = self
            .list
            .iter()
            .map(|contact| judge(surface, source, (self.anchors(contact), outward, contact.dist)))
            .collect();
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

    /// Turns all contacts into contacts with `face`.
    fn move_to(&mut self, face: &Plane, surface: &Surface, source: &TouchingPart) {
        let outward = self.outward();
        let tolerances = &surface.tolerances;
        let mut kept: SmallVec<[Vector; 4]> = SmallVec::new();
        let (piece_is_first, skins) = (self.piece_is_first, self.skins);
        let first = self.list.first().copied();
        let foot_of = |point: Vector| point - face.normal * face.height_of(point);
        let is_on_piece = |foot: Vector| {
            let mut facets = surface.own_facets_near(foot, tolerances.level).into_iter();
            facets.any(|facet| facet.normal.distance(face.normal) < SAME_NORMAL)
        };
        let place = |contact: &mut SolverContact, touching: Vector| {
            let (height, foot) = (face.height_of(touching), foot_of(touching));
            let (first, second) = if piece_is_first { (foot, touching) } else { (touching, foot) };
            (contact.anchor1, contact.anchor2, contact.dist) = (first, second, height - skins);
        };
        // Points that lie above each other on another face are one on this: the others stand in for corners without one.
        let mut spare = source.underside(face.normal, tolerances.level);
        self.list.retain_mut(|contact| {
            let old = if piece_is_first { contact.anchor2 } else { contact.anchor1 };
            let is_kept = |point: Vector| kept.iter().any(|other| other.distance(foot_of(point)) <= tolerances.level);
            let mut touching = source.touching(face.normal, (old, outward), tolerances.level);
            while is_kept(touching) {
                let Some(corner) = spare.pop() else { break };
                touching = corner;
            }
            let foot = foot_of(touching);
            let is_far = face.height_of(touching) - skins > tolerances.prediction;
            if is_far || is_kept(touching) || !is_on_piece(foot) {
                return false;
            }
            kept.push(foot);
            place(contact, touching);
            true
        });
        // The engine's points are those of another face, and may all be off this one, though a corner stands on it.
        let corner =
            || source.underside(face.normal, tolerances.level).into_iter().find(|corner| is_on_piece(foot_of(*corner)));
        if self.list.is_empty()
            && let Some(mut contact) = first
            && let Some(corner) = corner()
            && face.height_of(corner) - skins <= tolerances.prediction
        {
            place(&mut contact, corner);
            self.list.push(contact);
        }
        *self.normal = if self.piece_is_first { face.normal } else { -face.normal };
    }
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
        && let Some(face) = shallowest_side(surface, source, point)
    {
        return if is_same(&face) { Judgement::Face } else { Judgement::Seam(face.plane()) };
    }
    let mut facets = surface.facets_near(point, tolerances.reach);
    let is_own = |facet: &Facet| facet.element.piece == 0;
    facets.retain(|facet| surface.is_exposed(facet, point));
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

/// The outside face of the solid at `point` that the source is least deep in.
///
/// The engine keeps the contacts of a face for as long as its points stay opposite each other, however deep they get: a
/// body that slides away from a seam takes the inner face of the last piece along. The way out of a convex solid is by the
/// face that is nearest.
fn shallowest_side<'a>(surface: &'a Surface, source: &TouchingPart, point: Vector) -> Option<NearFacet<'a>> {
    let mut sides = surface.own_facets_of_elements_near(point, surface.tolerances.level);
    sides.retain(|side| !side.is_triangle && surface.is_exposed(side, point));
    shallowest(sides, |side| side.plane(), source)
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
