//! Encounters: what a mover may meet during the step, and when it first does.

use crate::constants::FAST_FRACTION;
use crate::filter::Filter;
use crate::flight::Flight;
use crate::meeting::{Obstacle, Source};
use crate::motion::Motion;
use crate::mover::Mover;
use crate::movers::Movers;
use crate::ownership::Owners;
use crate::report::{Clamp, Counters};
use crate::source::SourcePart;
use crate::step_start::StepStart;
use crate::sweep::Rules;
use crate::trace::PairTrace;
use crate::travel::swept_box;
use crate::verdict::Witnesses;
use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d::prelude::*;

/// Everything the sweeps read: the world after the engine step, and where its bodies came from.
pub(crate) struct View<'a> {
    pub filter: Filter<'a>,
    pub witnesses: Witnesses<'a>,
    pub rules: Rules<'a>,
    pub owners: Owners<'a>,
    pub start: &'a StepStart,
    pub bvh: &'a Bvh,
}

/// What the sweeps write.
#[derive(Default)]
pub(crate) struct Books {
    pub counters: Counters,
    /// The traces of the pairs, if tracing is on.
    pub traces: Option<Vec<PairTrace>>,
    /// Sensors that were touched on the way.
    pub crossings: Vec<Crossing>,
}

impl Books {
    /// Opens the books of a new step.
    pub fn open(&mut self, tracing: bool) {
        self.counters = Counters::default();
        self.crossings.clear();
        self.traces = tracing.then(Vec::new);
    }
}

/// A sensor that was touched during a sweep.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Crossing {
    pub body: RigidBodyHandle,
    pub source: ColliderHandle,
    pub target: ColliderHandle,
    pub fraction: Real,
    /// How often the body had bounced when the path that crosses the sensor began.
    pub bounces: u32,
}

/// A hit of a mover, and what it calls for.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Encounter {
    /// The hit, as it stops the mover.
    pub hit: Clamp,
    pub response: Response,
}

impl Encounter {
    /// Is it one at a shallow angle?
    pub fn is_glancing(&self) -> bool {
        matches!(self.response, Response::Lift(_))
    }
}

/// What a hit calls for.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Response {
    /// The mover stops.
    Stop,
    /// \[length] A glancing hit: the end of the motion is lifted by this much along the normal.
    Lift(Real),
    /// The mover is in free flight, and bounces.
    Bounce(Bounce),
    /// The mover stops, and loses the velocity by which it would go on into what it stands at.
    Settle(Bounce),
}

/// How a mover in free flight meets a surface.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Bounce {
    /// The contact point on the surface in world space.
    pub point: Vector,
    /// \[length/s] The speed at which the two part there: negative.
    pub parting_speed: Real,
    pub surface_velocity: Vector,
    pub restitution: Real,
    pub friction: Real,
    /// The mover stands at the surface from the start, and the solver did not keep it from going on into it.
    pub stands: bool,
}

impl<'a> View<'a> {
    /// The earliest hit of `mover`, from fraction `from` of the step on, with anything that is no mover itself.
    pub fn first_hit_at_surroundings(
        &self,
        movers: &Movers,
        mover: &Mover,
        from: Real,
        books: &mut Books,
    ) -> Option<Encounter> {
        let mut earliest = None;
        let window = (from, mover.stop);
        let motion = mover.motion_in(window);
        for (handle, collider) in self.swept_colliders(mover) {
            let source = Source { mover, handle, collider };
            SourcePart::for_each(collider.shape(), &place_of(collider), &mut |part| {
                let search = self.search_box(mover.may_bounce, &motion, part).loosened(movers.slow_reach);
                for leaf in self.bvh.intersect_aabb(&search) {
                    let Some((target, target_handle)) = self.filter.colliders.get_unknown_gen(leaf) else { continue };
                    self.with_obstacle((target_handle, target), movers, &mut |obstacle| {
                        keep_earlier(&mut earliest, self.meet((&source, part), obstacle, window, books));
                    });
                }
            });
        }
        earliest
    }

    /// The earliest hit of two movers with each other in the window from fraction `from` to `to` of the step.
    pub fn first_hit_of_pair(
        &self,
        (mover, other): (&Mover, &Mover),
        window: (Real, Real),
        books: &mut Books,
    ) -> Option<Encounter> {
        let (motion, other_motion) = (mover.motion_in(window), other.motion_in(window));
        if other.is_dynamic && !is_fast_relative(&motion, &other_motion, mover.inner_radius.min(other.inner_radius)) {
            return None;
        }
        let mut earliest = None;
        for (handle, collider) in self.swept_colliders(mover) {
            let source = Source { mover, handle, collider };
            SourcePart::for_each(collider.shape(), &place_of(collider), &mut |part| {
                // A surface that drives the mover has to be met to the letter.
                let reach = self.search_box(mover.may_bounce || !other.is_dynamic, &motion, part);
                for (handle, collider) in self.swept_colliders(other) {
                    let place = place_of(collider);
                    if !swept_box(&other_motion, &place, collider.shape()).intersects(&reach) {
                        continue;
                    }
                    let start = other.motion.pose_at(0.0) * place;
                    let obstacle =
                        Obstacle { handle, collider, motion: &other.motion, stop: other.stop, start, moves: true };
                    keep_earlier(&mut earliest, self.meet((&source, part), &obstacle, window, books));
                }
            });
        }
        earliest
    }

    /// The flight of a mover that is in nobody else's hands. Asked for only where there is something to bounce off, and then
    /// kept.
    pub fn flight<'m>(&self, mover: &'m Mover) -> Option<&'m Flight> {
        let found = mover.flight.get_or_init(|| {
            if self.rules.settings.max_impacts_per_step == 0 {
                return None;
            }
            let free = self.owners.free_flight(mover.handle, self.start, &mover.motion.pose_at(0.0))?;
            // What the solver braked was looked for when the movers were found: it has its flight, or keeps what it got.
            (!free.was_braked).then_some(free.flight)
        });
        found.as_ref()
    }

    /// The box in which a part may meet something: all that it sweeps, less the skin by which it may cross what it meets. What
    /// only touches the skin is no reason to stop, and so a body that rides on flat ground does not look at the ground at all.
    /// Where a bounce is to be expected there is no skin.
    fn search_box(&self, may_bounce: bool, motion: &Motion, part: &SourcePart) -> Aabb {
        let swept = swept_box(motion, &part.local, part.shape);
        if may_bounce {
            // Free flight leaves its chord by up to a slop.
            return swept.loosened(self.rules.tolerances.slop);
        }
        let skin = Vector::splat(self.rules.tolerances.crossing(part.inner_radius));
        Aabb::new(swept.mins + skin, swept.maxs - skin)
    }

    /// Calls `visit` with the collider as an obstacle, unless it belongs to a mover, which is met as one of a pair.
    fn with_obstacle(
        &self,
        (handle, collider): (ColliderHandle, &Collider),
        movers: &Movers,
        visit: &mut dyn FnMut(&Obstacle),
    ) {
        let body = collider.parent().and_then(|parent| Some((parent, self.filter.bodies.get(parent)?)));
        let mut visit_still = |moves: bool| {
            let pose = *collider.position();
            visit(&Obstacle { handle, collider, motion: &Motion::still(&pose), stop: 1.0, start: pose, moves });
        };
        match body {
            None => visit_still(false),
            // A soft body's surface is taken as it is at the step's end, standing still.
            Some((_, body)) if body.is_fixed() || body.is_soft_frame() => visit_still(false),
            Some((parent, _)) if movers.place(parent).is_some() => {}
            Some((parent, body)) => {
                let from = self.start.pose(parent).copied().unwrap_or(*body.position());
                let motion = Motion::between(
                    &from,
                    body.position(),
                    body.mass_properties().local_mprops.local_com,
                    Vector::ZERO,
                );
                let start = from * place_of(collider);
                visit(&Obstacle { handle, collider, motion: &motion, stop: 1.0, start, moves: true });
            }
        }
    }

    fn swept_colliders(&self, mover: &Mover) -> impl Iterator<Item = (ColliderHandle, &'a Collider)> {
        let body = self.filter.bodies.get(mover.handle);
        let colliders = self.filter.colliders;
        body.into_iter()
            .flat_map(|body| body.colliders())
            .filter_map(move |handle| Some((*handle, colliders.get(*handle)?)))
            .filter(|(_, collider)| collider.is_enabled())
    }
}

/// A collider on its body.
pub(crate) fn place_of(collider: &Collider) -> Pose {
    collider.position_wrt_parent().copied().unwrap_or(Pose::IDENTITY)
}

/// Do the two move relative to each other by more than what half of the thinner one forgives?
fn is_fast_relative(motion: &Motion, other: &Motion, inner_radius: Real) -> bool {
    let travelled = |motion: &Motion| {
        let (from, to) = motion.center_path();
        to - from
    };
    let turned = motion.rotation() > 0.0 || other.rotation() > 0.0;
    turned || (travelled(motion) - travelled(other)).length() > FAST_FRACTION * inner_radius
}

/// Keeps the earlier of two hits; at the same time, the one of the lesser handles, whatever the order of visits.
pub(crate) fn keep_earlier(earliest: &mut Option<Encounter>, encounter: Option<Encounter>) {
    let key = |hit: &Clamp| {
        (hit.body.into_raw_parts(), hit.target.into_raw_parts(), hit.source.into_raw_parts(), hit.element)
    };
    if let Some(encounter) = encounter
        && earliest.is_none_or(|earliest| {
            let (a, b) = (&encounter.hit, &earliest.hit);
            a.fraction.total_cmp(&b.fraction).then_with(|| key(a).cmp(&key(b))).is_lt()
        })
    {
        *earliest = Some(encounter);
    }
}
