//! The stops of a step, in order of time.

use crate::assembly::Joints;
use crate::encounter::{Books, View};
use crate::movers::{Mover, Movers};
use crate::report::Clamp;
use crate::trace::StopTrace;
use rapier3d::prelude::*;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A body that is to be put back to where it was at a fraction of the step.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Stop {
    pub body: RigidBodyHandle,
    pub fraction: Real,
    /// The body whose hit it was.
    pub hit_by: RigidBodyHandle,
}

impl From<&Stop> for StopTrace {
    fn from(stop: &Stop) -> Self {
        Self { body: stop.body, fraction: stop.fraction, hit_by: stop.hit_by }
    }
}

/// The memory of the resolution, kept from step to step for its allocations only.
#[derive(Default)]
pub(crate) struct Resolution {
    /// Movers that may meet each other.
    pairs: Vec<(usize, usize)>,
    /// Movers by the least x coordinate of their bounds.
    by_x: Vec<usize>,
    events: BinaryHeap<Event>,
    assembly: Vec<RigidBodyHandle>,
    /// The stops, in order of time.
    pub stops: Vec<Stop>,
    /// The hits that caused them, in order of time.
    pub clamps: Vec<Clamp>,
}

/// A hit that stops its movers, unless one of them is stopped before.
#[derive(Copy, Clone, Debug)]
struct Event {
    clamp: Clamp,
    mover: usize,
    /// The other mover, if the hit is one of a pair.
    other: Option<usize>,
    /// The stops of the two when the event was found: if either has changed, it is void.
    known_stops: (Real, Real),
}

impl Resolution {
    /// Finds the stops of all movers. A hit stops its body and the assembly it belongs to; whoever would have met a body
    /// after it stopped is swept against it again, where it stands.
    pub fn run(&mut self, view: &View, joints: Joints, movers: &mut Movers, books: &mut Books) {
        self.stops.clear();
        self.clamps.clear();
        self.events.clear();
        for (index, mover) in movers.list().iter().enumerate() {
            if mover.is_dynamic
                && let Some(clamp) = view.first_stop_at_surroundings(movers, mover, books)
            {
                self.events.push(Event { clamp, mover: index, other: None, known_stops: (1.0, 1.0) });
            }
        }
        self.find_pairs(movers.list());
        for index in 0..self.pairs.len() {
            self.sweep_pair(view, movers.list(), (index, 0.0), books);
        }
        while let Some(event) = self.events.pop() {
            let list = movers.list();
            let is_void = match event.other {
                // A body that was stopped earlier never got there.
                None => list[event.mover].stop <= event.clamp.fraction,
                Some(other) => (list[event.mover].stop, list[other].stop) != event.known_stops,
            };
            if !is_void {
                self.apply(&event, view, joints, movers);
                self.sweep_again(view, movers.list(), &event, books);
            }
        }
    }

    /// Stops the event's bodies and their assemblies.
    fn apply(&mut self, event: &Event, view: &View, joints: Joints, movers: &mut Movers) {
        self.clamps.push(event.clamp);
        let fraction = event.clamp.fraction;
        let hit_by = event.clamp.body;
        let hit_bodies = [Some(hit_by), self.dynamic_body_hit(event, view)];
        for body in hit_bodies.into_iter().flatten() {
            joints.assembly_of(body, view.filter.bodies, &mut self.assembly);
            for member in &self.assembly {
                let is_new = match movers.place(*member) {
                    Some(place) => {
                        let mover = &mut movers.list_mut()[place];
                        let is_new = fraction < mover.stop;
                        mover.stop = mover.stop.min(fraction);
                        is_new
                    }
                    // Events come in order of time: the first stop is the earliest.
                    None => self.stops.iter().all(|stop| stop.body != *member),
                };
                if is_new {
                    self.stops.push(Stop { body: *member, fraction, hit_by });
                }
            }
        }
    }

    /// The dynamic body that was hit, which stops as well.
    fn dynamic_body_hit(&self, event: &Event, view: &View) -> Option<RigidBodyHandle> {
        let body = view.filter.colliders.get(event.clamp.target)?.parent()?;
        view.filter.bodies.get(body).filter(|body| body.is_dynamic())?;
        Some(body)
    }

    /// Sweeps the pairs of the movers that `event` stopped once more, from then on.
    fn sweep_again(&mut self, view: &View, movers: &[Mover], event: &Event, books: &mut Books) {
        let now = event.clamp.fraction;
        for index in 0..self.pairs.len() {
            let (a, b) = self.pairs[index];
            let (stop_a, stop_b) = (movers[a].stop, movers[b].stop);
            if (stop_a == now) != (stop_b == now) && stop_a.max(stop_b) > now {
                self.sweep_pair(view, movers, (index, now), books);
            }
        }
    }

    fn sweep_pair(&mut self, view: &View, movers: &[Mover], (index, from): (usize, Real), books: &mut Books) {
        let (a, b) = self.pairs[index];
        let known_stops = (movers[a].stop, movers[b].stop);
        let to = known_stops.0.max(known_stops.1);
        if to <= from {
            return;
        }
        if let Some(clamp) = view.first_stop_of_pair((&movers[a], &movers[b]), (from, to), books) {
            self.events.push(Event { clamp, mover: a, other: Some(b), known_stops });
        }
    }

    /// Finds the pairs of movers whose bounds overlap, by sweep and prune along x. The first of a pair is dynamic, and of
    /// two dynamic ones the thinner: it is the source.
    fn find_pairs(&mut self, movers: &[Mover]) {
        self.pairs.clear();
        self.by_x.clear();
        self.by_x.extend(0..movers.len());
        self.by_x.sort_unstable_by(|a, b| movers[*a].bounds.mins.x.total_cmp(&movers[*b].bounds.mins.x));
        for (position, a) in self.by_x.iter().enumerate() {
            for b in &self.by_x[position + 1..] {
                if movers[*b].bounds.mins.x > movers[*a].bounds.maxs.x {
                    break;
                }
                if movers[*a].bounds.mins.y <= movers[*b].bounds.maxs.y
                    && movers[*b].bounds.mins.y <= movers[*a].bounds.maxs.y
                    && movers[*a].bounds.mins.z <= movers[*b].bounds.maxs.z
                    && movers[*b].bounds.mins.z <= movers[*a].bounds.maxs.z
                    && let Some(pair) = as_source_and_target(movers, *a, *b)
                {
                    self.pairs.push(pair);
                }
            }
        }
    }
}

/// Which of two movers is swept against the other; `None` for two kinematic ones.
fn as_source_and_target(movers: &[Mover], a: usize, b: usize) -> Option<(usize, usize)> {
    let key = |index: usize| (movers[index].inner_radius, movers[index].handle.into_raw_parts());
    match (movers[a].is_dynamic, movers[b].is_dynamic) {
        (false, false) => None,
        (true, false) => Some((a, b)),
        (false, true) => Some((b, a)),
        (true, true) => Some(if key(a) <= key(b) { (a, b) } else { (b, a) }),
    }
}

impl Event {
    /// Order of time; at the same time, of handles.
    fn key(&self) -> impl Ord {
        let clamp = &self.clamp;
        (clamp.body.into_raw_parts(), clamp.source.into_raw_parts(), clamp.target.into_raw_parts(), clamp.element)
    }
}

/// The heap pops its greatest element: that is the earliest event.
impl Ord for Event {
    fn cmp(&self, other: &Self) -> Ordering {
        let time = self.clamp.fraction.total_cmp(&other.clamp.fraction);
        time.then_with(|| self.key().cmp(&other.key())).reverse()
    }
}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Event {}
