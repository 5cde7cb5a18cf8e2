//! What holds a source that touches its target from the start, or sinks into the face that carries it.

use super::face_test::ElementContact;
use super::time_of_impact::TimeOfImpact;
use super::{Hit, Log, PairSweep, Target};
use crate::constants::FAST_FRACTION;
use crate::element::Element;
use crate::report::SweptShape;
use crate::settings::SweepPolicy;
use crate::trace::HitOutcome;
use crate::verdict::{Evidence, Reference};
use rapier3d::math::{Real, Vector};

/// A body that moves by more than so many of its inner radii in a step is held rather than asked whether it passes beside.
const MAX_LOOKS_BESIDE: Real = 8.0;

impl PairSweep<'_> {
    /// A hit at the start of the window that is a reason to stop: the source stands before its target already.
    ///
    /// It is held where it is a slop deep, not where it stands: in front of an edge, or of a face whose contact the engine
    /// drops, the solver would never learn of the hit, and the body be held for ever. What comes a slop deep is seen. What is that
    /// deep already, or is no deeper at the end, may go, but for its core.
    pub(super) fn hold(
        &self,
        (target, element): (&Target, &Element),
        (hit, contact): (TimeOfImpact, Option<ElementContact>),
        evidence: Option<Evidence>,
        log: &mut Log,
    ) -> Option<Hit> {
        let mut fraction = hit.fraction;
        if target.gives_way {
            // The engine finds no contact for some boxes that are near each other and all but touch. Held there, two of them would
            // hang in the air for ever: let go, they come to touch.
            return self.sweep_core((target, element), log);
        }
        if self.motion.target_is_still() {
            if self.passes_by(element) {
                return self.sweep_core((target, element), log);
            }
            // A hit without a contact is a query that failed: no reason to hold a body for ever.
            let Some(contact) = &contact else { return self.sweep_core((target, element), log) };
            if target.has_landed && self.turns_about(contact) {
                return self.sweep_core((target, element), log);
            }
            match self.path.crosses(contact.normal, element.highest(contact.normal)) {
                // A slop deep already: if the solver has contact points there it is answering, and if the engine has no contact
                // at all it never will. Where it has dropped them, for a blade in the cone of an edge, it may yet find them.
                Some(0.0) if !matches!(evidence, Some(Evidence::Neighbour(_) | Evidence::Geometric)) => {
                    return self.sweep_core((target, element), log);
                }
                Some(crossing) => fraction = crossing,
                None => return self.sweep_core((target, element), log),
            }
        }
        let hit = TimeOfImpact { fraction, ..hit };
        log.hit(hit.trace(element, SweptShape::Full, None, HitOutcome::Stops));
        let stands_at = self.stands_at(fraction, contact.as_ref());
        Some(Hit { stands_at, ..self.stop(element, &hit, contact.as_ref()) })
    }

    /// Does the source's point at the contact stay where it is, as far as the start of the motion tells? Then it tips over it.
    fn turns_about(&self, contact: &ElementContact) -> bool {
        self.motion.source.velocity_at(contact.point, 0.0).dot(contact.normal) >= -self.rules.tolerances.slop
    }

    /// Where the source touches a target that does not move, if it is stopped at the window's start.
    pub(super) fn stands_at(&self, fraction: Real, contact: Option<&ElementContact>) -> Option<Vector> {
        let contact = contact.filter(|_| fraction == 0.0 && self.motion.is_past_fixed())?;
        Some(self.motion.point_in_world(contact.point, 0.0))
    }

    /// Does the source never get deeper into the element than it is, by more than a slop? Then it tips over an edge or past a
    /// corner: part of it gets below the plane that it touches, beside the element. It is looked at often enough not to get
    /// through in between.
    pub(super) fn passes_by(&self, element: &Element) -> bool {
        let (from, to) = self.motion.source.center_path();
        let looks = (from.distance(to) / self.part.inner_radius).ceil().max(1.0);
        if looks > MAX_LOOKS_BESIDE {
            return false;
        }
        let allowed = self.depth_in(element, 0.0) + self.rules.tolerances.slop;
        (1..=looks as usize).rev().all(|look| self.depth_in(element, look as Real / looks) <= allowed)
    }

    /// When a source that plunges into a face that carries it is a slop deep in it; at once, if it is that deep already.
    ///
    /// A body that lands on a corner touches the ground, and so is persistent, while the rest of it still comes down: the
    /// solver holds the corner only. And a body behind a wall that the engine takes for one-sided keeps its velocity in every
    /// step anew. What follows must be held before it sinks to its core. A source plunges if the step takes it deeper than it
    /// was by more than a slop, and by more than its own spin makes it sink: the solver turns its contact points along, which
    /// lets a point of the rim dip by as much as its arc.
    pub(super) fn plunge(&self, references: &[Reference]) -> Option<Real> {
        if self.rules.settings.sweep_policy != SweepPolicy::FaceTested || !self.motion.target_is_still() {
            return None;
        }
        let rotation = self.motion.source.rotation();
        let dip = self.part.inner_radius * (rotation * rotation / 8.0).min(FAST_FRACTION);
        let forgiven = self.rules.tolerances.slop + dip;
        references
            .iter()
            .filter_map(|reference| {
                let normal = self.motion.direction_in_frame(reference.normal);
                let level = normal.dot(self.motion.point_in_frame(reference.point));
                // The engine's point may be beside the deepest.
                let depth = reference.depth().max(level - self.path.lowest_at_start(normal));
                let plunges = self.path.lowest_at_end(normal) < level - depth - forgiven;
                if plunges { self.path.crosses(normal, level) } else { None }
            })
            .min_by(Real::total_cmp)
    }
}
