//! The borrowed parts of a Rapier world.

use rapier3d::prelude::*;

/// Everything one step reads and changes: mutable borrows of the sets a Rapier game owns.
///
/// The field names are those of Rapier's [`PhysicsWorld`] (`src/pipeline/physics_world.rs`); games that keep the
/// sets apart fill this in themselves, games with a `PhysicsWorld` write `WorldParts::from(&mut world)`.
pub struct WorldParts<'a> {
    /// Gravity, in length units per second squared.
    pub gravity: Vector,
    /// The step's parameters. `max_ccd_substeps = 0` turns the sweeps off, as it does in Rapier.
    pub integration_parameters: &'a IntegrationParameters,
    /// The pipeline that runs the engine step.
    pub physics_pipeline: &'a mut PhysicsPipeline,
    /// The awake and sleeping bodies.
    pub islands: &'a mut IslandManager,
    /// The boxes of all colliders.
    pub broad_phase: &'a mut BroadPhaseBvh,
    /// The contact manifolds.
    pub narrow_phase: &'a mut NarrowPhase,
    /// The rigid bodies.
    pub bodies: &'a mut RigidBodySet,
    /// The colliders.
    pub colliders: &'a mut ColliderSet,
    /// The impulse joints.
    pub impulse_joints: &'a mut ImpulseJointSet,
    /// The multibody joints.
    pub multibody_joints: &'a mut MultibodyJointSet,
    /// The soft bodies.
    pub soft_bodies: &'a mut SoftBodySet,
    /// Rapier's own continuous pass. It stays idle, but keeps its place in the engine's step.
    pub ccd_solver: &'a mut CCDSolver,
}

/// What the stages around the engine step read and change: the parts of a world without the engine that steps it.
pub(crate) struct WorldSets<'a> {
    pub gravity: Vector,
    /// The game's own parameters.
    pub integration_parameters: &'a IntegrationParameters,
    pub islands: &'a IslandManager,
    pub broad_phase: &'a mut BroadPhaseBvh,
    pub narrow_phase: &'a NarrowPhase,
    pub bodies: &'a mut RigidBodySet,
    pub colliders: &'a mut ColliderSet,
    pub impulse_joints: &'a ImpulseJointSet,
    pub multibody_joints: &'a MultibodyJointSet,
}

impl WorldSets<'_> {
    /// The broad phase's tree of all colliders.
    pub fn tree(&self) -> &Bvh {
        let dispatcher = self.narrow_phase.query_dispatcher();
        self.broad_phase.as_query_pipeline(dispatcher, self.bodies, self.colliders, QueryFilter::default()).bvh
    }
}

impl WorldParts<'_> {
    /// The sets, for the stages.
    pub(crate) fn sets(&mut self) -> WorldSets<'_> {
        WorldSets {
            gravity: self.gravity,
            integration_parameters: self.integration_parameters,
            islands: self.islands,
            broad_phase: self.broad_phase,
            narrow_phase: self.narrow_phase,
            bodies: self.bodies,
            colliders: self.colliders,
            impulse_joints: self.impulse_joints,
            multibody_joints: self.multibody_joints,
        }
    }
}

impl<'a> From<&'a mut PhysicsWorld> for WorldParts<'a> {
    fn from(world: &'a mut PhysicsWorld) -> Self {
        Self {
            gravity: world.gravity,
            integration_parameters: &world.integration_parameters,
            physics_pipeline: &mut world.physics_pipeline,
            islands: &mut world.islands,
            broad_phase: &mut world.broad_phase,
            narrow_phase: &mut world.narrow_phase,
            bodies: &mut world.bodies,
            colliders: &mut world.colliders,
            impulse_joints: &mut world.impulse_joints,
            multibody_joints: &mut world.multibody_joints,
            soft_bodies: &mut world.soft_bodies,
            ccd_solver: &mut world.ccd_solver,
        }
    }
}
