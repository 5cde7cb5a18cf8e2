//! The sweep of one pair: when does the source first hit the target, and is that a reason to stop?
//!
//! Element by element, so that a level which is one big mesh is protected: only the elements that belong to the face
//! being ridden are excused, a wall in the same mesh still stops the full shape. Read-only, and independent of the order
//! of the elements: every one is swept over the whole step, and the earliest reason to stop counts.

mod approach;
mod core_ball;
mod edge;
mod face_test;
mod glance;
mod hold;
mod landing;
mod pair_motion;
mod part_path;
mod time_of_impact;
mod wide;

pub(crate) use approach::Approach;
pub(crate) use pair_motion::PairMotion;

use crate::constants::Tolerances;
use crate::element::{Element, for_each_element};
use crate::report::{Counters, SweptShape};
use crate::settings::{Settings, SweepPolicy};
use crate::source::SourcePart;
use crate::trace::{HitOutcome, HitTrace, PairTrace};
use crate::verdict::{Evidence, Reference, Verdict};
use face_test::ElementContact;
use glance::Slant;
use part_path::PartPath;
use rapier3d::geometry::{ContactData, ContactManifoldData};
use rapier3d::math::{Real, Vector};
use rapier3d::parry::bounding_volume::Aabb;
use rapier3d::parry::query::{PersistentQueryDispatcher, QueryDispatcher};
use rapier3d::parry::shape::Shape;
use std::cell::OnceCell;
use time_of_impact::TimeOfImpact;

/// Two faces whose normals have a greater cosine (1°) are one: a body that crosses from one to the other in a step, however
/// long, meets no slope that the solver would not take for its ground.
const COPLANAR_COSINE: Real = 0.99985;

/// What all sweeps of a step have in common.
#[derive(Copy, Clone)]
pub(crate) struct Rules<'a> {
    pub settings: &'a Settings,
    pub tolerances: Tolerances,
    pub dispatcher: &'a dyn QueryDispatcher,
    pub manifolds: &'a dyn PersistentQueryDispatcher<ContactManifoldData, ContactData>,
}

/// The earliest reason to stop that a sweep found.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Hit {
    /// The part of the motion before the hit, from 0 to 1.
    pub fraction: Real,
    /// The element that was hit.
    pub element: u32,
    /// Unit, world space, from target to source; zero if unknown.
    pub normal: Vector,
    /// Which shape hit.
    pub shape: SweptShape,
    /// \[length] For a hit at a shallow angle: how far to lift the end of the motion along the normal, so that the source
    /// stays on what it hit. `None` is a reason to stop.
    pub lift: Option<Real>,
    /// For a source that stands at its target from the start, where the two touch in world space.
    pub stands_at: Option<Vector>,
}

impl Hit {
    /// A reason to stop the full shape.
    fn new(fraction: Real, element: u32, normal: Vector) -> Self {
        Self { fraction, element, normal, shape: SweptShape::Full, lift: None, stands_at: None }
    }
}

/// Where a sweep keeps its books.
pub(crate) struct Log<'a> {
    pub counters: &'a mut Counters,
    /// The pair's trace, if tracing is on.
    pub trace: Option<&'a mut PairTrace>,
}

impl Log<'_> {
    fn hit(&mut self, hit: HitTrace) {
        if let Some(trace) = &mut self.trace {
            trace.hits.push(hit);
        }
    }
}

/// A verdict that is only asked for when an element is within reach.
pub(crate) struct LazyVerdict<'a> {
    ask: &'a dyn Fn() -> Verdict,
    answer: OnceCell<Verdict>,
}

impl<'a> LazyVerdict<'a> {
    /// A verdict that `ask` will give.
    pub fn new(ask: &'a dyn Fn() -> Verdict) -> Self {
        Self { ask, answer: OnceCell::new() }
    }

    /// The verdict, if it was asked for.
    pub fn into_answer(self) -> Option<Verdict> {
        self.answer.into_inner()
    }

    fn get(&self) -> &Verdict {
        self.answer.get_or_init(|| (self.ask)())
    }
}

/// What a part may hit.
#[derive(Copy, Clone)]
pub(crate) struct Target<'a> {
    /// The target collider's shape.
    pub shape: &'a dyn Shape,
    /// The target is not fixed.
    pub moves: bool,
    /// The target is dynamic: it gives way.
    pub gives_way: bool,
    /// The box that the source sweeps, in world space.
    pub reach: Aabb,
    /// The source bounced or landed in this step already.
    pub has_landed: bool,
}

/// One part of a source, and how it moves past a target.
pub(crate) struct PairSweep<'a> {
    rules: Rules<'a>,
    motion: &'a PairMotion,
    part: &'a SourcePart<'a>,
    path: PartPath<'a>,
}

/// \[rad] Two faces at no more than this angle (0.6°) are one plane: the engine's contact query is off by a tenth of it for
/// lines that touch planes.
const RIDDEN_PLANE: Real = 0.01;

impl<'a> PairSweep<'a> {
    /// Prepares the sweep of `part` past a target.
    pub fn new(rules: Rules<'a>, motion: &'a PairMotion, part: &'a SourcePart<'a>) -> Self {
        let crossing = rules.tolerances.crossing(part.inner_radius);
        Self { rules, motion, part, path: PartPath::new(part, &motion.source, crossing) }
    }

    /// The earliest reason to stop.
    pub fn earliest_hit(&self, target: &Target, verdict: &LazyVerdict, log: &mut Log) -> Option<Hit> {
        let mut earliest: Option<Hit> = None;
        self.for_each_near_element(target, log, &mut |element, log| {
            let hit = match self.references(verdict) {
                None => self.sweep_loose(target, element, log),
                Some(carried) => self.sweep_persistent((target, element), carried, log),
            };
            if let Some(hit) = hit
                && earliest.is_none_or(|earliest| (hit.fraction, hit.element) < (earliest.fraction, earliest.element))
            {
                earliest = Some(hit);
            }
        });
        earliest
    }

    /// When the source first touches the target, whatever the verdict: for sensors.
    pub fn first_touch(&self, target: &Target, log: &mut Log) -> Option<Real> {
        let mut earliest: Option<Real> = None;
        self.for_each_near_element(target, log, &mut |element, log| {
            log.counters.full_sweeps += 1;
            if let Some(hit) = self.time_of_impact(element) {
                log.hit(hit.trace(element, SweptShape::Full, None, HitOutcome::Passes));
                earliest = Some(earliest.map_or(hit.fraction, |earliest| earliest.min(hit.fraction)));
            }
        });
        earliest
    }

    /// Cheap rejection first: an element with a face that the source stays beyond costs a few dot products.
    fn for_each_near_element(&self, target: &Target, log: &mut Log, visit: &mut dyn FnMut(&Element, &mut Log)) {
        let reach = self.motion.reach_of_target(&target.reach);
        for_each_element(target.shape, &reach, &mut |element| {
            log.counters.elements += 1;
            let rejected = self.is_out_of_reach(element);
            log.counters.rejected_elements += u32::from(rejected);
            if let Some(trace) = &mut log.trace {
                trace.elements += 1;
                trace.rejected += u32::from(rejected);
            }
            if !rejected {
                visit(element, log);
            }
        });
    }

    /// Does the part stay beyond one of the element's faces?
    fn is_out_of_reach(&self, element: &Element) -> bool {
        self.motion.target_is_still()
            && element.has_separating_face(&mut |normal, offset| self.path.stays_beyond(normal, offset))
    }

    /// The faces that carry the source, if the pair is persistent and the policy heeds it, and how that is known.
    fn references<'v>(&self, verdict: &'v LazyVerdict) -> Option<(&'v [Reference], Evidence)> {
        if self.rules.settings.sweep_policy == SweepPolicy::FullShape {
            return None;
        }
        match verdict.get() {
            Verdict::Loose => None,
            Verdict::Persistent { references, evidence } => Some((references, *evidence)),
        }
    }

    /// A source that does not ride on the target: its full shape stops at the hit.
    fn sweep_loose(&self, target: &Target, element: &Element, log: &mut Log) -> Option<Hit> {
        log.counters.full_sweeps += 1;
        let hit = self.time_of_impact(element)?;
        let (hit, contact) = self.contact_at((target, element), &[], (hit, log))?;
        if self.is_not_approaching(element, contact.as_ref(), 0.0) {
            log.hit(hit.trace(element, SweptShape::Full, None, HitOutcome::NotApproaching));
            return None;
        }
        if hit.overlapped {
            // Inside already, without a contact that the engine knows of: only the core can still be held back, or the
            // body would never move again.
            return self.sweep_core((target, element), log);
        }
        let slant = self.slant(target, element, contact.as_ref());
        if slant == Slant::Grazing {
            log.hit(hit.trace(element, SweptShape::Full, None, HitOutcome::Grazes));
            // What goes through with its core has not grazed a crest, but comes down on flat ground.
            self.sweep_core((target, element), log)?;
        }
        if slant.lift().is_none() && hit.fraction == 0.0 {
            return self.hold((target, element), (hit, contact), None, log);
        }
        let outcome = if slant.lift().is_some() { HitOutcome::Glances } else { HitOutcome::Stops };
        log.hit(hit.trace(element, SweptShape::Full, None, outcome));
        Some(Hit { lift: slant.lift(), ..self.stop(element, &hit, contact.as_ref()) })
    }

    /// A source that rides on the target: what belongs to the face it rides on only stops its core.
    fn sweep_persistent(
        &self,
        (target, element): (&Target, &Element),
        (references, evidence): (&[Reference], Evidence),
        log: &mut Log,
    ) -> Option<Hit> {
        // What moves and touches already is the solver's: in a pile nearly every pair does.
        let is_carrying = self.rules.settings.sweep_policy == SweepPolicy::CoreBall
            || target.moves
            || self.lies_in_carrying_face(element, references);
        let plunge = if target.moves { None } else { self.plunge(references).filter(|_| !self.passes_by(element)) };
        if is_carrying && plunge.is_none() {
            return self.sweep_core((target, element), log);
        }
        log.counters.full_sweeps += 1;
        let hit = self.time_of_impact(element)?;
        let (hit, contact) = self.contact_at((target, element), references, (hit, log))?;
        let depth = contact.as_ref().map_or(0.0, |contact| self.depth_along(contact.normal, references));
        if self.is_not_approaching(element, contact.as_ref(), depth) {
            log.hit(hit.trace(element, SweptShape::Full, None, HitOutcome::NotApproaching));
            return None;
        }
        log.counters.face_tests += 1;
        let test = self.face_test(contact.as_ref(), references);
        let slant = self.slant(target, element, contact.as_ref());
        if contact.as_ref().is_some_and(|contact| self.is_from_behind(contact, references)) {
            log.hit(hit.trace(element, SweptShape::Full, test.angle, HitOutcome::SameFace));
            return self.sweep_core((target, element), log);
        }
        let (fraction, outcome) = match (test.same_face, slant, plunge) {
            (true, Slant::Steep, Some(plunge)) => (plunge.max(hit.fraction), HitOutcome::Stops),
            (true, Slant::Steep, None) => (hit.fraction, HitOutcome::SameFace),
            (false, Slant::Steep, _) if is_carrying => (hit.fraction, HitOutcome::SameFace),
            (false, Slant::Steep, _) => (hit.fraction, HitOutcome::Stops),
            // The very plane that carries it, whatever the contact query says of how far off it is.
            (true, Slant::Glancing(_), None) if test.angle.is_some_and(|angle| angle <= RIDDEN_PLANE) => {
                (hit.fraction, HitOutcome::SameFace)
            }
            (_, Slant::Glancing(_), _) => (hit.fraction, HitOutcome::Glances),
            (_, Slant::Grazing, _) => (hit.fraction, HitOutcome::Grazes),
        };
        if outcome == HitOutcome::Stops && fraction == 0.0 {
            return self.hold((target, element), (hit, contact), Some(evidence), log);
        }
        let hit = TimeOfImpact { fraction, ..hit };
        log.hit(hit.trace(element, SweptShape::Full, test.angle, outcome));
        match outcome {
            HitOutcome::SameFace | HitOutcome::Grazes => self.sweep_core((target, element), log),
            _ => Some(Hit { lift: slant.lift(), ..self.stop(element, &hit, contact.as_ref()) }),
        }
    }

    /// Does the contact push the source through a face that carries it? Then it is that face, which the source is in so deep that
    /// its middle is behind it.
    fn is_from_behind(&self, contact: &ElementContact, references: &[Reference]) -> bool {
        let normal = self.motion.direction_in_world(contact.normal);
        references.iter().any(|reference| reference.normal.dot(normal) <= -self.face_cosine())
    }

    /// The contact at a hit, mended where it is on a rim that is no obstacle; `None` if that leaves nothing of the hit.
    fn contact_at(
        &self,
        (target, element): (&Target, &Element),
        references: &[Reference],
        (hit, log): (TimeOfImpact, &mut Log),
    ) -> Option<(TimeOfImpact, Option<ElementContact>)> {
        let Some(contact) = self.contact(element, hit.fraction) else { return Some((hit, None)) };
        match self.mend_at_rim((target, element), references, (hit, contact)) {
            Some((hit, contact)) => Some((hit, Some(contact))),
            None => {
                log.hit(hit.trace(element, SweptShape::Full, None, HitOutcome::NotApproaching));
                None
            }
        }
    }

    /// Does the whole element lie no higher than a face that carries the source? Then it is part of that face, or below it:
    /// the seam triangle ahead on flat ground, the buried side of the next tile, the riser of a step down.
    ///
    /// The face carries the source only if all of the source is on this side of it: a blade that leans over the rim of a wall
    /// touches that wall, but does not lie on it. A source that sinks into the face that carries it is the solver's to hold;
    /// but a triangle that faces another way is only below that face for as long as the source does not sink.
    fn lies_in_carrying_face(&self, element: &Element, references: &[Reference]) -> bool {
        let slop = self.rules.tolerances.slop;
        self.motion.target_is_still()
            && references.iter().any(|reference| {
                let normal = self.motion.direction_in_frame(reference.normal);
                let level = normal.dot(self.motion.point_in_frame(reference.point));
                let underside = level - reference.depth();
                let faces_alike = element.face_normal().is_none_or(|face| face.dot(normal).abs() >= COPLANAR_COSINE);
                element.highest(normal) <= level + slop
                    && self.path.lowest_at_start(normal) >= underside - slop
                    && (faces_alike || self.path.stays_beyond(normal, underside))
            })
    }

    /// Does the source go no deeper into the element than it was, by the plane of the contact?
    fn is_not_approaching(&self, element: &Element, contact: Option<&ElementContact>, depth: Real) -> bool {
        self.motion.target_is_still()
            && contact
                .is_some_and(|contact| self.path.stays_beyond(contact.normal, element.highest(contact.normal) - depth))
    }

    /// How deep the source is, at the step's start, in the faces whose normals are like `normal`.
    fn depth_along(&self, normal: Vector, references: &[Reference]) -> Real {
        let world = self.motion.direction_in_world(normal);
        let face_cosine = self.face_cosine();
        references
            .iter()
            .filter(|reference| reference.normal.dot(world) >= face_cosine)
            .fold(0.0, |deepest: Real, reference| deepest.max(reference.depth()))
    }

    fn stop(&self, element: &Element, hit: &TimeOfImpact, contact: Option<&ElementContact>) -> Hit {
        let normal = contact.map_or(Vector::ZERO, |contact| self.motion.direction_in_world(contact.normal));
        Hit::new(hit.fraction, element.id, normal)
    }
}

impl TimeOfImpact {
    fn trace(&self, element: &Element, shape: SweptShape, face_angle: Option<Real>, outcome: HitOutcome) -> HitTrace {
        HitTrace { element: element.id, shape, fraction: self.fraction, face_angle, outcome }
    }
}
