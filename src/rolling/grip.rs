//! The contacts of round bodies that turn, before the solver sees them.

use super::hidden::{ContactPoint, hidden_rise};
use super::line::{Bed, Line, Lying};
use rapier3d::parry::shape::Shape;
use rapier3d::prelude::*;

/// A contact is one of a body that rolls if its separation is at most this, in slops: 1 mm for bodies of a metre. What is
/// higher is in flight, and is not to be stopped before it is down.
const TOUCHING_SLOPS: Real = 0.2;

/// A hidden rise below this is left to the solver, in slops: 0.05 mm for bodies of a metre.
const MIN_HIDDEN_SLOPS: Real = 0.01;

/// The solver never takes more than this part of a depth at once, so that the sum over its substeps stays below all of it.
const MAX_PART: Real = 0.3;

/// What the hook knows of the fixed colliders around a body.
pub(crate) struct Carriers<'a> {
    /// Does one of them reach up to a point?
    pub carries: &'a dyn Fn(Vector) -> bool,
    /// The normal of the touched face, if it is about the given one, at a point of it.
    pub face: &'a dyn Fn(Vector, Vector) -> Option<Vector>,
}

/// Which contacts of a manifold are held.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Hold {
    /// Those that touch.
    Points,
    /// Both ends of a line.
    Line,
    /// None: held at one end, a cylinder would be thrown.
    Nothing,
}

/// Keeps wheels on the ground through the solver's substeps.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Grip {
    /// \[s] The length of the step.
    dt: Real,
    /// \[length] Rapier's slop.
    slop: Real,
    /// The part of a depth that the solver pushes a body out of in a step.
    pushed: Real,
    /// \[length] How far it does so at most.
    max_push: Real,
}

impl Grip {
    /// Of a step with these parameters.
    pub fn new(parameters: &IntegrationParameters) -> Self {
        // Each of n substeps takes the same part of what depth there still is.
        let substeps = parameters.num_solver_iterations.max(1);
        let dt = parameters.dt / substeps as Real;
        let part = (parameters.static_contact_softness.erp_inv_dt(dt) * dt).clamp(0.0, MAX_PART);
        Self {
            dt: parameters.dt,
            slop: parameters.allowed_linear_error(),
            pushed: 1.0 - (1.0 - part).powi(substeps as i32),
            max_push: parameters.max_corrective_velocity() * parameters.dt,
        }
    }

    /// Makes the contacts of a manifold as much deeper as they will seem to rise when the body turns. The solver then takes
    /// them for touching in all of its substeps, and gives them the impulses of a body that rests on the ground. The place
    /// where those act stays what it is. `is_first`: the body is that of the first collider.
    pub fn tighten(&self, context: &mut ContactModificationContext, is_first: bool, ground: &Carriers) {
        let Some((source, body)) = rolling_body(context, is_first) else { return };
        let Some(manifold) = context.rigid_mut() else { return };
        let hold = self.settle(manifold, (source, body, is_first), ground);
        if hold == Hold::Nothing {
            return;
        }
        let normal = *manifold.normal;
        let outward = if is_first { -normal } else { normal };
        for contact in manifold.solver_contacts.iter_mut() {
            // The engine puts the impulse half of the distance before the second anchor.
            let middle = contact.anchor2 - normal * (0.5 * contact.dist);
            let point = ContactPoint { point: middle, normal: outward };
            let rise = self.rise((source.shape(), source.position()), &point, body.angvel());
            if (contact.dist > self.touching() && hold == Hold::Points) || rise < self.least_rise() {
                continue;
            }
            contact.dist -= rise;
            contact.anchor2 += normal * normal.dot(middle + normal * (0.5 * contact.dist) - contact.anchor2);
        }
    }

    /// Puts the contacts of a cylinder that lies on its side in order, and leaves them as deep as they are. Wheels on joints are
    /// not held: the solver would push their whole car up.
    pub fn align(&self, context: &mut ContactModificationContext, is_first: bool, ground: &Carriers) {
        let Some((source, body)) = rolling_body(context, is_first) else { return };
        if let Some(manifold) = context.rigid_mut() {
            self.settle(manifold, (source, body, is_first), ground);
        }
    }

    /// Puts the contacts of a cylinder that lies on its side in order.
    fn settle(
        &self,
        manifold: &mut ModifiableManifold,
        (source, body, is_first): (&Collider, &RigidBody, bool),
        ground: &Carriers,
    ) -> Hold {
        let normal = if is_first { -*manifold.normal } else { *manifold.normal };
        if Lying::of(source.shape(), source.position(), normal).is_none() {
            return Hold::Points;
        }
        let Some(nearest) = manifold.solver_contacts.iter().min_by(|a, b| a.dist.total_cmp(&b.dist)) else {
            return Hold::Nothing;
        };
        let (on_source, on_ground) =
            if is_first { (nearest.anchor1, nearest.anchor2) } else { (nearest.anchor2, nearest.anchor1) };
        let skins = normal.dot(on_source - on_ground) - nearest.dist;
        // The engine's normal of a line that touches a plane is off by up to a thousandth.
        let normal = (ground.face)(normal, on_ground).unwrap_or(normal);
        let height = normal.dot(on_ground) + skins;
        let bed = Bed { height, carries: ground.carries, touching: self.touching(), tilt: self.slop };
        let is_held = Line::of(source, body, normal).is_some_and(|line| line.settle(manifold, is_first, &bed));
        if is_held { Hold::Line } else { Hold::Nothing }
    }

    /// \[length] How far a contact of a shape that spins at `spin` \[rad/s] seems to rise in the step, with what the solver pushes
    /// it up by.
    pub fn rise(&self, place: (&dyn Shape, &Pose), point: &ContactPoint, spin: Vector) -> Real {
        let rise = hidden_rise(place, point, spin * self.dt);
        // It must still be deep when the solver has pushed the body out of some of the depth.
        (rise / (1.0 - self.pushed)).min(rise + self.max_push)
    }

    /// \[length] The true distance of a contact that was given the distance `dist`, if that was made deeper by `rise`: then it is at
    /// most the touching distance less `rise`, and more than the touching distance if not. Rounding does not matter halfway.
    pub fn loosened(&self, dist: Real, rise: Real) -> Option<Real> {
        (rise >= self.least_rise() && dist < self.touching() - 0.5 * rise).then_some(dist + rise)
    }

    /// \[length] How far the solver pushes a body up in a step at most.
    pub fn max_push(&self) -> Real {
        self.max_push
    }

    /// \[length] The separation up to which a contact is one of a body that rolls.
    pub fn touching(&self) -> Real {
        TOUCHING_SLOPS * self.slop
    }

    fn least_rise(&self) -> Real {
        MIN_HIDDEN_SLOPS * self.slop
    }
}

/// The collider of a contact that rolls, and its body.
fn rolling_body<'a>(context: &ContactModificationContext<'a>, is_first: bool) -> Option<(&'a Collider, &'a RigidBody)> {
    let source = context.colliders.get(if is_first { context.collider1 } else { context.collider2 })?;
    Some((source, context.bodies.get(source.parent()?)?))
}
