//! The core ball: what is swept of a source that rides on the face it hits.

use super::glance::Slant;
use super::{Hit, Log, PairSweep, Target};
use crate::element::Element;
use crate::report::SweptShape;
use crate::sweep::part_path::PartPath;
use crate::trace::HitOutcome;
use rapier3d::math::Vector;
use rapier3d::parry::shape::Ball;

impl PairSweep<'_> {
    /// Sweeps the core ball against one element.
    pub(super) fn sweep_core(&self, (target, element): (&Target, &Element), log: &mut Log) -> Option<Hit> {
        let ball = Ball::new(self.rules.settings.core_fraction * self.part.inner_radius);
        let part = self.part.core(&ball);
        let core = PairSweep { part: &part, path: PartPath::new(&part, &self.motion.source, 0.0), ..*self };
        if core.is_out_of_reach(element) {
            return None;
        }
        log.counters.core_sweeps += 1;
        let hit = core.time_of_impact(element)?;
        let contact = core.contact(element, hit.fraction);
        // A source that is deep inside may have its core at the face from the start. Riding there must not stop it: only
        // a core that goes deeper is held back.
        // And two bodies that are in each other can only be pushed apart.
        let is_entangled = hit.fraction == 0.0 && target.gives_way;
        let approaches =
            !is_entangled && (hit.fraction > 0.0 || contact.is_some_and(|contact| core.goes_against(contact.normal)));
        if !approaches {
            log.hit(hit.trace(element, SweptShape::Core, None, HitOutcome::NotApproaching));
            return None;
        }
        // A body that is as deep as that in the slope ahead is pushed out by the solver, if it is let go on: at a shallow angle
        // its core slides along the face instead of being held there until its velocity is gone.
        let slant = core.slant(target, element, contact.as_ref());
        let lift = if let Slant::Glancing(lift) = slant { Some(lift) } else { None };
        let outcome = if lift.is_some() { HitOutcome::Glances } else { HitOutcome::Stops };
        log.hit(hit.trace(element, SweptShape::Core, None, outcome));
        let stands_at = core.stands_at(hit.fraction, contact.as_ref());
        Some(Hit { shape: SweptShape::Core, lift, stands_at, ..core.stop(element, &hit, contact.as_ref()) })
    }

    /// Does the part's origin move against `normal` by more than a slop?
    fn goes_against(&self, normal: Vector) -> bool {
        let moved = self.source_pose(1.0).translation - self.source_pose(0.0).translation;
        moved.dot(normal) < -self.rules.tolerances.slop
    }
}
