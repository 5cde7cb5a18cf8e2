//! What a diagnosis looks at.

use super::finding::Diagnosis;
use super::{body, collider};
use rapier3d::prelude::*;

/// What a diagnosis looks at: a world, or the parts of it that a game keeps.
///
/// ```
/// # use rapier3d::prelude::*;
/// # use rapier3d_persistent_contacts::Inspection;
/// # let world = PhysicsWorld::new();
/// let findings = Inspection::from(&world).diagnose();
/// // The same for a game that keeps Rapier's sets apart, in a world whose z axis points up:
/// let mut inspection = Inspection::new(&world.bodies, &world.colliders);
/// inspection.gravity = Vector::Z * -9.81;
/// assert_eq!(inspection.diagnose(), findings);
/// ```
#[derive(Copy, Clone)]
pub struct Inspection<'a> {
    /// The bodies.
    pub bodies: &'a RigidBodySet,
    /// The colliders.
    pub colliders: &'a ColliderSet,
    /// The joints, whose motors may want more spin than the bodies are allowed. None by default.
    pub impulse_joints: Option<&'a ImpulseJointSet>,
    /// \[length units/s²] Gravity; ground is what bodies fall onto. Where there is none, open meshes are not asked which way
    /// they look. Default: 9.81 along −y.
    pub gravity: Vector,
    /// The step's parameters. The slop, the length of the step and `max_ccd_substeps` are looked at.
    pub integration_parameters: IntegrationParameters,
}

impl<'a> Inspection<'a> {
    /// These sets, in a world with the gravity of the earth and Rapier's parameters.
    pub fn new(bodies: &'a RigidBodySet, colliders: &'a ColliderSet) -> Self {
        Self {
            bodies,
            colliders,
            impulse_joints: None,
            gravity: Vector::Y * -9.81,
            integration_parameters: IntegrationParameters::default(),
        }
    }

    /// All that is found, in the order of the colliders' handles, then of the bodies'.
    pub fn diagnose(&self) -> Vec<Diagnosis> {
        let mut findings = Vec::new();
        for (handle, _) in self.colliders.iter() {
            collider::diagnose(self, handle, &mut findings);
        }
        for (handle, _) in self.bodies.iter() {
            body::diagnose(self, handle, &mut findings);
        }
        findings
    }

    /// The unit vector against gravity.
    pub(super) fn up(&self) -> Option<Vector> {
        if self.gravity.is_finite() { (-self.gravity).try_normalize() } else { None }
    }

    /// The body that a collider is on.
    pub(super) fn body_of(&self, collider: &Collider) -> Option<&'a RigidBody> {
        self.bodies.get(collider.parent()?)
    }
}

impl<'a> From<&'a PhysicsWorld> for Inspection<'a> {
    fn from(world: &'a PhysicsWorld) -> Self {
        Self {
            impulse_joints: Some(&world.impulse_joints),
            gravity: world.gravity,
            integration_parameters: world.integration_parameters,
            ..Self::new(&world.bodies, &world.colliders)
        }
    }
}
