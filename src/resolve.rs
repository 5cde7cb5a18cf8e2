//! What becomes of the movers, in order of time.

use crate::assembly::Joints;
use crate::encounter::{Books, Bounce, Encounter, Response, View, keep_earlier};
use crate::impact::Impacts;
use crate::motion::Motion;
use crate::mover::Mover;
use crate::mover_pairs::MoverPairs;
use crate::movers::Movers;
use crate::ownership::has_locked_translation;
use crate::report::{Clamp, Glance, Impact};
use crate::step_start::StepStart;
use crate::surfaces::is_massless;
use crate::trace::StopTrace;
use rapier3d::parry::bounding_volume::BoundingVolume;
use rapier3d::prelude::*;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// How many glancing hits a body may have in one step before the next one stops it: floor, wall and ceiling of a corner,
/// and one more.
const MAX_GLANCES: u32 = 4;

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

/// Where and how a body ends the step.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct BodyEnd {
    pub body: RigidBodyHandle,
    pub pose: Pose,
    /// Its velocity, if it bounced.
    pub velocity: Option<RigidBodyVelocity<Real>>,
}

/// A body that is no mover, but belongs to the assembly of one that is stopped or lifted.
#[derive(Copy, Clone, Debug, PartialEq)]
struct Follower {
    body: RigidBodyHandle,
    /// The part of its motion that is played.
    stop: Real,
    /// How far the end of its motion is lifted.
    shift: Vector,
}

/// The outcome of the resolution, and the memory it works in.
#[derive(Default)]
pub(crate) struct Resolution {
    /// By mover: its first hit with what is no mover.
    first_hits: Vec<Option<Encounter>>,
    /// By mover: its glancing hits are dealt with.
    is_settled: Vec<bool>,
    pairs: MoverPairs,
    events: BinaryHeap<Event>,
    assembly: Vec<RigidBodyHandle>,
    /// The stops, in order of time.
    pub stops: Vec<Stop>,
    /// The hits that caused them, in order of time.
    pub clamps: Vec<Clamp>,
    /// The glancing hits.
    pub glances: Vec<Glance>,
    /// The bounces, in order of time.
    pub impacts: Vec<Impact>,
    followers: Vec<Follower>,
    workshop: Impacts,
}

/// A hit of a mover, unless its motion changes before.
#[derive(Copy, Clone, Debug)]
struct Event {
    encounter: Encounter,
    mover: usize,
    /// The other mover, if the hit is one of a pair.
    other: Option<usize>,
    /// The versions of the two motions when the event was found: if either has changed, it is void.
    known: (u32, u32),
}

impl Resolution {
    /// Finds out what becomes of all movers. Glancing hits lift the end of a motion, with the whole assembly. What is in free
    /// flight bounces, and flies on. What a moving surface runs into is carried along by it. Any other hit stops its body, and
    /// the assembly it belongs to. Whoever would meet a body after its motion changed is swept against it again.
    pub fn run(&mut self, view: &View, joints: Joints, movers: &mut Movers, books: &mut Books) {
        self.clear();
        self.find_first_hits(view, movers, books);
        for index in 0..movers.list().len() {
            if self.first_hits[index].is_some_and(|hit| hit.is_glancing()) && !self.is_settled[index] {
                let body = movers.list()[index].handle;
                joints.assembly_of(body, view.filter.bodies, &mut self.assembly);
                self.settle_glances(view, movers, books);
            }
        }
        self.events.extend(self.first_hits.iter().enumerate().filter_map(|(mover, hit)| {
            Some(Event { encounter: (*hit)?, mover, other: None, known: (movers.list()[mover].version, 0) })
        }));
        self.pairs.find(movers.list());
        for index in 0..self.pairs.list().len() {
            self.sweep_pair(view, movers.list(), (self.pairs.list()[index], 0.0), books);
        }
        while let Some(event) = self.events.pop() {
            if !event.is_void(movers.list()) {
                self.respond(&event, (view, joints), movers, books);
            }
        }
    }

    fn respond(&mut self, event: &Event, (view, joints): (&View, Joints), movers: &mut Movers, books: &mut Books) {
        if let Response::Bounce(bounce) = &event.encounter.response
            && self.bounce((event, bounce), view, movers)
        {
            self.sweep_on(view, movers, (event.mover, event.encounter.hit.fraction), books);
        } else if event.other.is_some_and(|other| !movers.list()[other].is_dynamic) {
            self.carry(event, (view, joints), movers, books);
        } else if self.stop(event, view, joints, movers) {
            if let Response::Settle(bounce) = &event.encounter.response {
                let mover = &mut movers.list_mut()[event.mover];
                mover.velocity_at_end = self.workshop.settled(view, mover, (&event.encounter.hit, bounce));
            }
            self.sweep_again(view, movers.list(), event, books);
        }
    }

    /// Writes where and how the bodies whose motion changed end the step into `ends`.
    pub fn ends(&self, movers: &Movers, (bodies, start): (&RigidBodySet, &StepStart), ends: &mut Vec<BodyEnd>) {
        ends.clear();
        let changed = movers.list().iter().filter(|mover| mover.is_rewritten || mover.stop < 1.0);
        ends.extend(changed.map(|mover| BodyEnd {
            body: mover.handle,
            pose: mover.motion.pose_at(mover.stop),
            velocity: mover.velocity_at_end,
        }));
        for follower in &self.followers {
            let Some(body) = bodies.get(follower.body) else { continue };
            let from = start.pose(follower.body).unwrap_or(body.position());
            let center = body.mass_properties().local_mprops.local_com;
            let motion = Motion::between(from, body.position(), center, Vector::ZERO).with_end_shifted(follower.shift);
            ends.push(BodyEnd { body: follower.body, pose: motion.pose_at(follower.stop), velocity: None });
        }
    }

    fn follower(&mut self, body: RigidBodyHandle) -> &mut Follower {
        let place = self.followers.iter().position(|follower| follower.body == body).unwrap_or_else(|| {
            self.followers.push(Follower { body, stop: 1.0, shift: Vector::ZERO });
            self.followers.len() - 1
        });
        &mut self.followers[place]
    }

    /// Forgets the last step, but keeps the memory.
    pub fn clear(&mut self) {
        self.first_hits.clear();
        self.is_settled.clear();
        self.events.clear();
        self.stops.clear();
        self.clamps.clear();
        self.glances.clear();
        self.impacts.clear();
        self.followers.clear();
    }

    fn find_first_hits(&mut self, view: &View, movers: &Movers, books: &mut Books) {
        self.first_hits.extend(movers.list().iter().map(|mover| {
            if mover.is_dynamic { view.first_hit_at_surroundings(movers, mover, 0.0, books) } else { None }
        }));
        self.is_settled.resize(movers.list().len(), false);
    }

    /// Lifts the assembly at its earliest hit for as long as that is a glance, and sweeps it again.
    fn settle_glances(&mut self, view: &View, movers: &mut Movers, books: &mut Books) {
        for _ in 0..MAX_GLANCES {
            let Some(Encounter { hit, response: Response::Lift(lift) }) = self.earliest_of_assembly(movers) else {
                break;
            };
            self.glances.push(Glance { hit, lift });
            self.shift_assembly(movers, hit.normal * lift);
            for member in &self.assembly {
                if let Some(place) = movers.place(*member) {
                    let mover = &movers.list()[place];
                    self.first_hits[place] = view.first_hit_at_surroundings(movers, mover, 0.0, books);
                }
            }
        }
        for member in &self.assembly {
            if let Some(place) = movers.place(*member) {
                self.is_settled[place] = true;
            }
        }
    }

    fn earliest_of_assembly(&self, movers: &Movers) -> Option<Encounter> {
        let mut earliest = None;
        for place in self.assembly.iter().filter_map(|member| movers.place(*member)) {
            keep_earlier(&mut earliest, self.first_hits[place]);
        }
        earliest
    }

    /// Lifts the ends of the assembly's motions by `by`.
    fn shift_assembly(&mut self, movers: &mut Movers, by: Vector) {
        for index in 0..self.assembly.len() {
            let member = self.assembly[index];
            match movers.place(member) {
                Some(place) => movers.list_mut()[place].shift_end(by),
                None => self.follower(member).shift += by,
            }
        }
    }

    /// Lets the event's mover bounce. Returns `false` if the law refuses the contact.
    fn bounce(&mut self, (event, bounce): (&Event, &Bounce), view: &View, movers: &mut Movers) -> bool {
        let mover = &movers.list()[event.mover];
        let Some((flight, impact)) = self.workshop.bounce(view, (movers, mover), (&event.encounter.hit, bounce)) else {
            return false;
        };
        let Some(body) = view.filter.bodies.get(mover.handle) else { return false };
        let may_bounce_again = mover.impacts + 1 < view.rules.settings.max_impacts_per_step;
        let mover = &mut movers.list_mut()[event.mover];
        if may_bounce_again {
            mover.fly(flight, body, view.filter.colliders);
        } else {
            mover.hold((&flight, bounce.surface_velocity), body, view.filter.colliders);
        }
        self.impacts.push(impact);
        true
    }

    /// Sweeps a mover whose motion changed at fraction `now` against everything, from then on.
    fn sweep_on(&mut self, view: &View, movers: &Movers, (index, now): (usize, Real), books: &mut Books) {
        let list = movers.list();
        let mover = &list[index];
        if let Some(encounter) = view.first_hit_at_surroundings(movers, mover, now, books) {
            self.events.push(Event { encounter, mover: index, other: None, known: (mover.version, 0) });
        }
        for other in 0..list.len() {
            if list[other].bounds.intersects(&mover.bounds)
                && let Some(pair) = self.pairs.add(list, (index, other))
            {
                self.sweep_pair(view, list, (pair, now), books);
            }
        }
    }

    /// Carries the assembly that a moving surface runs into along with it. Its velocity stays: the solver, which has joints
    /// and other contacts to heed, answers the contact in the next step.
    fn carry(&mut self, event: &Event, (view, joints): (&View, Joints), movers: &mut Movers, books: &mut Books) {
        let Some(other) = event.other else { return };
        let hit = event.encounter.hit;
        let (mover, surface) = (&movers.list()[event.mover], &movers.list()[other]);
        // Both are followed where the mover's centre of mass is: it moves with the body, turn as it may.
        let from = hit.fraction;
        let center = mover.motion.pose_at(from) * mover.motion.local_center();
        let moved = |motion: &Motion, stop: Real| {
            let (before, after) = (motion.pose_at(from.min(stop)), motion.pose_at(stop));
            after * before.inverse_transform_point(center) - center
        };
        let lift = (moved(&surface.motion, 1.0) - moved(&mover.motion, mover.stop)).dot(hit.normal);
        // A body that stands at its start cannot be carried from there by a share of its motion.
        let share = mover.stop;
        if lift <= 0.0 || share <= 0.0 || mover.carries >= MAX_GLANCES {
            return;
        }
        joints.assembly_of(mover.handle, view.filter.bodies, &mut self.assembly);
        // What is on rails stays on them, and is run through like something fixed.
        let is_locked = |member: &RigidBodyHandle| view.filter.bodies.get(*member).is_some_and(has_locked_translation);
        if self.assembly.iter().any(is_locked) {
            return;
        }
        self.glances.push(Glance { hit, lift });
        self.shift_assembly(movers, hit.normal * (lift / share));
        for index in 0..self.assembly.len() {
            if let Some(place) = movers.place(self.assembly[index]) {
                movers.list_mut()[place].carries += 1;
                self.sweep_on(view, movers, (place, from), books);
            }
        }
    }

    /// Stops the event's bodies and their assemblies. Returns whether that stopped anything: a moving surface that reaches a
    /// body which stands already does not.
    fn stop(&mut self, event: &Event, view: &View, joints: Joints, movers: &mut Movers) -> bool {
        let stopped_before = self.stops.len();
        let hit = event.encounter.hit;
        let bodies = view.filter.bodies;
        // A dynamic body that was hit stops as well.
        let target = view.filter.colliders.get(hit.target).filter(|target| !is_massless(target, bodies));
        let target = target.and_then(Collider::parent);
        for body in [Some(hit.body), target].into_iter().flatten() {
            joints.assembly_of(body, bodies, &mut self.assembly);
            for index in 0..self.assembly.len() {
                let member = self.assembly[index];
                let stopped = match movers.place(member) {
                    Some(place) => movers.list_mut()[place].stop_at(hit.fraction),
                    None => {
                        let follower = self.follower(member);
                        let stops = hit.fraction < follower.stop;
                        follower.stop = follower.stop.min(hit.fraction);
                        stops
                    }
                };
                if stopped {
                    self.stops.push(Stop { body: member, fraction: hit.fraction, hit_by: hit.body });
                }
            }
        }
        let any = self.stops.len() > stopped_before;
        if any {
            self.clamps.push(hit);
        }
        any
    }

    /// Sweeps the pairs of the movers that `event` stopped once more, from then on.
    fn sweep_again(&mut self, view: &View, movers: &[Mover], event: &Event, books: &mut Books) {
        let now = event.encounter.hit.fraction;
        for index in 0..self.pairs.list().len() {
            let (a, b) = self.pairs.list()[index];
            let (stop_a, stop_b) = (movers[a].stop, movers[b].stop);
            if (stop_a == now) != (stop_b == now) && stop_a.max(stop_b) > now {
                self.sweep_pair(view, movers, ((a, b), now), books);
            }
        }
    }

    fn sweep_pair(&mut self, view: &View, movers: &[Mover], ((a, b), from): ((usize, usize), Real), books: &mut Books) {
        let to = movers[a].stop.max(movers[b].stop);
        if to <= from {
            return;
        }
        if let Some(encounter) = view.first_hit_of_pair((&movers[a], &movers[b]), (from, to), books) {
            let known = (movers[a].version, movers[b].version);
            self.events.push(Event { encounter, mover: a, other: Some(b), known });
        }
    }
}

impl Event {
    /// Has one of the motions changed since the event was found, so that it never comes to this hit?
    fn is_void(&self, movers: &[Mover]) -> bool {
        let version = |index: usize| movers[index].version;
        (version(self.mover), self.other.map_or(0, version)) != self.known
    }

    /// The order at the same time: that of handles.
    fn key(&self) -> impl Ord {
        let hit = &self.encounter.hit;
        (hit.body.into_raw_parts(), hit.source.into_raw_parts(), hit.target.into_raw_parts(), hit.element)
    }
}

/// The heap pops its greatest element: that is the earliest event.
impl Ord for Event {
    fn cmp(&self, other: &Self) -> Ordering {
        let time = self.encounter.hit.fraction.total_cmp(&other.encounter.hit.fraction);
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
