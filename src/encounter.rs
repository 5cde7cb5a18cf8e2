//! Encounters: what a mover may meet during the step, and when it first does.

use crate::constants::FAST_FRACTION;
use crate::filter::{Filter, PairKind};
use crate::motion::Motion;
use crate::movers::{Mover, Movers, swept_box};
use crate::report::{Clamp, Counters};
use crate::source::SourcePart;
use crate::step_start::StepStart;
use crate::sweep::{LazyVerdict, Log, PairMotion, PairSweep, Rules, Target};
use crate::trace::PairTrace;
use crate::verdict::{Evidence, PosedCollider, Verdict, Witnesses, verdict};
use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d::prelude::*;

/// Everything the sweeps read: the world after the engine step, and where its bodies came from.
pub(crate) struct View<'a> {
    pub filter: Filter<'a>,
    pub witnesses: Witnesses<'a>,
    pub rules: Rules<'a>,
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
}

/// A hit of a mover.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Encounter {
    /// The hit, as it stops the mover.
    pub hit: Clamp,
    /// \[length] For a glancing hit: how far to lift the end of the motion along its normal instead.
    pub lift: Option<Real>,
}

/// A collider that a mover may meet.
#[derive(Copy, Clone)]
struct Obstacle<'a> {
    handle: ColliderHandle,
    collider: &'a Collider,
    /// Its body's motion in the window that is swept, and its pose at the step's start.
    motion: &'a Motion,
    start: Pose,
    /// It is not fixed.
    moves: bool,
}

/// One collider of a mover, in the window that is swept.
#[derive(Copy, Clone)]
struct Source<'a> {
    mover: &'a Mover,
    handle: ColliderHandle,
    collider: &'a Collider,
    /// The body's motion in the window.
    motion: &'a Motion,
}

impl<'a> View<'a> {
    /// The earliest hit of `mover` with anything that is no mover itself.
    pub fn first_hit_at_surroundings(&self, movers: &Movers, mover: &Mover, books: &mut Books) -> Option<Encounter> {
        let mut earliest = None;
        for (handle, collider) in self.swept_colliders(mover) {
            let source = Source { mover, handle, collider, motion: &mover.motion };
            SourcePart::for_each(collider.shape(), &place_of(collider), &mut |part| {
                let reach = self.reach(source.motion, part);
                let search = reach.loosened(movers.slow_reach);
                for leaf in self.bvh.intersect_aabb(&search) {
                    let Some((target, target_handle)) = self.filter.colliders.get_unknown_gen(leaf) else { continue };
                    self.with_obstacle((target_handle, target), movers, &mut |obstacle| {
                        keep_earlier(&mut earliest, self.meet(&source, part, (obstacle, &reach), books));
                    });
                }
            });
        }
        earliest
    }

    /// The earliest hit of two movers with each other in the window from fraction `from` to `to` of the step.
    pub fn first_hit_of_pair(&self, pair: (&Mover, &Mover), window: (Real, Real), books: &mut Books) -> Option<Clamp> {
        let (mover, other) = pair;
        let motion = motion_in(mover, window);
        let other_motion = motion_in(other, window);
        if other.is_dynamic && !is_fast_relative(&motion, &other_motion, mover.inner_radius.min(other.inner_radius)) {
            return None;
        }
        let mut earliest = None;
        for (handle, collider) in self.swept_colliders(mover) {
            let source = Source { mover, handle, collider, motion: &motion };
            SourcePart::for_each(collider.shape(), &place_of(collider), &mut |part| {
                let reach = self.reach(source.motion, part);
                for (handle, collider) in self.swept_colliders(other) {
                    if !swept_box(&other_motion, &place_of(collider), collider.shape()).intersects(&reach) {
                        continue;
                    }
                    let start = other.motion.pose_at(0.0) * place_of(collider);
                    let obstacle = Obstacle { handle, collider, motion: &other_motion, start, moves: true };
                    keep_earlier(&mut earliest, self.meet(&source, part, (&obstacle, &reach), books));
                }
            });
        }
        let (from, to) = window;
        earliest.map(|Encounter { hit, .. }| Clamp { fraction: from + hit.fraction * (to - from), ..hit })
    }

    /// The box of all that a part sweeps, less the skin by which it may cross what it meets: what only touches the skin is
    /// no reason to stop. The skin is what keeps a body that rides on flat ground from looking at the ground at all.
    fn reach(&self, motion: &Motion, part: &SourcePart) -> Aabb {
        let skin = Vector::splat(self.rules.tolerances.crossing(part.inner_radius));
        let swept = swept_box(motion, &part.local, part.shape);
        Aabb::new(swept.mins + skin, swept.maxs - skin)
    }

    /// One part of a source against one obstacle.
    fn meet(
        &self,
        source: &Source,
        part: &SourcePart,
        (obstacle, reach): (&Obstacle, &Aabb),
        books: &mut Books,
    ) -> Option<Encounter> {
        let kind = self.filter.kind((source.handle, source.collider), (obstacle.handle, obstacle.collider))?;
        if kind == PairKind::Unsolved {
            return None;
        }
        books.counters.pairs += 1;
        let motion = if obstacle.moves {
            PairMotion::new(source.motion, obstacle.motion, &place_of(obstacle.collider))
        } else {
            PairMotion::past_still(source.motion, &obstacle.start, Vector::ZERO)
        };
        let sweep = PairSweep::new(self.rules, &motion, part);
        let target = Target { shape: obstacle.collider.shape(), moves: obstacle.moves, reach: *reach };

        let ask = || {
            let posed_source = PosedCollider {
                handle: source.handle,
                collider: source.collider,
                pose: source.mover.motion.pose_at(0.0) * place_of(source.collider),
            };
            let posed_target =
                PosedCollider { handle: obstacle.handle, collider: obstacle.collider, pose: obstacle.start };
            verdict(&self.witnesses, &posed_source, &posed_target, obstacle.moves)
        };
        let lazy = LazyVerdict::new(&ask);
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

        let encounter = if kind == PairKind::Sensor {
            let touch = sweep.first_touch(&target, &mut log);
            books.crossings.extend(touch.map(|fraction| Crossing {
                body: source.mover.handle,
                source: source.handle,
                target: obstacle.handle,
                fraction,
            }));
            None
        } else {
            sweep.earliest_hit(&target, &lazy, &mut log).map(|hit| Encounter {
                hit: Clamp {
                    body: source.mover.handle,
                    source: source.handle,
                    target: obstacle.handle,
                    element: hit.element,
                    fraction: hit.fraction,
                    normal: hit.normal,
                    shape: hit.shape,
                },
                lift: hit.lift,
            })
        };
        let answer = lazy.into_answer();
        count(answer.as_ref(), &mut books.counters);
        if let (Some(mut trace), Some(traces)) = (trace, &mut books.traces) {
            trace.verdict = answer;
            traces.push(trace);
        }
        encounter
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
            visit(&Obstacle { handle, collider, motion: &Motion::still(&pose), start: pose, moves });
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
                visit(&Obstacle { handle, collider, motion: &motion, start, moves: true });
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
fn place_of(collider: &Collider) -> Pose {
    collider.position_wrt_parent().copied().unwrap_or(Pose::IDENTITY)
}

/// A mover's motion in a window of the step, its stop heeded: in no window does it move on one side of its stop only.
fn motion_in(mover: &Mover, (from, to): (Real, Real)) -> Motion {
    if mover.stop <= from { Motion::still(&mover.motion.pose_at(mover.stop)) } else { mover.motion.window(from, to) }
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
