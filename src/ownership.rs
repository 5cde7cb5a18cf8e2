//! Whose is a bounce? The solver answers what a body rests on, the sweep what it runs into.
//!
//! A bounce that the solver answers begins with a body that was braked up to two centimetres early, and ends wherever the step
//! does. So a body that only surfaces without mass of their own touch, and those only to bounce off them, is taken out of the
//! solver's hands: whatever the solver did to it, its free flight is reckoned from the step's start, and the sweep finds what
//! it hits. Fixed and kinematic surfaces have not felt the solver's impulse either, so nothing else has to be taken back.

use crate::flight::{Flight, Forces};
use crate::fresh;
use crate::seams::{Neighbourhoods, user_asks_for_contacts};
use crate::step_start::StepStart;
use crate::surfaces::is_massless;
use rapier3d::prelude::*;

/// What the question needs to know of the world after the engine step.
#[derive(Copy, Clone)]
pub(crate) struct Owners<'a> {
    pub bodies: &'a RigidBodySet,
    pub colliders: &'a ColliderSet,
    pub narrow_phase: &'a NarrowPhase,
    pub impulse_joints: &'a ImpulseJointSet,
    pub multibody_joints: &'a MultibodyJointSet,
    pub neighbourhoods: &'a Neighbourhoods,
    pub forces: Forces<'a>,
    /// \[length/s] Slower approaches are the solver's.
    pub min_bounce_speed: Real,
}

/// The free flight of a body that no one else answers for.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct FreeFlight {
    pub flight: Flight,
    /// The solver braked it, which is to be taken back if the sweep finds what it hits.
    pub was_braked: bool,
    /// Whatever braked it was only near at the step's start. Then the braking is to be taken back in any case: a body that
    /// does not get there in this step would lose speed to a surface it has not reached.
    pub was_apart: bool,
}

/// What the contacts of a body at the step's start are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Contacts {
    /// None that did anything.
    Idle,
    /// Only such as it bounces off; whether all of them were apart yet, and whether it is only the surfaces that move.
    Bouncing { apart: bool, rests: bool },
    /// It rests on something, or pushes another body.
    Solved,
}

impl Owners<'_> {
    /// The flight of a body that began the step in `pose`; `None` if joints or contacts make it the solver's.
    pub fn free_flight(&self, handle: RigidBodyHandle, start: &StepStart, pose: &Pose) -> Option<FreeFlight> {
        let body = self.bodies.get(handle).filter(|body| body.is_dynamic() && body.is_enabled())?;
        if !self.moves_alone(handle, body) {
            return None;
        }
        let forces = if body.is_sleeping() { Forces { gravity: Vector::ZERO, ..self.forces } } else { self.forces };
        let velocity = match start.get(handle) {
            Some(known) => known.velocity,
            None => fresh::start_velocity(body, self.narrow_phase, &forces),
        };
        let (was_braked, was_apart, rests) = match self.contacts_of(body, (pose, velocity)) {
            Contacts::Solved => return None,
            Contacts::Idle => (false, true, false),
            Contacts::Bouncing { apart, rests } => (true, apart, rests),
        };
        let flight = Flight::of(body, (pose, velocity), &forces);
        Some(FreeFlight { flight: if rests { flight.without_lead() } else { flight }, was_braked, was_apart })
    }

    /// Does only what touches the body tell it where to be? One on rails meets a surface by turning only, which the law of
    /// restitution makes no sense of.
    pub fn moves_alone(&self, handle: RigidBodyHandle, body: &RigidBody) -> bool {
        !body.is_soft_frame()
            && !has_locked_translation(body)
            && self.impulse_joints.attached_enabled_joints(handle).next().is_none()
            && self.multibody_joints.rigid_body_link(handle).is_none()
    }

    fn contacts_of(&self, body: &RigidBody, (pose, velocity): (&Pose, RigidBodyVelocity<Real>)) -> Contacts {
        let center = pose.transform_point(body.mass_properties().local_mprops.local_com);
        let velocity_at = |point: Vector| velocity.linvel + velocity.angvel.cross(point - center);
        let (mut answer, mut apart, mut rests) = (Contacts::Idle, true, true);
        for source in body.colliders() {
            let place = self.colliders.get(*source).and_then(Collider::position_wrt_parent);
            for pair in self.narrow_phase.contact_pairs_with(*source) {
                let body_is_first = pair.collider1 == *source;
                let other = if body_is_first { pair.collider2 } else { pair.collider1 };
                let Some(surface) = self.colliders.get(other) else { continue };
                if [*source, other].iter().any(|handle| self.colliders.get(*handle).is_some_and(user_asks_for_contacts))
                {
                    return Contacts::Solved;
                }
                let surface_body = surface.parent().and_then(|parent| self.bodies.get(parent));
                for manifold in pair.solver_manifolds() {
                    if !manifold.data.solver_flags.contains(SolverFlags::COMPUTE_RIGID_IMPULSES) {
                        continue;
                    }
                    let normal = if body_is_first { -manifold.data.normal } else { manifold.data.normal };
                    for contact in &manifold.data.solver_contacts {
                        let Some(point) = manifold.points.get(contact.contact_indices()[0] as usize) else { continue };
                        if point.data.impulse == 0.0 {
                            continue;
                        }
                        if !is_massless(surface, self.bodies) {
                            return Contacts::Solved;
                        }
                        let at = if body_is_first {
                            manifold.subshape_pos1().map_or(point.local_p1, |sub| *sub * point.local_p1)
                        } else {
                            manifold.subshape_pos2().map_or(point.local_p2, |sub| *sub * point.local_p2)
                        };
                        let at = *pose * place.map_or(at, |place| *place * at);
                        let surface_velocity = surface_body.map_or(Vector::ZERO, |body| body.velocity_at_point(at));
                        let approach = -(velocity_at(at) - surface_velocity).dot(normal);
                        // A driven surface has to be matched to the letter, also where nothing bounces: the solver would push
                        // the body off by what it takes for penetration.
                        let drives = surface_body.is_some_and(RigidBody::is_kinematic);
                        if approach < self.min_bounce_speed || manifold.data.restitution <= 0.0 && !drives {
                            return Contacts::Solved;
                        }
                        apart &= contact.dist > 0.0;
                        rests &= velocity_at(at).dot(normal).abs() < self.min_bounce_speed;
                        answer = Contacts::Bouncing { apart, rests };
                    }
                }
            }
        }
        answer
    }
}

/// May the body not move along one of the axes?
pub(crate) fn has_locked_translation(body: &RigidBody) -> bool {
    body.locked_axes().intersects(LockedAxes::TRANSLATION_LOCKED)
}
