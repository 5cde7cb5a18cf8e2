//! The checks that look at a run as a whole, not at each step by itself.

use super::Check;
use super::evaluate::{Evidence, Figure, Finding, Worse};
use super::judge::{Quantity, at_least, at_most};
use super::measure::{self, Yardstick, advance_ratios, state};
use crate::error::Fault;
use crate::number::{Num, Num3, vector};
use crate::recording::{Recording, State};
use rapier3d::math::{Real, Vector};
use std::ops::RangeInclusive;

impl Evidence<'_> {
    pub(super) fn no_worse(self, body: &str, min: &Num, speed: &Option<Num>) -> Result<Finding, Fault> {
        let (min, yardstick) = (min.get(self.values)?, Yardstick::new(speed.as_ref(), None, self.values)?);
        let bad_steps = |recording: &Recording| -> Result<usize, Fault> {
            let steps = 1..=recording.last_step();
            let ratios = advance_ratios(recording, recording.body(body)?, yardstick, steps);
            Ok(ratios.iter().filter(|(_, ratio)| *ratio < min).count())
        };
        let Some(reference) = self.reference else {
            return Ok(Finding::failed("the run with CCD off is missing".into()));
        };
        let (own, off) = (bad_steps(self.recording)?, bad_steps(reference)?);
        let excess = own as f64 - off as f64;
        let mut finding = Finding::passed();
        finding.figures.push(Figure { name: "excess", unit: "bad steps", value: excess, worse: Worse::High });
        if excess > 0.0 {
            finding.fail(format!("{own} steps below {min} of speed·dt, {off} with CCD off"));
        }
        Ok(finding)
    }

    /// Compares the figures of a check with those of another recording, which goes by a name.
    pub(super) fn no_worse_than(
        self,
        other: Option<(&Recording, String)>,
        check: &Check,
        slack: &Num,
    ) -> Result<Finding, Fault> {
        let Some((recording, name)) = other else {
            return Ok(Finding::failed("the run to compare with is missing".into()));
        };
        let slack = slack.get(self.values)?;
        let own = self.evaluate(check)?;
        let other = Evidence { recording, reference: None, twin: None, ..self }.evaluate(check)?;
        let mut finding = Finding::passed();
        if own.figures.is_empty() || own.figures.len() != other.figures.len() {
            finding.fail("there is no figure to compare".into());
        }
        for (own, other) in own.figures.into_iter().zip(other.figures) {
            let limit = match own.worse {
                Worse::Low => other.value - slack,
                Worse::High => other.value + slack,
            };
            if own.worse.than(own.value, limit) {
                finding.fail(format!("{} {}, {name} it is {}", own.name, own.text(), other.text()));
            }
            finding.figures.push(own);
        }
        Ok(finding)
    }

    pub(super) fn like_twin(
        self,
        body: &str,
        (within, late): (&Num, &Option<Num>),
        steps: RangeInclusive<usize>,
    ) -> Result<Finding, Fault> {
        let Some(twin) = self.twin else {
            return Ok(Finding::failed("the run of the twin is missing".into()));
        };
        let body = self.recording.body(body)?;
        let place = |recording, step| measure::place(recording, (body, None), step);
        let late = late.as_ref().map_or(Ok(0.0), |late| late.get(self.values))?;
        let (mut way, mut samples) = (0.0, Vec::new());
        for step in 1..=twin.last_step().min(*steps.end()) {
            let moved = f64::from(place(twin, step).distance(place(twin, step - 1)));
            way += moved;
            if steps.contains(&step) {
                let apart = f64::from(place(self.recording, step).distance(place(twin, step)));
                let apart = (apart - late * moved).max(0.0);
                samples.push((step, apart / way.max(measure::SHORTEST_WAY)));
            }
        }
        Ok(at_most(Quantity { name: "off the twin", unit: "of the way" }, &samples, within.get(self.values)?))
    }

    pub(super) fn contact_held(
        self,
        pair: (&str, &str),
        share: &Num,
        steps: RangeInclusive<usize>,
    ) -> Result<Finding, Fault> {
        let index = self.watched.iter().position(|(body, collider)| (&**body, &**collider) == pair);
        let Some(contacts) = index.and_then(|index| self.recording.contacts.get(index)) else {
            return Ok(Finding::failed("its contacts were not recorded".into()));
        };
        let held: Vec<bool> = steps.filter_map(|step| contacts.get(step - 1).copied()).collect();
        let part = held.iter().filter(|held| **held).count() as f64 / held.len().max(1) as f64;
        Ok(at_least(Quantity { name: "contact", unit: "of the steps" }, &[(0, part)], share.get(self.values)?))
    }

    pub(super) fn path(
        self,
        (body, relative_to): (&str, Option<&str>),
        expected: (&Num3, &Num),
        steps: RangeInclusive<usize>,
    ) -> Result<Finding, Fault> {
        let body = self.recording.body(body)?;
        let frame = relative_to.map(|name| self.recording.body(name)).transpose()?;
        let mut values = self.values.clone();
        let mut samples = Vec::new();
        for step in steps {
            values.insert("t".into(), step as f64 * self.recording.dt);
            values.insert("step".into(), step as f64);
            let wanted = vector(expected.0, &values)?;
            let place = measure::place(self.recording, (body, frame), step);
            samples.push((step, place.distance(wanted).into()));
        }
        Ok(at_most(Quantity { name: "off the path", unit: "m" }, &samples, expected.1.get(self.values)?))
    }

    pub(super) fn peaks(self, body: (usize, Vector), expected: (&Num, &Num), count: usize) -> Result<Finding, Fault> {
        let height = |frame: &Vec<_>| {
            let state: &State = &frame[body.0];
            f64::from(state.pose.translation.dot(body.1))
        };
        let found = measure::peaks(&self.recording.frames.iter().map(height).collect::<Vec<_>>());
        let mut values = self.values.clone();
        let mut samples = Vec::new();
        for (index, (step, height)) in found.iter().take(count).enumerate() {
            values.insert("bounce".into(), (index + 1) as f64);
            samples.push((*step, (height - expected.0.get(&values)?).abs()));
        }
        let quantity = Quantity { name: "off the apex", unit: "m" };
        let mut finding = at_most(quantity, &samples, expected.1.get(self.values)?);
        if found.len() < count {
            finding.fail(format!("{} apexes, {count} wanted", found.len()));
        }
        Ok(finding)
    }

    pub(super) fn same(self, body: &str, within: &Num) -> Result<Finding, Fault> {
        let Some(reference) = self.reference else {
            return Ok(Finding::failed("the run to compare with is missing".into()));
        };
        let index = self.recording.body(body)?;
        let (own, other) = (self.end(body)?, state(reference, index, reference.last_step()));
        let (mut way, mut top_speed): (f64, f64) = (0.0, 0.0);
        for step in 1..=reference.last_step() {
            let (before, after) = (state(reference, index, step - 1), state(reference, index, step));
            way += f64::from(before.pose.translation.distance(after.pose.translation));
            top_speed = top_speed.max(after.linvel.length().into());
        }
        let relative = |difference: Real, whole: f64| f64::from(difference) / whole.max(f64::from(Real::EPSILON));
        let place = relative(own.pose.translation.distance(other.pose.translation), way);
        let speed = relative(own.linvel.distance(other.linvel), top_speed);
        let samples = [(self.recording.last_step(), place.max(speed))];
        Ok(at_most(Quantity { name: "difference", unit: "relative" }, &samples, within.get(self.values)?))
    }

    pub(super) fn hash(self) -> Finding {
        let hash = self.recording.hash();
        match self.golden {
            Some(golden) if golden == hash => Finding::passed(),
            Some(golden) => Finding::failed(format!(
                "state {hash:016x}, recorded {golden:016x}: if the change of behaviour is meant and every other check \
                 of the suite passes, renew it with `cargo fixtures run --bless` and say why in the commit"
            )),
            None => Finding::failed(format!("state {hash:016x} is not recorded: `cargo fixtures run --bless` does")),
        }
    }

    pub(super) fn events(
        self,
        names: &(String, String),
        counts: (&Option<Num>, &Option<Num>),
    ) -> Result<Finding, Fault> {
        let mut finding = Finding::passed();
        for (name, wanted, started) in [("started", counts.0, true), ("stopped", counts.1, false)] {
            let Some(wanted) = wanted else { continue };
            let wanted = wanted.count(self.values)?;
            let found = self.recording.events.iter().filter(|event| {
                let same = event.names == *names || (&event.names.1, &event.names.0) == (&names.0, &names.1);
                event.started == started && same
            });
            let found = found.count();
            finding.figures.push(Figure { name, unit: "events", value: found as f64, worse: Worse::High });
            if found != wanted {
                finding.fail(format!("{found} events `{name}`, {wanted} wanted"));
            }
        }
        Ok(finding)
    }

    pub(super) fn momentum(self, names: &[String], tolerance: &Num) -> Result<Finding, Fault> {
        let bodies = names.iter().map(|name| self.recording.body(name)).collect::<Result<Vec<_>, _>>()?;
        let momentum =
            |body: usize, step| state(self.recording, body, step).linvel * self.recording.masses[body] as Real;
        let total = |step| bodies.iter().fold(Vector::ZERO, |sum, &body| sum + momentum(body, step));
        let scale: Real = bodies.iter().map(|&body| momentum(body, 0).length()).sum();
        let start = total(0);
        let samples = self.sample((&None, &None), |step| total(step).distance(start) / scale.max(Real::EPSILON))?;
        Ok(at_most(Quantity { name: "momentum", unit: "changed" }, &samples, tolerance.get(self.values)?))
    }
}
