//! The engine: one Rapier step without its continuous pass, and the poses that are written back after it.

use crate::resolve::BodyEnd;
use crate::world::{WorldParts, WorldSets};
use rapier3d::prelude::*;

/// Runs Rapier's step with `parameters`.
pub(crate) fn step(
    world: &mut WorldParts,
    parameters: &IntegrationParameters,
    hooks: &dyn PhysicsHooks,
    events: &dyn EventHandler,
) {
    world.physics_pipeline.step(
        world.gravity,
        parameters,
        world.islands,
        world.broad_phase,
        world.narrow_phase,
        world.bodies,
        world.colliders,
        world.impulse_joints,
        world.multibody_joints,
        world.soft_bodies,
        world.ccd_solver,
        hooks,
        events,
    );
}

/// Moves a body, its colliders and their boxes in the broad phase to where it ends the step, so that scene queries see it
/// there at once. Its velocity stays, unless it bounced.
pub(crate) fn set_end(world: &mut WorldSets, end: &BodyEnd) {
    let Some(body) = world.bodies.get_mut(end.body) else { return };
    body.set_position(end.pose, false);
    if let Some(velocity) = end.velocity {
        // A sleeping body that was hit wakes.
        body.set_linvel(velocity.linvel, true);
        body.set_angvel(velocity.angvel, true);
    }
    let body = &world.bodies[end.body];
    for collider_handle in body.colliders() {
        let Some(collider) = world.colliders.get_mut(*collider_handle) else { continue };
        let place = collider.position_wrt_parent().copied().unwrap_or(Pose::IDENTITY);
        collider.set_position(end.pose * place);
        forbid_recycling(collider);
        if !collider.is_enabled() {
            continue;
        }
        let aabb = collider.compute_broad_phase_aabb(world.integration_parameters, world.bodies);
        if aabb.mins.is_finite() && aabb.maxs.is_finite() {
            world.broad_phase.set_aabb(world.integration_parameters, *collider_handle, aabb);
        }
    }
}

/// Makes the next engine step look for the collider's contacts afresh.
///
/// Rapier keeps the contacts of a pair that drifted by less than 5 cm (`geometry/narrow_phase/pair_update.rs`). A body that
/// was stopped in front of something after less than that would keep contacts that do not know of it, and so be stopped
/// again in every step. A change of groups ends the recycling; changing them back leaves no other trace.
fn forbid_recycling(collider: &mut Collider) {
    let groups = collider.solver_groups();
    let others = if groups == InteractionGroups::none() { InteractionGroups::all() } else { InteractionGroups::none() };
    collider.set_solver_groups(others);
    collider.set_solver_groups(groups);
}
