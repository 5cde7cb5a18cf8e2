//! A meeting: one part of a mover against one collider.

use crate::constants::CHORD_IN_SLOPS;
use crate::encounter::{Books, Bounce, Crossing, Encounter, Response, View, place_of};
use crate::filter::PairKind;
use crate::flight::Flight;
use crate::motion::Motion;
use crate::mover::Mover;
use crate::report::{Clamp, Counters, SweptShape};
use crate::seams::user_asks_for_contacts;
use crate::source::SourcePart;
use crate::surfaces::is_massless;
use crate::sweep::{Approach, Hit, LazyVerdict, Log, PairMotion, PairSweep, Rules, Target};
use crate::trace::PairTrace;
use crate::travel::swept_box;
use crate::verdict::{Evidence, PosedCollider, Verdict, verdict};
use rapier3d::parry::bounding_volume::Aabb;
use rapier3d::prelude::*;

/// One collider of a mover.
#[derive(Copy, Clone)]
pub(crate) struct Source<'a> {
    pub mover: &'a Mover,
    pub handle: ColliderHandle,
    pub collider: &'a Collider,
}

/// A collider that a mover may meet.
#[derive(Copy, Clone)]
pub(crate) struct Obstacle<'a> {
    pub handle: ColliderHandle,
    pub collider: &'a Collider,
    /// Its body's motion over the whole step, and the part of it that is played.
    pub motion: &'a Motion,
    pub stop: Real,
    /// The collider's pose at the step's start.
    pub start: Pose,
    /// It is not fixed.
    pub moves: bool,
}

impl Obstacle<'_> {
    fn motion_past(&self, source: &Motion, window: (Real, Real)) -> PairMotion {
        if self.moves {
            PairMotion::new(source, &self.motion.played(window, self.stop), &place_of(self.collider))
        } else {
            PairMotion::past_still(source, &self.start, Vector::ZERO)
        }
    }
}

impl View<'_> {
    /// The earliest hit of one part of a source with one obstacle, in a window of the step.
    pub fn meet(
        &self,
        (source, part): (&Source, &SourcePart),
        obstacle: &Obstacle,
        window: (Real, Real),
        books: &mut Books,
    ) -> Option<Encounter> {
        let kind = self.filter.kind((source.handle, source.collider), (obstacle.handle, obstacle.collider))?;
        if kind == PairKind::Unsolved || self.is_waved_through(source, obstacle) {
            return None;
        }
        books.counters.pairs += 1;
        let mut trace = books.traces.is_some().then(|| PairTrace {
            body: source.mover.handle,
            source: source.handle,
            target: obstacle.handle,
            verdict: None,
            elements: 0,
            rejected: 0,
            hits: Vec::new(),
        });
        let mut log = Log { counters: &mut books.counters, trace: trace.as_mut() };
        let mut answer = None;
        let encounter = match (kind, self.flight_towards(source, obstacle)) {
            (PairKind::Sensor, _) => {
                let touch = self.touch((source, part), obstacle, window, &mut log);
                books.crossings.extend(touch);
                None
            }
            (_, Some(flight)) => self.strike((source, part), (obstacle, flight), window, &mut log),
            (_, None) => self.hit((source, part), obstacle, window, (&mut log, &mut answer)),
        };
        count(answer.as_ref(), &mut books.counters);
        if let (Some(mut trace), Some(traces)) = (trace, &mut books.traces) {
            trace.verdict = answer;
            traces.push(trace);
        }
        encounter
    }

    /// Has the game's own hook taken all solver contacts off a pair that touches? Then the body is to pass.
    fn is_waved_through(&self, source: &Source, obstacle: &Obstacle) -> bool {
        let asks = user_asks_for_contacts(source.collider) || user_asks_for_contacts(obstacle.collider);
        asks && self.witnesses.narrow_phase.contact_pair(source.handle, obstacle.handle).is_some_and(|pair| {
            let mut manifolds =
                pair.solver_manifolds().iter().filter(|manifold| !manifold.points.is_empty()).peekable();
            manifolds.peek().is_some() && manifolds.all(|manifold| manifold.data.solver_contacts.is_empty())
        })
    }

    /// The flight of a source that would bounce off this obstacle: one without a mass of its own that is driven, or gives back
    /// something of the blow.
    fn flight_towards<'m>(&self, source: &Source<'m>, obstacle: &Obstacle) -> Option<&'m Flight> {
        // Contacts that the game's own hook wants to see are the solver's.
        if !is_massless(obstacle.collider, self.filter.bodies)
            || user_asks_for_contacts(source.collider)
            || user_asks_for_contacts(obstacle.collider)
        {
            return None;
        }
        let body = obstacle.collider.parent().and_then(|parent| self.filter.bodies.get(parent));
        let is_driven = body.is_some_and(RigidBody::is_kinematic);
        if !is_driven && restitution_of(source.collider, obstacle.collider) <= 0.0 {
            return None;
        }
        self.flight(source.mover)
    }

    /// When the source touches a sensor.
    fn touch(
        &self,
        (source, part): (&Source, &SourcePart),
        obstacle: &Obstacle,
        window: (Real, Real),
        log: &mut Log,
    ) -> Option<Crossing> {
        let own = source.mover.motion_in(window);
        let motion = obstacle.motion_past(&own, window);
        let target = self.target((source, obstacle), (&own, part), &self.rules);
        let fraction = PairSweep::new(self.rules, &motion, part).first_touch(&target, log)?;
        Some(Crossing {
            body: source.mover.handle,
            source: source.handle,
            target: obstacle.handle,
            fraction: window.0 + fraction * (window.1 - window.0),
            bounces: source.mover.impacts,
        })
    }

    /// When a source that is the solver's meets the obstacle.
    fn hit(
        &self,
        (source, part): (&Source, &SourcePart),
        obstacle: &Obstacle,
        window: (Real, Real),
        (log, answer): (&mut Log, &mut Option<Verdict>),
    ) -> Option<Encounter> {
        let own = source.mover.motion_in(window);
        let motion = obstacle.motion_past(&own, window);
        let target = self.target((source, obstacle), (&own, part), &self.rules);
        let ask = || {
            let pose = source.mover.pose_at_start * place_of(source.collider);
            let source = PosedCollider { handle: source.handle, collider: source.collider, pose };
            let posed = PosedCollider { handle: obstacle.handle, collider: obstacle.collider, pose: obstacle.start };
            verdict(&self.witnesses, &source, &posed, obstacle.moves)
        };
        let lazy = LazyVerdict::new(&ask);
        let hit = PairSweep::new(self.rules, &motion, part).earliest_hit(&target, &lazy, log);
        *answer = lazy.into_answer();
        let hit = hit?;
        let response = match hit.lift {
            Some(lift) => Response::Lift(lift),
            None => self.response_of_standing((source, obstacle), (&hit, window.0)),
        };
        Some(Encounter { hit: clamp(source, obstacle, &hit, window), response })
    }

    /// When a source in free flight bounces off the obstacle.
    fn strike(
        &self,
        (source, part): (&Source, &SourcePart),
        (obstacle, flight): (&Obstacle, &Flight),
        (from, to): (Real, Real),
        log: &mut Log,
    ) -> Option<Encounter> {
        let rules = Rules { tolerances: self.rules.tolerances.fine(), ..self.rules };
        let chords = flight.chords(from, CHORD_IN_SLOPS * self.rules.tolerances.slop);
        let length = (to - from) / chords as Real;
        for index in 0..chords {
            let begin = from + length * index as Real;
            let window = (begin, if index + 1 == chords { to } else { begin + length });
            let own = flight.chord(window);
            let motion = obstacle.motion_past(&own, window);
            let target = self.target((source, obstacle), (&own, part), &rules);
            let target_motion = obstacle.motion.played(window, obstacle.stop);
            let approach = Approach { flight, target: &target_motion, window, touch: rules.tolerances.slop };
            if let Some(strike) = PairSweep::new(rules, &motion, part).earliest_strike(&target, &approach, log) {
                let hit = clamp(source, obstacle, &strike.hit, window);
                if strike.hit.shape == SweptShape::Core {
                    return Some(Encounter { hit, response: Response::Stop });
                }
                let bounce = Bounce {
                    point: strike.point,
                    parting_speed: strike.parting_speed,
                    surface_velocity: strike.surface_velocity,
                    restitution: restitution_of(source.collider, obstacle.collider),
                    friction: friction_of(source.collider, obstacle.collider),
                    stands: false,
                };
                return Some(Encounter { hit, response: Response::Bounce(bounce) });
            }
        }
        None
    }

    fn target<'b>(
        &self,
        (source, obstacle): (&Source, &Obstacle<'b>),
        (own, part): (&Motion, &SourcePart),
        rules: &Rules,
    ) -> Target<'b> {
        let skin = Vector::splat(rules.tolerances.crossing(part.inner_radius));
        let swept = swept_box(own, &part.local, part.shape);
        let reach = Aabb::new(swept.mins + skin, swept.maxs - skin);
        let gives_way = !is_massless(obstacle.collider, self.filter.bodies);
        Target {
            shape: obstacle.collider.shape(),
            moves: obstacle.moves,
            gives_way,
            reach,
            has_landed: source.mover.impacts > 0,
        }
    }
}

fn clamp(source: &Source, obstacle: &Obstacle, hit: &Hit, (from, to): (Real, Real)) -> Clamp {
    Clamp {
        body: source.mover.handle,
        source: source.handle,
        target: obstacle.handle,
        element: hit.element,
        fraction: from + hit.fraction * (to - from),
        normal: hit.normal,
        shape: hit.shape,
    }
}

/// The pair's coefficient of restitution, as the engine combines it, within the law's range.
pub(crate) fn restitution_of(a: &Collider, b: &Collider) -> Real {
    let (a, b) = (a.material(), b.material());
    let rules = (a.restitution_combine_rule, b.restitution_combine_rule);
    let combined = CoefficientCombineRule::combine(a.restitution, b.restitution, rules.0, rules.1);
    // A user may set more than 1, for bumpers; the law ends there.
    if combined.is_finite() { combined.clamp(0.0, 1.0) } else { 0.0 }
}

/// The pair's coefficient of friction, as the engine combines it.
pub(crate) fn friction_of(a: &Collider, b: &Collider) -> Real {
    let (a, b) = (a.material(), b.material());
    let rules = (a.friction_combine_rule, b.friction_combine_rule);
    let combined = CoefficientCombineRule::combine(a.friction, b.friction, rules.0, rules.1);
    if combined.is_finite() { combined.max(0.0) } else { 0.0 }
}

fn count(verdict: Option<&Verdict>, counters: &mut Counters) {
    match verdict {
        None => {}
        Some(Verdict::Loose) => counters.loose_verdicts += 1,
        Some(Verdict::Persistent { evidence, .. }) => match evidence {
            Evidence::Direct => counters.direct_verdicts += 1,
            Evidence::Neighbour(_) => counters.neighbour_verdicts += 1,
            Evidence::Geometric => counters.geometric_verdicts += 1,
        },
    }
}
