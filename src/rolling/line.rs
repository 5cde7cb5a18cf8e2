//! The line along which a lying cylinder touches the ground.

use super::BEARING;
use rapier3d::parry::shape::{Shape, TypedShape};
use rapier3d::prelude::*;

/// A cylinder whose axis has a smaller component than this along a face's normal lies on its side (6°).
pub(crate) const LYING: Real = 0.1;

/// A cylinder is level if its axis has no more than this along a face's normal (1°).
const LEVEL: Real = 0.02;

/// What a line may lie on.
pub(super) struct Bed<'a> {
    /// \[length] The height of the touched plane along its normal.
    pub height: Real,
    /// Do fixed colliders reach up to a point?
    pub carries: &'a dyn Fn(Vector) -> bool,
    /// \[length] How far from the plane the line may be at its lower end.
    pub touching: Real,
    /// \[length] How much higher its other end may be.
    pub tilt: Real,
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

    /// \[length] How much higher along `normal` one end is than the other.
    pub fn tilt(&self, normal: Vector) -> Real {
        2.0 * self.half_height * self.axis.dot(normal).abs()
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

    /// Puts the contacts to where they do not disturb each other, if the ground carries the line there, whatever the engine
    /// found of it: its points may be beside the line, or too few. Several colliders that carry the line may all do so, since
    /// what one of them holds, the others leave alone. Was it so?
    pub fn settle(&self, manifold: &mut ModifiableManifold, is_first: bool, bed: &Bed) -> bool {
        let contacts = &mut *manifold.solver_contacts;
        let place = |contact: &SolverContact| {
            let point = if is_first { contact.anchor1 } else { contact.anchor2 };
            self.axis.dot(point - self.middle)
        };
        let by_place = |a: &&SolverContact, b: &&SolverContact| place(a).total_cmp(&place(b));
        let Some(low) = contacts.iter().min_by(by_place).copied() else { return false };
        let Some(high) = contacts.iter().max_by(by_place).copied() else { return false };
        if !self.lies_in(bed) {
            return false;
        }
        contacts.clear();
        if low.contact_indices() == high.contact_indices() {
            // The engine found but one point of the line. Pushed out of the ground there, the cylinder would tilt.
            contacts.push(self.moved(&low, (0.0, bed.height), is_first));
        } else {
            contacts.push(self.moved(&low, (-self.gyration, bed.height), is_first));
            contacts.push(self.moved(&high, (self.gyration, bed.height), is_first));
        }
        *manifold.normal = if is_first { -self.normal } else { self.normal };
        true
    }

    /// Is the line level, and does the ground reach up to it on both sides of the middle?
    fn lies_in(&self, bed: &Bed) -> bool {
        let slope = self.axis.dot(self.normal).abs();
        let is_level = slope <= LEVEL && 2.0 * self.half_height * slope <= bed.tilt;
        let lowest = self.normal.dot(self.middle) - slope * self.half_height - bed.height;
        let end = BEARING * self.half_height;
        is_level && lowest <= bed.touching && [-end, end].iter().all(|at| (bed.carries)(self.foot(*at, bed.height)))
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
