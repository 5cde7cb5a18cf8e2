//! The line along which a lying cylinder touches the ground.

use rapier3d::parry::shape::{Shape, TypedShape};
use rapier3d::prelude::*;

/// A cylinder whose axis has a smaller component than this along a face's normal lies on its side (6°).
const LYING: Real = 0.1;

/// \[1] Contacts nearer than this, in half heights of the cylinder, are one point.
const ONE_POINT: Real = 0.1;

/// Do fixed colliders reach up to a point?
pub(crate) struct Carriers<'a> {
    /// Any of them.
    pub by_any: &'a dyn Fn(Vector) -> bool,
    /// Another one than that which is touched.
    pub by_others: &'a dyn Fn(Vector) -> bool,
}

/// A cylinder that lies on its side.
#[derive(Copy, Clone, Debug)]
pub(super) struct Lying {
    /// Unit, in world space.
    pub axis: Vector,
    pub half_height: Real,
    pub radius: Real,
}

impl Lying {
    /// `shape`, if it is a cylinder that lies on a face with this normal.
    pub fn of(shape: &dyn Shape, pose: &Pose, normal: Vector) -> Option<Self> {
        let (half_height, radius) = match shape.as_typed_shape() {
            TypedShape::Cylinder(cylinder) => (cylinder.half_height, cylinder.radius),
            TypedShape::RoundCylinder(round) => {
                (round.inner_shape.half_height, round.inner_shape.radius + round.border_radius)
            }
            _ => return None,
        };
        let axis = pose.rotation * Vector::Y;
        (axis.dot(normal).abs() <= LYING).then_some(Self { axis, half_height, radius })
    }
}

/// The lowest line of a cylinder's side. Places on it are lengths along the axis, from below the centre of mass.
///
/// A contact at the distance √(I/m) from the centre of mass does not move the point as far on its other side: I is the
/// moment of inertia of a tilt. Two contacts there do not disturb each other, so the solver's one sweep over them is exact.
pub(super) struct Line {
    /// The point below the centre of mass.
    middle: Vector,
    axis: Vector,
    normal: Vector,
    half_height: Real,
    /// \[length] √(I/m).
    gyration: Real,
}

impl Line {
    /// That of `source`, if it is a cylinder that lies on a face with this normal.
    pub fn of(source: &Collider, body: &RigidBody, normal: Vector) -> Option<Self> {
        let pose = source.position();
        let Lying { axis, half_height, radius } = Lying::of(source.shape(), pose, normal)?;
        let across = normal.reject_from_normalized(axis).try_normalize()?;
        let mass = body.mass_properties();
        let tilt = axis.cross(across);
        let resistance = tilt.dot(mass.effective_world_inv_inertia * tilt);
        let gyration = (across.dot(mass.effective_inv_mass * across) / resistance).sqrt();
        let along = axis.dot(body.center_of_mass() - pose.translation);
        gyration.is_finite().then_some(Self {
            middle: pose.translation + axis * along - across * radius,
            axis,
            normal,
            half_height,
            gyration,
        })
    }

    /// Puts the contacts to where they do not disturb each other, as far as the touched collider carries the line there, or no
    /// other does.
    ///
    /// `touching` \[length]: contacts with less separation are held.
    pub fn settle(&self, (contacts, is_first): (&mut SolverContacts, bool), ground: &Carriers, touching: Real) {
        let place = |contact: &SolverContact| {
            let point = if is_first { contact.anchor1 } else { contact.anchor2 };
            self.axis.dot(point - self.middle)
        };
        let ends = (
            contacts.iter().min_by(|a, b| place(a).total_cmp(&place(b))).copied(),
            contacts.iter().max_by(|a, b| place(a).total_cmp(&place(b))).copied(),
        );
        let (Some(low), Some(high)) = ends else { return };
        let (from, to) = (place(&low), place(&high));
        let Some(nearest) = contacts.iter().min_by(|a, b| a.dist.total_cmp(&b.dist)).copied() else { return };
        let point = if is_first { nearest.anchor1 } else { nearest.anchor2 };
        let plane = self.normal.dot(point) - nearest.dist;
        if to - from < ONE_POINT * self.half_height {
            // The engine found but one point of a line. Pushed out of the ground there, the cylinder would tilt.
            let is_level = 2.0 * self.half_height * self.axis.dot(self.normal).abs() <= touching;
            if is_level && (ground.by_any)(self.foot(0.0, plane)) {
                contacts.clear();
                contacts.push(self.moved(&low, (0.0, plane), is_first));
            }
            return;
        }
        contacts.clear();
        for (contact, wanted) in [(low, -self.gyration), (high, self.gyration)] {
            let kept = wanted.clamp(from, to);
            if kept == wanted || !(ground.by_others)(self.foot(wanted, plane)) {
                contacts.push(self.moved(&contact, (kept, plane), is_first));
            }
        }
        if contacts.is_empty() {
            contacts.push(self.moved(&low, (Real::clamp(0.0, from, to), plane), is_first));
        }
    }

    /// The point of the plane below a place of the line.
    fn foot(&self, place: Real, plane: Real) -> Vector {
        let point = self.middle + self.axis * place;
        point - self.normal * (self.normal.dot(point) - plane)
    }

    fn moved(&self, contact: &SolverContact, (place, plane): (Real, Real), is_first: bool) -> SolverContact {
        let point = self.middle + self.axis * place;
        let foot = self.foot(place, plane);
        let mut moved = *contact;
        (moved.anchor1, moved.anchor2) = if is_first { (point, foot) } else { (foot, point) };
        moved.dist = self.normal.dot(point) - plane;
        moved
    }
}
