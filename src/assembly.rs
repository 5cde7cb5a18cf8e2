//! Assemblies: bodies that hard joints tie together stop as a whole.

use rapier3d::prelude::*;

/// The joints of a world.
#[derive(Copy, Clone)]
pub(crate) struct Joints<'a> {
    pub impulse: &'a ImpulseJointSet,
    pub multibody: &'a MultibodyJointSet,
}

impl Joints<'_> {
    /// Does a joint have a say in where `body` is? One that locks a direction of translation does, and so does a multibody.
    pub fn hold(&self, body: RigidBodyHandle) -> bool {
        self.multibody.rigid_body_link(body).is_some()
            || self
                .impulse
                .attached_enabled_joints(body)
                .any(|(_, _, _, joint)| joint.data.locked_axes.intersects(JointAxesMask::LIN_AXES))
    }

    /// Writes the dynamic bodies that hard joints tie to `body`, itself first, into `assembly`.
    ///
    /// A joint is hard if it is enabled and locks at least one direction of translation: springs and ropes give, wheels
    /// and hinges do not. Fixed and kinematic bodies hold the assembly, but do not pass it on.
    pub fn assembly_of(&self, body: RigidBodyHandle, bodies: &RigidBodySet, assembly: &mut Vec<RigidBodyHandle>) {
        assembly.clear();
        assembly.push(body);
        let mut next = 0;
        while let Some(member) = assembly.get(next).copied() {
            next += 1;
            let mut join = |other: RigidBodyHandle| {
                if bodies.get(other).is_some_and(RigidBody::is_dynamic) && !assembly.contains(&other) {
                    assembly.push(other);
                }
            };
            for (body1, body2, _, joint) in self.impulse.attached_enabled_joints(member) {
                if joint.data.locked_axes.intersects(JointAxesMask::LIN_AXES) {
                    join(if body1 == member { body2 } else { body1 });
                }
            }
            for other in self.multibody.attached_bodies(member) {
                join(other);
            }
        }
        // The order of joints in their graph is history; that of handles is not.
        assembly[1..].sort_unstable_by_key(|handle| handle.into_raw_parts());
    }
}
