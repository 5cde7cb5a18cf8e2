//! Ground that the engine lost: now and then its contact query finds nothing of a line that lies on a plane, nor of a flat side
//! that just touches a triangle, nor of a ball right above the border of two height fields.

use super::ground::Ground;
use super::line::Lying;
use super::touch::{Ends, Touch, lowest};
use super::{BEARING, CARRIES};
use crate::seams::{Neighbourhoods, lies_flat, user_asks_for_contacts};
use rapier3d::prelude::*;

impl Ends<'_> {
    /// The touch of a cylinder that lay level on the ground at the step's start, or of a body that lay flat on it, or of a ball, and
    /// was given no contact point there at all. `has_none`: the body touches nothing else either. Only then a ball is looked
    /// at, since any contact but a wall's may be what carries it.
    ///
    /// The point of the ground that is nearest to the middle of a lying cylinder is the foot of its line. That nearest to the middle
    /// of a body that lies flat is below it, too, if the body does not stand on a rim only.
    pub fn lost_touch(&self, (ground, around): (&Ground, &Neighbourhoods), has_none: bool) -> Option<Touch> {
        let may_lose = |collider: &ColliderHandle| around.rolls_freely(*collider) || around.slides(*collider);
        let handle = *self.body.colliders().iter().find(|collider| may_lose(collider))?;
        let collider = self.world.colliders.get(handle)?;
        let (start, end) = self.places_of(collider);
        let com = self.start * self.body.mass_properties().local_mprops.local_com;
        let (is_flat, is_ball) = (around.slides(handle), collider.shape().as_ball().is_some());
        if is_ball && !has_none {
            return None;
        }
        let across = start.rotation * Vector::Y;
        let middle = match (is_flat, is_ball) {
            (true, _) => com,
            (_, true) => start.translation,
            _ => start.translation + across * across.dot(com - start.translation),
        };
        let foot = around.of(handle).iter().filter_map(|piece| self.lost_foot((handle, collider), *piece, middle));
        let foot = foot.min_by(|a, b| a.distance(middle).total_cmp(&b.distance(middle)))?;

        let normal = (middle - foot).try_normalize()?;
        let plane = normal.dot(foot);
        let separation = lowest(collider.shape(), &start, normal)? - plane;
        let touching = self.grip.touching();
        let lay = if is_flat || is_ball {
            // What comes down is not held where it is, but bounces or lands.
            let falls = normal.dot(self.linvel) * self.world.integration_parameters.dt;
            falls.abs() <= touching && (is_ball || lies_flat((collider.shape(), &start), normal, touching))
        } else {
            let line = Lying::of(collider.shape(), &start, normal)?;
            let is_carried =
                |side: Real| ground.reaches(handle, foot + line.axis * (side * BEARING * line.half_height), touching);
            line.tilt(normal) <= touching && is_carried(1.0) && is_carried(-1.0)
        };
        (lay && separation.abs() <= touching).then_some(Touch {
            collider: handle,
            normal,
            start: separation,
            end: lowest(collider.shape(), &end, normal)? - plane,
            rise: 0.0,
            is_gripped: true,
            is_lost: true,
            leaving: self.leaving(normal),
            is_fixed: true,
            line: Lying::of(collider.shape(), &end, normal),
            plane,
        })
    }

    /// The point of a fixed collider that is nearest to `middle`, if the engine knows the pair but the solver was told of no point
    /// there. It may know others: the floor and the walls may be one collider. Where the game decides on contacts itself, it may
    /// be the one who wants none.
    fn lost_foot(
        &self,
        (handle, collider): (ColliderHandle, &Collider),
        piece: ColliderHandle,
        middle: Vector,
    ) -> Option<Vector> {
        let other = self.world.colliders.get(piece)?;
        let pair = self.world.narrow_phase.contact_pair(handle, piece)?;
        if user_asks_for_contacts(collider) || user_asks_for_contacts(other) {
            return None;
        }
        let foot = other.shape().project_point(other.position(), middle, true).point;
        let out = (middle - foot).try_normalize()?;
        let out = if pair.collider1 == handle { -out } else { out };
        let is_known = |manifold: &ContactManifold| {
            !manifold.data.solver_contacts.is_empty() && manifold.data.normal.dot(out) >= CARRIES
        };
        (!pair.solver_manifolds().iter().any(is_known)).then_some(foot)
    }
}
