//! The engine: one Rapier step without its continuous pass, and the poses that are written back after it.

use crate::world::WorldParts;
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

/// Moves a body, its colliders and their boxes in the broad phase to `pose`, so that scene queries see it there at once.
/// Its velocity stays.
pub(crate) fn set_pose(world: &mut WorldParts, handle: RigidBodyHandle, pose: &Pose) {
    let Some(body) = world.bodies.get_mut(handle) else { return };
    body.set_position(*pose, false);
    let body = &world.bodies[handle];
    for collider_handle in body.colliders() {
        let Some(collider) = world.colliders.get_mut(*collider_handle) else { continue };
        let place = collider.position_wrt_parent().copied().unwrap_or(Pose::IDENTITY);
        collider.set_position(*pose * place);
        if !collider.is_enabled() {
            continue;
        }
        let aabb = collider.compute_broad_phase_aabb(world.integration_parameters, world.bodies);
        if aabb.mins.is_finite() && aabb.maxs.is_finite() {
            world.broad_phase.set_aabb(world.integration_parameters, *collider_handle, aabb);
        }
    }
}
