//! Seams: separate fixed colliders that form one surface.
//!
//! Before the engine step, every awake body is asked which fixed colliders are around it ([`Neighbourhoods`]); a collider
//! that has several, or one of several parts, gets the flag that makes the engine call the contact hook for it. In the
//! hook each contact is judged by the joined surface of those around ([`Surface`](surface::Surface)): only faces that have
//! nothing in front of them may give it a normal. Nothing is kept of a seam; what is read is where things are.

mod chain;
mod correction;
mod facet;
mod field_rim;
mod flag;
mod inner_corner;
mod kind;
mod lowest;
mod neighbourhood;
mod newcomers;
mod open_face;
mod surface;
mod tolerances;
mod view;

pub(crate) use chain::Chains;
#[cfg(test)]
pub(crate) use flag::mark;
pub(crate) use flag::{is_corrected, user_asks_for_contacts};
pub(crate) use neighbourhood::Neighbourhoods;
use neighbourhood::Roll;
pub(crate) use tolerances::SeamTolerances;

use crate::contact_query::PosedShape;
use crate::pieces::PieceGroups;
use crate::rolling::{Carriers, Grip};
use correction::Contacts;
use lowest::TouchingPart;
use open_face::{TouchedPlane, face_at};
use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d::prelude::*;
use smallvec::SmallVec;
use surface::{Piece, Surface};

/// \[1] The engine's normal of a wheel's contact with a face is that of the face if it is no farther from it (0.6°).
const NEAR_NORMAL: Real = 1.0e-2;

/// A flat side has at least three corners.
const MIN_CORNERS: usize = 3;

/// What the contact hook reads.
#[derive(Copy, Clone)]
pub(crate) struct Seams<'a> {
    pub neighbourhoods: &'a Neighbourhoods,
    pub groups: &'a PieceGroups,
    pub tolerances: SeamTolerances,
    pub grip: Grip,
}

impl Seams<'_> {
    /// Corrects the contacts of a manifold, if it is that of a body with a fixed collider.
    pub fn correct(&self, context: &mut ContactModificationContext) {
        let (handle1, handle2) = (context.collider1, context.collider2);
        let (source, piece, piece_is_first) = if self.neighbourhoods.of(handle1).contains(&handle2) {
            (handle1, handle2, false)
        } else if self.neighbourhoods.of(handle2).contains(&handle1) {
            (handle2, handle1, true)
        } else {
            return;
        };
        self.join(context, (source, piece), piece_is_first);
        if let Some(roll) = self.neighbourhoods.roll(source) {
            self.keep(context, (source, piece), (piece_is_first, roll));
        }
    }

    /// Keeps `source`, which rolls, on `piece`.
    fn keep(
        &self,
        context: &mut ContactModificationContext,
        (source, piece): (ColliderHandle, ColliderHandle),
        (piece_is_first, roll): (bool, Roll),
    ) {
        let colliders = context.colliders;
        let (Some(touched), Some(manifold)) = (colliders.get(piece), context.rigid_mut()) else { return };
        let part = if piece_is_first { manifold.manifold.subshape1 } else { manifold.manifold.subshape2 };
        let near = (NEAR_NORMAL, self.tolerances.unevenness);
        let face = |normal: Vector, point: Vector| {
            let pose = touched.position();
            let local = (pose.rotation.inverse() * normal, pose.inverse_transform_point(point));
            face_at(touched.shape(), part, local, near).map(|face| pose.rotation * face)
        };
        let reaches = |handle: &ColliderHandle, point: Vector| {
            colliders.get(*handle).is_some_and(|other| {
                PosedShape { shape: other.shape(), pose: *other.position() }.reaches(point, self.tolerances.unevenness)
            })
        };
        let carries = |point| self.neighbourhoods.of(source).iter().any(|other| reaches(other, point));
        let ground = Carriers { carries: &carries, face: &face };
        match roll {
            Roll::Freely => self.grip.tighten(context, !piece_is_first, &ground),
            Roll::OnJoints => self.grip.align(context, !piece_is_first, &ground),
        }
    }

    /// Corrects the contacts of `source` with `piece`, if that is a piece of a larger surface.
    fn join(
        &self,
        context: &mut ContactModificationContext,
        (source, piece): (ColliderHandle, ColliderHandle),
        piece_is_first: bool,
    ) {
        let colliders = context.colliders;
        let (Some(source_collider), Some(piece_collider)) = (colliders.get(source), colliders.get(piece)) else {
            return;
        };
        let Some(manifold) = context.rigid_mut() else { return };
        let Some(first) = manifold.solver_contacts.first() else { return };
        let on_source = if piece_is_first { first.anchor2 } else { first.anchor1 };
        let outward = if piece_is_first { *manifold.normal } else { -*manifold.normal };
        let part = || TouchingPart::of(source_collider.shape(), *source_collider.position(), on_source);
        if manifold.solver_contacts.len() > 1 {
            drop_strays((manifold.solver_contacts, piece_is_first), &part(), (outward, self.tolerances.level));
        }
        let Some(first) = manifold.solver_contacts.first() else { return };

        let bounds = manifold.solver_contacts.iter().fold(Aabb::new_invalid(), |mut bounds, contact| {
            bounds.take_point(if piece_is_first { contact.anchor1 } else { contact.anchor2 });
            bounds
        });
        let bounds = bounds.loosened(self.tolerances.reach + self.tolerances.depth);
        let plane = TouchedPlane {
            normal: outward,
            point: if piece_is_first { first.anchor1 } else { first.anchor2 },
            bounds,
            part: if piece_is_first { manifold.manifold.subshape1 } else { manifold.manifold.subshape2 },
        };
        let touched = piece_of(piece_collider);
        let others = || {
            let around = self.neighbourhoods.of(source).iter().filter(|other| **other != piece);
            around.filter_map(|other| Some((*other, colliders.get(*other)?))).filter(|(other, collider)| {
                collider.is_enabled() && self.groups.may_continue((piece, piece_collider), (*other, collider))
            })
        };
        // Deep contacts may be left over from where the source was some steps ago.
        let is_shallow = manifold.solver_contacts.iter().all(|contact| contact.dist >= -self.tolerances.reach);
        let unevenness = self.tolerances.unevenness;
        // What does not rise above the plane at all does not near the contacts: most are settled without their boxes.
        if is_shallow && plane.is_open_face(&touched, others().map(|(_, other)| piece_of(other)), unevenness) {
            return;
        }
        let mut pieces = SmallVec::from_elem(touched, 1);
        pieces.extend(
            others().filter(|(_, other)| other.compute_aabb().intersects(&bounds)).map(|(_, other)| piece_of(other)),
        );
        if is_shallow && plane.is_open_face(&touched, pieces[1..].iter().copied(), unevenness) {
            return;
        }
        let part = part();
        let surface = Surface::new(pieces, part.middle(), self.tolerances);
        // A mesh whose inner edges the engine mends itself needs help only where it is built: flat, or two planes that meet.
        // There a wrong normal is surely one. On rough ground the engine's answer is as good as any.
        let is_mended = is_mended_ground(piece_collider) && surface.pieces.len() == 1;
        let on_piece = |contact: &SolverContact| if piece_is_first { contact.anchor1 } else { contact.anchor2 };
        if is_mended && manifold.solver_contacts.iter().any(|contact| surface.is_rough_near(on_piece(contact))) {
            return;
        }
        let skins = source_collider.contact_skin() + piece_collider.contact_skin();
        let places = manifold.manifold.points.len();
        let mut contacts = Contacts {
            list: &mut *manifold.solver_contacts,
            normal: &mut *manifold.normal,
            piece_is_first,
            skins,
            places,
        };
        contacts.correct(&surface, &part);
    }
}

/// Drops the contacts off the place where a round body touches a face of normal `face`, if there are others.
///
/// The engine gives contacts of several parts of a piece one normal where theirs differ little. With a contact aside of its
/// lowest point a body that spins would seem to move into the face there, and be thrown off it.
fn drop_strays(
    (contacts, piece_is_first): (&mut SolverContacts, bool),
    part: &TouchingPart,
    (face, level): (Vector, Real),
) {
    let on_part = |contact: &SolverContact| if piece_is_first { contact.anchor2 } else { contact.anchor1 };
    let touches = |contact: &SolverContact| part.may_touch_at(on_part(contact), face, level);
    if contacts.iter().any(touches) {
        contacts.retain(|contact| touches(contact));
    }
}

fn piece_of(collider: &Collider) -> Piece<'_> {
    Piece { shape: collider.shape(), pose: *collider.position() }
}

/// Does a body with flat sides lie on a face of normal `face`, with all corners of one side within `level` of the lowest?
pub(crate) fn lies_flat((shape, pose): (&dyn Shape, &Pose), face: Vector, level: Real) -> bool {
    TouchingPart { shape, pose: *pose }.underside(face, level).len() >= MIN_CORNERS
}

/// Is the collider a mesh or height field whose inner edges the engine mends?
fn is_mended_ground(collider: &Collider) -> bool {
    let shape = collider.shape();
    shape.as_heightfield().is_some()
        || shape.as_trimesh().is_some_and(|mesh| mesh.flags().contains(TriMeshFlags::FIX_INTERNAL_EDGES))
}

/// Is the collider made of parts that the engine takes for bodies of their own?
fn has_inner_seams(collider: &Collider) -> bool {
    collider.shape().as_compound().is_some()
}
