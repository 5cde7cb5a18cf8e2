//! Where a body was at the step's start that no list of awake bodies named then.
//!
//! A body that was inserted, or woken, since the last step joins the awake bodies inside the engine step. Its start has to be
//! told from what the step left behind.

use crate::flight::{Forces, acceleration};
use crate::world::WorldSets;
use rapier3d::prelude::*;

/// The pose of `body` at the step's start.
///
/// If the engine found solver contacts for it, they tell where its centre of mass was. Else it flew freely, and its start is
/// reckoned back from its end. Its rotation is reckoned back in both cases, by its final angular velocity: exact in free
/// flight, and off by what contacts changed of it in this one step.
pub(crate) fn start_pose(handle: RigidBodyHandle, body: &RigidBody, world: &WorldSets) -> Pose {
    let local_com = body.mass_properties().local_mprops.local_com;
    let center = center_by_contacts(handle, body, world).unwrap_or_else(|| center_by_free_flight(body, world));
    let turned = Rotation::from_scaled_axis(-body.angvel() * world.integration_parameters.dt);
    let rotation = turned * body.position().rotation;
    Pose::from_parts(center - rotation * local_com, rotation)
}

/// The velocity of `body` at the step's start, if it flew freely.
pub(crate) fn start_velocity(body: &RigidBody, forces: &Forces) -> RigidBodyVelocity<Real> {
    let change = acceleration(body, *body.vels(), forces);
    let dt = forces.parameters.dt;
    RigidBodyVelocity { linvel: body.linvel() - change.linvel * dt, angvel: body.angvel() - change.angvel * dt }
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
/// points, in world space, at the step's start (`ContactData::solver_dp1`). The anchor on a fixed target is in world space,
/// and the middle lies half the distance from it along the normal.
fn center_by_contacts(handle: RigidBodyHandle, body: &RigidBody, world: &WorldSets) -> Option<Vector> {
    let pairs = body.colliders().iter().flat_map(|collider| {
        world.narrow_phase.contact_pairs_with(*collider).map(move |pair| (pair.collider1 == *collider, pair))
    });
    for (body_is_first, pair) in pairs {
        let target = world.colliders.get(if body_is_first { pair.collider2 } else { pair.collider1 })?;
        let is_fixed = target.parent().is_none_or(|parent| world.bodies.get(parent).is_some_and(RigidBody::is_fixed));
        if !is_fixed || target.parent() == Some(handle) {
            continue;
        }
        for manifold in pair.solver_manifolds() {
            let Some(contact) = manifold.data.solver_contacts.first() else { continue };
            let Some(point) = manifold.points.get(contact.contact_indices()[0] as usize) else { continue };
            let half = manifold.data.normal * (0.5 * contact.dist);
            return Some(if body_is_first {
                contact.anchor2 - half - point.data.solver_dp1
            } else {
                contact.anchor1 + half - point.data.solver_dp2
            });
        }
    }
    None
}
