//! Ground that the engine lost: now and then its contact query finds nothing of a line that lies on a plane.

use super::BEARING;
use super::ground::Ground;
use super::line::Lying;
use super::touch::{Ends, Touch, lowest};
use crate::seams::{Neighbourhoods, user_asks_for_contacts};
use rapier3d::prelude::*;

impl Ends<'_> {
    /// The touch of a cylinder that lay level on the ground at the step's start, and was given no contact point there at all.
    ///
    /// The point of the ground that is nearest to the middle of a lying cylinder is the foot of its line.
    pub fn lost_touch(&self, (ground, around): (&Ground, &Neighbourhoods)) -> Option<Touch> {
        let handle = *self.body.colliders().iter().find(|collider| around.rolls_freely(**collider))?;
        let collider = self.world.colliders.get(handle)?;
        let (start, end) = self.places_of(collider);
        let across = start.rotation * Vector::Y;
        let com = self.start * self.body.mass_properties().local_mprops.local_com;
        let middle = start.translation + across * across.dot(com - start.translation);
        let foot = around.of(handle).iter().filter_map(|piece| self.lost_foot((handle, collider), *piece, middle));
        let foot = foot.min_by(|a, b| a.distance(middle).total_cmp(&b.distance(middle)))?;

        let normal = (middle - foot).try_normalize()?;
        let plane = normal.dot(foot);
        let line = Lying::of(collider.shape(), &start, normal)?;
        let separation = lowest(collider.shape(), &start, normal)? - plane;
        let touching = self.grip.touching();
        let is_carried =
            |side: Real| ground.reaches(handle, foot + line.axis * (side * BEARING * line.half_height), touching);
        let lay = line.tilt(normal) <= touching && separation.abs() <= touching && is_carried(1.0) && is_carried(-1.0);
        lay.then_some(Touch {
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

    /// The point of a fixed collider that is nearest to `middle`, if the engine knows the pair but found no point of it. Where
    /// the game decides on contacts itself, it may be the one who wants none.
    fn lost_foot(
        &self,
        (handle, collider): (ColliderHandle, &Collider),
        piece: ColliderHandle,
        middle: Vector,
    ) -> Option<Vector> {
        let other = self.world.colliders.get(piece)?;
        let pair = self.world.narrow_phase.contact_pair(handle, piece)?;
        let is_lost = pair.manifolds().iter().all(|manifold| manifold.points.is_empty());
        let is_the_games = user_asks_for_contacts(collider) || user_asks_for_contacts(other);
        (is_lost && !is_the_games).then(|| other.shape().project_point(other.position(), middle, true).point)
    }
}
