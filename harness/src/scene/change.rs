//! What is done to a world from outside: drives before every step, actions before some.

use rapier3d::prelude::*;

/// A drive whose numbers are known.
pub(super) struct PlannedDrive {
    pub(super) start: Pose,
    pub(super) linear: Vector,
    pub(super) angular: Vector,
    pub(super) from_step: usize,
    pub(super) to_step: usize,
}

/// A change whose names and numbers are known.
pub(super) enum PlannedChange {
    Remove(RigidBodyHandle),
    EnableBody(RigidBodyHandle, bool),
    EnableColliders(Vec<ColliderHandle>, bool),
    Sleep(RigidBodyHandle),
    Wake(RigidBodyHandle),
    SetVelocity(RigidBodyHandle, Vector, Vector),
    SetPose(RigidBodyHandle, Pose),
}

impl PlannedDrive {
    /// Where the body is to be after the step of this number.
    pub(super) fn pose_after(&self, number: usize, dt: Real) -> Pose {
        let time = (number.min(self.to_step) + 1).saturating_sub(self.from_step) as Real * dt;
        let rotation = Rotation::from_scaled_axis(self.angular * time) * self.start.rotation;
        Pose::from_parts(self.start.translation + self.linear * time, rotation)
    }
}

impl PlannedChange {
    pub(super) fn apply(&self, world: &mut PhysicsWorld) {
        match self {
            Self::Remove(handle) => {
                world.remove_body(*handle);
            }
            Self::EnableColliders(handles, enabled) => {
                for handle in handles {
                    if let Some(collider) = world.colliders.get_mut(*handle) {
                        collider.set_enabled(*enabled);
                    }
                }
            }
            Self::Wake(handle) => world.wake_up(*handle, true),
            Self::EnableBody(handle, _)
            | Self::Sleep(handle)
            | Self::SetVelocity(handle, ..)
            | Self::SetPose(handle, _) => {
                // A body that an earlier action removed is left in peace.
                if let Some(body) = world.bodies.get_mut(*handle) {
                    self.apply_to(body);
                }
            }
        }
    }

    fn apply_to(&self, body: &mut RigidBody) {
        match *self {
            Self::EnableBody(_, enabled) => body.set_enabled(enabled),
            Self::Sleep(_) => body.sleep(),
            Self::SetVelocity(_, linear, angular) => {
                body.set_linvel(linear, true);
                body.set_angvel(angular, true);
            }
            Self::SetPose(_, pose) => body.set_position(pose, true),
            Self::Remove(_) | Self::EnableColliders(..) | Self::Wake(_) => {}
        }
    }
}
