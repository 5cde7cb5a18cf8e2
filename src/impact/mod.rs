//! Impacts: a body in free flight meets a surface that has no mass of its own, and bounces by the law of restitution.

mod impulse;

pub(crate) use impulse::{Striker, SurfacePoint};

use crate::element::for_each_element;
use crate::encounter::{Bounce, View, place_of};
use crate::filter::PairKind;
use crate::flight::Flight;
use crate::meeting::{friction_of, restitution_of};
use crate::motion::Motion;
use crate::mover::Mover;
use crate::movers::Movers;
use crate::report::{Clamp, Impact};
use crate::surfaces::is_massless;
use rapier3d::geometry::ContactManifold;
use rapier3d::parry::bounding_volume::BoundingVolume;
use rapier3d::parry::shape::Shape;
use rapier3d::prelude::*;

/// A body that stands at a surface is up to this many slops in front of it: the sweep stops it a slop and a quarter before.
const REACH_IN_SLOPS: Real = 2.0;

/// \[1] A manifold with an element whose normal has a greater cosine (25°) with that of the hit is one of the same contact.
const SAME_DIRECTION: Real = 0.9;

/// The memory that impacts work in.
#[derive(Default)]
pub(crate) struct Impacts {
    points: Vec<SurfacePoint>,
    manifolds: Vec<ContactManifold>,
}

impl Impacts {
    /// What becomes of a mover in free flight at a hit: its flight from then on, and the account of it. `None` if the law
    /// refuses the contact, which is not finite then.
    pub fn bounce(
        &mut self,
        view: &View,
        (movers, mover): (&Movers, &Mover),
        (hit, bounce): (&Clamp, &Bounce),
    ) -> Option<(Flight, Impact)> {
        let flight = view.flight(mover)?;
        let body = view.filter.bodies.get(mover.handle)?;
        let pose = flight.pose_at(hit.fraction);
        let mut striker = Striker::new(body, &pose, flight.velocity_at(hit.fraction));
        self.gather(view, (movers, mover), (hit, bounce), &pose);
        for point in &mut self.points {
            let parting = (striker.velocity_at(point.point) - point.surface_velocity).dot(point.normal);
            // A soft landing has no bounce in it.
            if -parting < view.owners.min_bounce_speed {
                point.restitution = 0.0;
            }
        }
        let before = striker;
        if !striker.bounce(&mut self.points) {
            return None;
        }
        if self.points.iter().all(|point| point.impulse == Vector::ZERO) {
            // By the manifold nothing approaches: what counts is the contact that the sweep found.
            self.points.clear();
            self.points.push(SurfacePoint::from_bounce(hit.normal, bounce));
            striker = before;
            if !striker.bounce(&mut self.points) {
                return None;
            }
        }
        let support = self.support(flight.acceleration());
        let impulse = self.points.iter().fold(Vector::ZERO, |sum, point| sum + point.impulse);
        let impact = Impact {
            body: mover.handle,
            surface: view.filter.colliders.get(hit.target).and_then(Collider::parent),
            source: hit.source,
            target: hit.target,
            point: bounce.point,
            normal: hit.normal,
            time: hit.fraction * flight.dt(),
            approach_speed: -bounce.parting_speed,
            impulse,
        };
        Some((flight.after(hit.fraction, striker.velocity, support), impact))
    }

    /// All points at which the body meets surfaces without mass at the time of the hit. They are resolved together: one after
    /// the other they would make a cube spin that lands flat.
    fn gather(
        &mut self,
        view: &View,
        (movers, mover): (&Movers, &Mover),
        (hit, bounce): (&Clamp, &Bounce),
        pose: &Pose,
    ) {
        self.points.clear();
        let colliders = view.filter.colliders;
        if let (Some(body), true) = (view.filter.bodies.get(mover.handle), self.has_faces(view, hit)) {
            for handle in body.colliders() {
                let Some(collider) = colliders.get(*handle).filter(|collider| collider.is_enabled()) else { continue };
                let place = *pose * place_of(collider);
                let reach = collider.shape().compute_aabb(&place).loosened(view.rules.tolerances.slop);
                for leaf in view.bvh.intersect_aabb(&reach) {
                    let Some((target, target_handle)) = colliders.get_unknown_gen(leaf) else { continue };
                    let moves = target.parent().is_some_and(|parent| movers.place(parent).is_some());
                    if !moves {
                        let surface = Surface { collider: target, handle: target_handle, motion: None };
                        self.touch(view, (*handle, collider, &place), &surface, hit.fraction);
                    }
                }
            }
            if let Some(target) = colliders.get(hit.target)
                && let Some(place) = target.parent().and_then(|parent| movers.place(parent))
                && let Some(source) = colliders.get(hit.source)
            {
                let motion = Some(&movers.list()[place].motion);
                let surface = Surface { collider: target, handle: hit.target, motion };
                self.touch(view, (hit.source, source, &(*pose * place_of(source))), &surface, hit.fraction);
            }
        }
        if self.points.is_empty() && bounce.stands {
            self.gather_at_elements(view, (hit, bounce), pose);
        } else if self.points.is_empty() {
            self.points.push(SurfacePoint::from_bounce(hit.normal, bounce));
        }
    }

    /// The points at which the collider that hit meets elements of the target as it met the one that it hit, whatever the engine
    /// thinks of them: that drops contacts with the rim of a mesh, and those from behind.
    fn gather_at_elements(&mut self, view: &View, (hit, bounce): (&Clamp, &Bounce), pose: &Pose) {
        self.points.clear();
        let colliders = view.filter.colliders;
        if let (Some(source), Some(target)) = (colliders.get(hit.source), colliders.get(hit.target)) {
            let place = *pose * place_of(source);
            let reach = REACH_IN_SLOPS * view.rules.tolerances.slop;
            let bounds = source.shape().compute_aabb(&target.position().inv_mul(&place)).loosened(reach);
            for_each_element(target.shape(), &bounds, &mut |element| {
                let at = *target.position() * element.local;
                self.find_manifolds(view, (element.shape(), &at), (source.shape(), &place), reach);
                for manifold in &self.manifolds {
                    let Some(normal) = (at.rotation * manifold.local_n1).try_normalize() else { continue };
                    if normal.dot(hit.normal) < SAME_DIRECTION {
                        continue;
                    }
                    let near = manifold.points.iter().filter(|contact| contact.dist <= reach);
                    let point = |at: Vector| Bounce { point: at, ..*bounce };
                    self.points
                        .extend(near.map(|contact| SurfacePoint::from_bounce(normal, &point(at * contact.local_p1))));
                }
            });
        }
        if self.points.is_empty() {
            self.points.push(SurfacePoint::from_bounce(hit.normal, bounce));
        }
    }

    /// The velocity that a mover is left with which is stopped at what it stands at; `None` if it is the engine's.
    pub fn settled(
        &mut self,
        view: &View,
        mover: &Mover,
        (hit, bounce): (&Clamp, &Bounce),
    ) -> Option<RigidBodyVelocity<Real>> {
        let body = view.filter.bodies.get(mover.handle)?;
        let pose = mover.motion.pose_at(hit.fraction);
        let mut striker = Striker::new(body, &pose, mover.velocity_at_end.unwrap_or(*body.vels()));
        self.gather_at_elements(view, (hit, bounce), &pose);
        if striker.bounce(&mut self.points) { Some(striker.velocity) } else { mover.velocity_at_end }
    }

    /// Finds the manifolds of two shapes at their places, a surface and a source.
    fn find_manifolds(
        &mut self,
        view: &View,
        (surface, at): (&dyn Shape, &Pose),
        (source, place): (&dyn Shape, &Pose),
        reach: Real,
    ) {
        self.manifolds.clear();
        let manifolds = &mut self.manifolds;
        // The workspace that composite shapes keep between queries is of one pair only.
        let answer =
            view.rules.manifolds.contact_manifolds(&at.inv_mul(place), surface, source, reach, manifolds, &mut None);
        if answer.is_err() {
            self.manifolds.clear();
        }
    }

    /// Can the collider that hit touch in more than one point?
    fn has_faces(&self, view: &View, hit: &Clamp) -> bool {
        view.filter.colliders.get(hit.source).is_some_and(|source| source.shape().as_ball().is_none())
    }

    /// Adds the points at which a source at `place` touches a surface at fraction `t` of the step.
    fn touch(
        &mut self,
        view: &View,
        (handle, source, place): (ColliderHandle, &Collider, &Pose),
        surface: &Surface,
        t: Real,
    ) {
        let target = surface.collider;
        let is_solid = view.filter.kind((handle, source), (surface.handle, target)) == Some(PairKind::Solid);
        if !is_solid || !is_massless(target, view.filter.bodies) {
            return;
        }
        let pose = match surface.motion {
            Some(motion) => motion.pose_at(t) * place_of(target),
            None => *target.position(),
        };
        let slop = view.rules.tolerances.slop;
        self.find_manifolds(view, (target.shape(), &pose), (source.shape(), place), slop);
        let dt = view.owners.forces.parameters.dt;
        let velocity_at =
            |point: Vector| surface.motion.map_or(Vector::ZERO, |motion| motion.velocity_at(point, t) / dt);
        for manifold in &self.manifolds {
            let sub = manifold.subshape_pos1().map_or(pose, |sub| pose * *sub);
            let Some(normal) = (sub.rotation * manifold.local_n1).try_normalize() else { continue };
            for contact in manifold.points.iter().filter(|contact| contact.dist <= slop) {
                let point = sub * contact.local_p1;
                self.points.push(SurfacePoint {
                    point,
                    normal,
                    surface_velocity: velocity_at(point),
                    restitution: restitution_of(source, target),
                    friction: friction_of(source, target),
                    impulse: Vector::ZERO,
                });
            }
        }
    }

    /// What the surfaces take off the acceleration of a body that stays on them: without a bounce, whatever presses it
    /// against them is borne from then on.
    fn support(&self, acceleration: Vector) -> Vector {
        let mut left = acceleration;
        for point in self.points.iter().filter(|point| point.restitution == 0.0 && point.impulse != Vector::ZERO) {
            left -= point.normal * left.dot(point.normal).min(0.0);
        }
        left - acceleration
    }
}

/// A collider that a body may touch, and its body's motion over the step, if it moves.
struct Surface<'a> {
    collider: &'a Collider,
    handle: ColliderHandle,
    motion: Option<&'a Motion>,
}
