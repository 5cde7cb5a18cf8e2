//! Evaluating checks on recordings.

use super::Check;
use super::judge::{Quantity, at_least, at_most, limited, shown};
use super::measure::{self, Sample, Yardstick, advance_ratios, median_ratios, state};
use crate::error::Fault;
use crate::number::{Num, Num3, Values, direction, vector};
use crate::recording::{Recording, State};
use rapier3d::math::{Real, Vector};
use std::ops::RangeInclusive;

/// The result of one check in one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The figures it is about; the worst ones of the run.
    pub figures: Vec<Figure>,
    reasons: Vec<String>,
}

/// A figure of a check.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Figure {
    /// What it is.
    pub name: &'static str,
    /// Its unit; empty for a plain number.
    pub unit: &'static str,
    /// Its value.
    pub value: f64,
    /// Which direction is worse.
    pub worse: Worse,
}

/// The direction in which a figure gets worse.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Worse {
    /// Lower is worse.
    Low,
    /// Higher is worse.
    High,
}

impl Worse {
    /// Is `a` worse than `b`? What is not a number is worse than everything.
    pub fn than(self, a: f64, b: f64) -> bool {
        match self {
            _ if b.is_nan() => false,
            _ if a.is_nan() => true,
            Self::Low => a < b,
            Self::High => a > b,
        }
    }
}

impl Finding {
    /// A check that held, without figures.
    pub const fn passed() -> Self {
        Self { figures: Vec::new(), reasons: Vec::new() }
    }

    /// A check that did not hold.
    pub fn failed(reason: String) -> Self {
        Self { figures: Vec::new(), reasons: vec![reason] }
    }

    pub(super) fn fail(&mut self, reason: String) {
        self.reasons.push(reason);
    }

    /// Did the check hold?
    pub fn is_passed(&self) -> bool {
        self.reasons.is_empty()
    }

    /// Why not; empty if it did.
    pub fn message(&self) -> String {
        self.reasons.join("; ")
    }
}

/// What checks are evaluated on.
#[derive(Copy, Clone)]
pub struct Evidence<'a> {
    /// The numbers of the run.
    pub values: &'a Values,
    /// What happened.
    pub recording: &'a Recording,
    /// What happened with the engine that the check compares with, if it does.
    pub reference: Option<&'a Recording>,
    /// What happened in the scene's twin with the same engine, if a check compares with it.
    pub twin: Option<&'a Recording>,
    /// The pairs whose contacts were recorded.
    pub watched: &'a [(String, String)],
    /// The recorded hash, if there is one.
    pub golden: Option<u64>,
}

/// The optional first and last step of a check.
type Window<'a> = (&'a Option<Num>, &'a Option<Num>);

impl Evidence<'_> {
    /// Evaluates one check.
    ///
    /// # Errors
    /// A name or a number of the check that is at fault.
    pub fn evaluate(self, check: &Check) -> Result<Finding, Fault> {
        let (values, recording) = (self.values, self.recording);
        match check {
            Check::AdvanceRatio { body, min, speed, along, from, to } => {
                let yardstick = Yardstick::new(speed.as_ref(), along.as_ref(), values)?;
                let samples = advance_ratios(recording, recording.body(body)?, yardstick, self.steps((from, to))?);
                Ok(at_least(Quantity { name: "advance", unit: "of speed·dt" }, &samples, min.get(values)?))
            }
            Check::MedianRatio { body, min, window, along, from, to } => {
                let how = (window.count(values)?, self.optional_direction(along)?);
                let samples = median_ratios(recording, recording.body(body)?, how, self.steps((from, to))?);
                Ok(at_least(Quantity { name: "advance", unit: "of median" }, &samples, min.get(values)?))
            }
            Check::NoWorseThanOff { body, min, speed } => self.no_worse(body, min, speed),
            Check::Height { body, min, max, up, from, to } => {
                let (body, up) = (recording.body(body)?, direction(up, values, "up")?);
                let samples = self.sample((from, to), |step| state(recording, body, step).pose.translation.dot(up))?;
                self.limited(Quantity { name: "height", unit: "m" }, &samples, (min, max))
            }
            Check::Speed { body, min, max, along, from, to } => {
                let (body, along) = (recording.body(body)?, self.optional_direction(along)?);
                let samples = self.sample((from, to), |step| {
                    let velocity = state(recording, body, step).linvel;
                    along.map_or(velocity.length(), |along| velocity.dot(along))
                })?;
                self.limited(Quantity { name: "speed", unit: "m/s" }, &samples, (min, max))
            }
            Check::Spin { body, min, max, from, to } => {
                let body = recording.body(body)?;
                let samples = self.sample((from, to), |step| state(recording, body, step).angvel.length())?;
                self.limited(Quantity { name: "spin", unit: "rad/s" }, &samples, (min, max))
            }
            Check::Distance { bodies, min, max, from, to } => {
                let (first, second) = (recording.body(&bodies.0)?, recording.body(&bodies.1)?);
                let place = |body, step| state(recording, body, step).pose.translation;
                let samples = self.sample((from, to), |step| place(first, step).distance(place(second, step)))?;
                self.limited(Quantity { name: "distance", unit: "m" }, &samples, (min, max))
            }
            Check::NeverPast { body, point, normal, by, relative_to, from, to } => {
                let body = recording.body(body)?;
                let frame = relative_to.as_ref().map(|name| recording.body(name)).transpose()?;
                let (point, normal) = self.plane(point, normal)?;
                let samples = self
                    .sample((from, to), |step| (point - measure::place(recording, (body, frame), step)).dot(normal))?;
                let allowed = self.optional(by)?.unwrap_or(0.0);
                Ok(at_most(Quantity { name: "past the plane", unit: "m" }, &samples, allowed))
            }
            Check::Penetration { body, point, normal, max, from, to } => {
                let (body, plane) = (recording.body(body)?, self.plane(point, normal)?);
                let solids = &recording.solids[body];
                let samples = self.sample((from, to), |step| {
                    measure::depth(solids, &state(recording, body, step).pose, plane) as Real
                })?;
                Ok(at_most(Quantity { name: "depth", unit: "m" }, &samples, max.get(values)?))
            }
            Check::ContactHeld { body, collider, share, from, to } => {
                self.contact_held((body, collider), share, self.steps((from, to))?)
            }
            Check::FinalPose { body, translation, tolerance, rotation, angle_tolerance } => {
                let end = self.end(body)?;
                let off = f64::from(end.pose.translation.distance(vector(translation, values)?));
                let quantity = Quantity { name: "off the place", unit: "m" };
                let mut finding = at_most(quantity, &[(recording.last_step(), off)], tolerance.get(values)?);
                if let Some(rotation) = rotation {
                    let angle = f64::from(end.pose.rotation.angle_between(rotation.rotation(values)?)).to_degrees();
                    let limit = self.optional(angle_tolerance)?.unwrap_or(1.0);
                    let quantity = Quantity { name: "turned", unit: "°" };
                    finding = finding.and(at_most(quantity, &[(recording.last_step(), angle)], limit));
                }
                Ok(finding)
            }
            Check::FinalVelocity { body, linear, tolerance, angular, angular_tolerance } => {
                let end = self.end(body)?;
                let off = f64::from(end.linvel.distance(vector(linear, values)?));
                let quantity = Quantity { name: "off the velocity", unit: "m/s" };
                let mut finding = at_most(quantity, &[(recording.last_step(), off)], tolerance.get(values)?);
                if let Some(angular) = angular {
                    let off = f64::from(end.angvel.distance(vector(angular, values)?));
                    let limit = self.optional(angular_tolerance)?.unwrap_or(0.1);
                    let quantity = Quantity { name: "off the spin", unit: "rad/s" };
                    finding = finding.and(at_most(quantity, &[(recording.last_step(), off)], limit));
                }
                Ok(finding)
            }
            Check::Path { body, translation, tolerance, relative_to, from, to } => {
                self.path((body, relative_to.as_deref()), (translation, tolerance), self.steps((from, to))?)
            }
            Check::Peaks { body, height, tolerance, count, up } => {
                let (body, up) = (recording.body(body)?, direction(up, values, "up")?);
                self.peaks((body, up), (height, tolerance), count.count(values)?)
            }
            Check::SameAs { body, within, .. } => self.same(body, within),
            Check::NoWorseThan { slack, check, .. } => {
                let other = self.reference.map(|reference| (reference, format!("with {}", reference.engine)));
                self.no_worse_than(other, check, slack)
            }
            Check::NoWorseThanTwin { slack, check } => {
                self.no_worse_than(self.twin.map(|twin| (twin, "in the twin".into())), check, slack)
            }
            Check::LikeTwin { body, within, steps, from, to } => {
                self.like_twin(body, (within, steps), self.steps((from, to))?)
            }
            Check::StateHash => Ok(self.hash()),
            Check::Events { colliders, started, stopped } => self.events(colliders, (started, stopped)),
            Check::Momentum { bodies, tolerance } => self.momentum(bodies, tolerance),
            Check::Asleep { body } => Ok(if self.end(body)?.asleep {
                Finding::passed()
            } else {
                Finding::failed("it is awake after the last step".into())
            }),
        }
    }

    /// The steps of a window, within those that were run.
    fn steps(self, (from, to): Window) -> Result<RangeInclusive<usize>, Fault> {
        let last = self.recording.last_step();
        let from = from.as_ref().map_or(Ok(1), |from| from.count(self.values))?.max(1);
        let to = to.as_ref().map_or(Ok(last), |to| to.count(self.values))?.min(last);
        Ok(from..=to)
    }

    /// A value for each step of a window.
    pub(super) fn sample(self, window: Window, value: impl Fn(usize) -> Real) -> Result<Vec<Sample>, Fault> {
        Ok(self.steps(window)?.map(|step| (step, value(step).into())).collect())
    }

    fn limited(self, quantity: Quantity, samples: &[Sample], limits: Window) -> Result<Finding, Fault> {
        Ok(limited(quantity, samples, (self.optional(limits.0)?, self.optional(limits.1)?)))
    }

    pub(super) fn end(self, body: &str) -> Result<State, Fault> {
        Ok(state(self.recording, self.recording.body(body)?, self.recording.last_step()))
    }

    fn plane(self, point: &Num3, normal: &Num3) -> Result<(Vector, Vector), Fault> {
        Ok((vector(point, self.values)?, direction(normal, self.values, "normal")?))
    }

    pub(super) fn optional(self, number: &Option<Num>) -> Result<Option<f64>, Fault> {
        number.as_ref().map(|number| number.get(self.values)).transpose()
    }

    pub(super) fn optional_direction(self, numbers: &Option<Num3>) -> Result<Option<Vector>, Fault> {
        numbers.as_ref().map(|numbers| direction(numbers, self.values, "along")).transpose()
    }
}

impl Finding {
    /// Both findings as one.
    fn and(mut self, other: Self) -> Self {
        self.figures.extend(other.figures);
        self.reasons.extend(other.reasons);
        self
    }
}

impl Figure {
    /// The figure in words: `0.004 of speed·dt`.
    pub fn text(&self) -> String {
        format!("{} {}", shown(self.value), self.unit).trim_end().to_owned()
    }
}
