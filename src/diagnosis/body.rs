//! What can be wrong with one body.

use super::fault::Fault;
use super::finding::{Diagnosis, Subject};
use super::inspection::Inspection;
use rapier3d::parry::shape::TypedShape;
use rapier3d::prelude::*;

/// \[rad] The most a body turns in one step unless `allow_fast_rotation` is set: an eighth of a turn (Rapier,
/// `dynamics/solver/staged_island_solver/worker.rs`).
const TURN_CAP: Real = std::f64::consts::FRAC_PI_4 as Real;

/// From this part of the cap on a body spins at it: damping and contacts take the rest between the clamp and the step's end.
const AT_CAP: Real = 0.95;

/// Adds what is wrong with a body.
pub(super) fn diagnose(inspection: &Inspection, handle: RigidBodyHandle, findings: &mut Vec<Diagnosis>) {
    let body = &inspection.bodies[handle];
    let fault = match body.body_type() {
        RigidBodyType::Dynamic => spin_cap(inspection, handle, body),
        RigidBodyType::KinematicPositionBased => substeps(inspection),
        RigidBodyType::KinematicVelocityBased => offset_center(inspection, body),
        RigidBodyType::Fixed | RigidBodyType::SoftFrame => None,
    };
    findings.extend(fault.map(|fault| Diagnosis { subject: Subject::Body(handle), fault, edges: Vec::new() }));
}

/// Is a round body's spin cut by Rapier's cap, or would a motor's be?
fn spin_cap(inspection: &Inspection, handle: RigidBodyHandle, body: &RigidBody) -> Option<Fault> {
    let dt = inspection.integration_parameters.dt;
    if body.is_fast_rotation_allowed() || !(dt > 0.0 && dt.is_finite()) {
        return None;
    }
    let cap = TURN_CAP / dt;
    let spin = body.angvel().length().max(driven_spin(inspection, handle));
    let is_at_cap = spin >= AT_CAP * cap;
    if !is_at_cap {
        return None;
    }
    let shapes = body.colliders().iter().filter_map(|collider| inspection.colliders.get(*collider));
    let radius =
        shapes.filter(|collider| !collider.is_sensor()).filter_map(|collider| rolling_radius(collider.shape()));
    let radius = radius.reduce(Real::max)?;
    Some(Fault::SpinCap { spin, cap, speed: cap * radius })
}

/// The greatest spin that a motor wants of the body, in \[rad/s].
fn driven_spin(inspection: &Inspection, handle: RigidBodyHandle) -> Real {
    let Some(joints) = inspection.impulse_joints else { return 0.0 };
    let axes = [JointAxis::AngX, JointAxis::AngY, JointAxis::AngZ];
    let motors = joints.attached_enabled_joints(handle).flat_map(|(_, _, _, joint)| {
        axes.into_iter().filter_map(|axis| joint.data.motor(axis).map(|motor| motor.target_vel.abs()))
    });
    motors.fold(0.0, Real::max)
}

/// The radius on which a shape rolls; `None` for shapes with corners.
fn rolling_radius(shape: &dyn Shape) -> Option<Real> {
    match shape.as_typed_shape() {
        TypedShape::Ball(ball) => Some(ball.radius),
        TypedShape::Capsule(capsule) => Some(capsule.radius),
        TypedShape::Cylinder(cylinder) => Some(cylinder.radius),
        TypedShape::RoundCylinder(round) => Some(round.inner_shape.radius + round.border_radius),
        TypedShape::Cone(cone) => Some(cone.radius),
        TypedShape::RoundCone(round) => Some(round.inner_shape.radius + round.border_radius),
        TypedShape::Compound(compound) => {
            compound.shapes().iter().filter_map(|(_, part)| rolling_radius(part.as_ref())).reduce(Real::max)
        }
        _ => None,
    }
}

fn substeps(inspection: &Inspection) -> Option<Fault> {
    let substeps = inspection.integration_parameters.max_ccd_substeps;
    (substeps > 1).then_some(Fault::KinematicSubsteps { substeps })
}

/// Would a velocity-based kinematic body turn about something other than its origin? Not if its rotations are locked.
fn offset_center(inspection: &Inspection, body: &RigidBody) -> Option<Fault> {
    if body.is_rotation_locked() == [true; 3] {
        return None;
    }
    // Rapier reckons masses at the next step, so a body that has just been made does not know its own yet.
    let mut body = body.clone();
    body.recompute_mass_properties_from_colliders(inspection.colliders);
    let offset = body.mass_properties().local_mprops.local_com.length();
    (offset > inspection.integration_parameters.allowed_linear_error()).then_some(Fault::OffsetCenter { offset })
}
