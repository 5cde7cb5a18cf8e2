//! For games that keep Rapier's sets apart: the step on its parts, over a floor of two meshes that are one surface.

use rapier3d::prelude::*;
use rapier3d_persistent_contacts::{PersistentContacts, PieceGroup, WorldParts};

fn main() {
    let (mut bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
    let (mut islands, mut pipeline) = (IslandManager::new(), PhysicsPipeline::new());
    let (mut broad_phase, mut narrow_phase) = (DefaultBroadPhase::new(), NarrowPhase::new());
    let (mut joints, mut multibodies) = (ImpulseJointSet::new(), MultibodyJointSet::new());
    let (mut soft_bodies, mut ccd_solver) = (SoftBodySet::new(), CCDSolver::new());
    let parameters = IntegrationParameters::default();

    let mut contacts = PersistentContacts::default();
    for x in [0.0, 20.0] {
        let corners = [(x, -5.0), (x, 5.0), (x + 20.0, 5.0), (x + 20.0, -5.0)];
        let corners = corners.map(|(x, z)| Vector::new(x, 0.0, z)).to_vec();
        let piece = ColliderBuilder::trimesh(corners, vec![[0, 1, 2], [0, 2, 3]]).expect("a piece has triangles");
        let piece = colliders.insert(piece.friction(0.0));
        contacts.groups_mut().insert(piece, PieceGroup::new(1));
    }
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(1.0, 0.2, 0.13)).linvel(Vector::X * 33.0);
    let body = bodies.insert(body.lock_rotations());
    colliders.insert_with_parent(ColliderBuilder::cuboid(0.2, 0.2, 0.2).friction(0.0), body, &mut bodies);

    for _ in 0..60 {
        let parts = WorldParts {
            gravity: Vector::Y * -9.81,
            integration_parameters: &parameters,
            physics_pipeline: &mut pipeline,
            islands: &mut islands,
            broad_phase: &mut broad_phase,
            narrow_phase: &mut narrow_phase,
            bodies: &mut bodies,
            colliders: &mut colliders,
            impulse_joints: &mut joints,
            multibody_joints: &mut multibodies,
            soft_bodies: &mut soft_bodies,
            ccd_solver: &mut ccd_solver,
        };
        contacts.step_parts(parts, &(), &());
    }
    println!("after 1 s it has come {:.2} m, over the seam at 20 m", bodies[body].translation().x - 1.0);
}
