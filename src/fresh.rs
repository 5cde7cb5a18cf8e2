//! Where a body was at the step's start that no list of awake bodies named then.
//!
//! A body that was inserted, or woken, since the last step joins the awake bodies inside the engine step. Its start has to be
//! told from what the step left behind.

use crate::flight::{Forces, acceleration};
use crate::step_start::StepStart;
use crate::world::WorldSets;
use rapier3d::prelude::*;

/// The pose of `body` at the step's start.
///
/// If the engine found solver contacts for it, they tell where its centre of mass was. Else it flew freely, and its start is
/// reckoned back from its end. Its rotation is reckoned back in both cases, by its final angular velocity: exact in free
/// flight, and off by what contacts changed of it in this one step.
pub(crate) fn start_pose(body: &RigidBody, (world, start): (&WorldSets, &StepStart)) -> Pose {
    let local_com = body.mass_properties().local_mprops.local_com;
    let by_contacts = if body.is_dynamic() { center_by_contacts(body, (world, start)) } else { None };
    let center = by_contacts.unwrap_or_else(|| center_by_free_flight(body, world));
    let turned = Rotation::from_scaled_axis(-body.angvel() * world.integration_parameters.dt);
    let rotation = turned * body.position().rotation;
    Pose::from_parts(center - rotation * local_com, rotation)
}

/// The velocity of `body` at the step's start: its final one, less what forces and the impulses of its contacts made of it.
/// Friction is left out, which does not change how fast the body came at a surface.
pub(crate) fn start_velocity(body: &RigidBody, narrow_phase: &NarrowPhase, forces: &Forces) -> RigidBodyVelocity<Real> {
    let change = acceleration(body, *body.vels(), forces);
    let dt = forces.parameters.dt;
    let mut velocity =
        RigidBodyVelocity { linvel: body.linvel() - change.linvel * dt, angvel: body.angvel() - change.angvel * dt };
    let mass = body.mass_properties();
    for collider in body.colliders() {
        for pair in narrow_phase.contact_pairs_with(*collider) {
            let body_is_first = pair.collider1 == *collider;
            for manifold in pair.solver_manifolds() {
                let outward = if body_is_first { -manifold.data.normal } else { manifold.data.normal };
                for contact in &manifold.data.solver_contacts {
                    let Some(point) = manifold.points.get(contact.contact_indices()[0] as usize) else { continue };
                    let impulse = outward * point.data.impulse;
                    let arm = if body_is_first { point.data.solver_dp1 } else { point.data.solver_dp2 };
                    velocity.linvel -= mass.effective_inv_mass * impulse;
                    velocity.angvel -= mass.effective_world_inv_inertia * arm.cross(impulse);
                }
            }
        }
    }
    velocity
}

/// Rapier updates the velocity first, in n substeps of h = dt/n, so a free body travels
/// Σ h·(v − (n − k)·h·a) = v·dt − a·h²·n·(n − 1)/2 with its final velocity v.
fn center_by_free_flight(body: &RigidBody, world: &WorldSets) -> Vector {
    let parameters = world.integration_parameters;
    let substeps = (parameters.num_solver_iterations + body.additional_solver_iterations()).max(1) as Real;
    let h = parameters.dt / substeps;
    let mass_properties = body.mass_properties();
    let acceleration = if body.is_dynamic() {
        world.gravity * body.gravity_scale() + body.user_force() * mass_properties.effective_inv_mass
    } else {
        Vector::ZERO
    };
    let travelled = body.linvel() * parameters.dt - acceleration * (h * h * substeps * (substeps - 1.0) / 2.0);
    *body.position() * mass_properties.local_mprops.local_com - travelled
}

/// The narrow phase stores with each solver contact its lever arm: from the centre of mass to the middle of the two contact
/// points, in world space, at the step's start (`ContactData::solver_dp1`). The anchor on a fixed target is in world space, that on a
/// kinematic one relative to its centre of mass,
/// and the middle lies half the distance from it along the normal.
fn center_by_contacts(body: &RigidBody, (world, start): (&WorldSets, &StepStart)) -> Option<Vector> {
    let pairs = body.colliders().iter().flat_map(|collider| {
        world.narrow_phase.contact_pairs_with(*collider).map(move |pair| (pair.collider1 == *collider, pair))
    });
    for (body_is_first, pair) in pairs {
        let target = world.colliders.get(if body_is_first { pair.collider2 } else { pair.collider1 })?;
        let surface = target.parent().and_then(|parent| Some((parent, world.bodies.get(parent)?)));
        let frame = match surface {
            Some((_, surface)) if surface.is_dynamic() => continue,
            Some((parent, surface)) if surface.is_kinematic() => {
                let pose = start.pose(parent).copied().unwrap_or_else(|| start_pose(surface, (world, start)));
                pose.prepend_translation(surface.mass_properties().local_mprops.local_com)
            }
            _ => Pose::IDENTITY,
        };
        for manifold in pair.solver_manifolds() {
            let Some(contact) = manifold.data.solver_contacts.first() else { continue };
            let Some(point) = manifold.points.get(contact.contact_indices()[0] as usize) else { continue };
            let half = manifold.data.normal * (0.5 * contact.dist);
            return Some(if body_is_first {
                frame * contact.anchor2 - half - point.data.solver_dp1
            } else {
                frame * contact.anchor1 + half - point.data.solver_dp2
            });
        }
    }
    None
}
