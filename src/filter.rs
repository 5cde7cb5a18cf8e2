//! Which pairs of colliders the sweeps may look at: the narrow phase's own filters, in its order.

use rapier3d::prelude::*;

/// What a pair of colliders is to each other.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum PairKind {
    /// Solid against solid: a hit stops the source.
    Solid,
    /// A sensor is involved: a hit is reported.
    Sensor,
    /// The solver groups forbid forces: a hit is of no consequence.
    Unsolved,
}

/// The filters that apply to a pair (`geometry/narrow_phase/pair_update.rs`, and `dynamics/ccd/sweeps.rs` for what the
/// continuous pass adds).
#[derive(Copy, Clone)]
pub(crate) struct Filter<'a> {
    pub bodies: &'a RigidBodySet,
    pub colliders: &'a ColliderSet,
    pub impulse_joints: &'a ImpulseJointSet,
    pub multibody_joints: &'a MultibodyJointSet,
    pub hooks: &'a dyn PhysicsHooks,
}

impl Filter<'_> {
    /// What the pair is, or `None` if a filter rejects it.
    pub fn kind(&self, source: (ColliderHandle, &Collider), target: (ColliderHandle, &Collider)) -> Option<PairKind> {
        let (co1, co2) = (source.1, target.1);
        if source.0 == target.0 || !co2.is_enabled() || !co1.collision_groups().test(co2.collision_groups()) {
            return None;
        }
        let body1 = co1.parent()?;
        let body2 = co2.parent();
        if body2 == Some(body1) {
            return None;
        }
        let type_of = |body: Option<RigidBodyHandle>| {
            body.and_then(|body| self.bodies.get(body)).map_or(RigidBodyType::Fixed, RigidBody::body_type)
        };
        let (type1, type2) = (type_of(Some(body1)), type_of(body2));
        if !co1.active_collision_types().test(type1, type2) && !co2.active_collision_types().test(type1, type2) {
            return None;
        }
        if body2.is_some_and(|body2| self.contacts_are_off_between(body1, body2)) {
            return None;
        }
        let is_sensor = co1.is_sensor() || co2.is_sensor();
        let solver_flags = self.ask_hooks(source, target, is_sensor)?;
        let solved =
            solver_flags.contains(SolverFlags::COMPUTE_RIGID_IMPULSES) && co1.solver_groups().test(co2.solver_groups());
        Some(match (is_sensor, solved) {
            (true, _) => PairKind::Sensor,
            (false, true) => PairKind::Solid,
            (false, false) => PairKind::Unsolved,
        })
    }

    /// Do joints between the two bodies switch their contacts off?
    fn contacts_are_off_between(&self, body1: RigidBodyHandle, body2: RigidBodyHandle) -> bool {
        if self.impulse_joints.joints_between(body1, body2).any(|(_, joint)| !joint.data.contacts_enabled) {
            return true;
        }
        let link = |body| self.multibody_joints.rigid_body_link(body);
        let (Some(link1), Some(link2)) = (link(body1), link(body2)) else { return false };
        if link1.multibody != link2.multibody {
            return false;
        }
        let self_contacts =
            self.multibody_joints.get_multibody(link1.multibody).is_none_or(|body| body.self_contacts_enabled());
        let joint_contacts = self
            .multibody_joints
            .joint_between(body1, body2)
            .is_none_or(|(_, _, link)| link.joint.data.contacts_enabled);
        !self_contacts || !joint_contacts
    }

    /// The user's hooks, where a collider asks for them; `None` if they reject the pair.
    fn ask_hooks(
        &self,
        source: (ColliderHandle, &Collider),
        target: (ColliderHandle, &Collider),
        is_sensor: bool,
    ) -> Option<SolverFlags> {
        let asked = source.1.active_hooks() | target.1.active_hooks();
        let filter = if is_sensor { ActiveHooks::FILTER_INTERSECTION_PAIR } else { ActiveHooks::FILTER_CONTACT_PAIRS };
        if !asked.contains(filter) {
            return Some(SolverFlags::default());
        }
        let context = PairFilterContext {
            bodies: self.bodies,
            colliders: self.colliders,
            rigid_body1: source.1.parent(),
            rigid_body2: target.1.parent(),
            collider1: source.0,
            collider2: target.0,
        };
        if is_sensor {
            self.hooks.filter_intersection_pair(&context).then(SolverFlags::default)
        } else {
            self.hooks.filter_contact_pair(&context)
        }
    }
}
