//! What must hold in a run.

use crate::engine::Engine;
use crate::number::{Num, Num3, up3};
use crate::pose::Turn;
use crate::recording::WatchedPair;
use serde::Deserialize;

mod evaluate;
pub(crate) mod judge;
mod measure;
mod whole;

pub use evaluate::{Evidence, Figure, Finding, Worse};
pub use measure::{Sample, Yardstick, advance_ratios, median};

/// A check. Steps are counted from 1; `from` and `to` are the first and the last step it looks at, by default all.
/// That every pose and velocity stays finite is checked always.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Check {
    /// Every step advances at least `min` of speed · dt. Figure: the worst ratio.
    AdvanceRatio {
        /// The body.
        body: String,
        /// The least ratio.
        #[serde(default = "nine_tenths")]
        min: Num,
        /// \[length/s] The speed. Default: the body's at the start of each step.
        speed: Option<Num>,
        /// Advance and speed are measured along this direction. Default: the direction of each step's velocity.
        along: Option<Num3>,
        /// First step.
        from: Option<Num>,
        /// Last step.
        to: Option<Num>,
    },
    /// Every step advances at least `min` of the median of its neighbours. Figure: the worst ratio.
    MedianRatio {
        /// The body.
        body: String,
        /// The least ratio.
        #[serde(default = "nine_tenths")]
        min: Num,
        /// How many neighbours, the step itself among them.
        #[serde(default = "thirty_one")]
        window: Num,
        /// Advance is measured along this direction. Default: the length of the way.
        along: Option<Num3>,
        /// First step.
        from: Option<Num>,
        /// Last step.
        to: Option<Num>,
    },
    /// There are no more bad steps (below `min` of speed · dt) than with CCD off. Figure: the excess.
    NoWorseThanOff {
        /// The body.
        body: String,
        /// The least ratio of a good step.
        #[serde(default = "nine_tenths")]
        min: Num,
        /// \[length/s] The speed. Default: the body's at the start of each step.
        speed: Option<Num>,
    },
    /// The body's origin stays between two heights. Figures: the highest and the lowest.
    Height {
        /// The body.
        body: String,
        /// \[length] Not below this.
        min: Option<Num>,
        /// \[length] Not above this.
        max: Option<Num>,
        /// The direction in which height is measured, from the world's origin.
        #[serde(default = "up3")]
        up: Num3,
        /// First step.
        from: Option<Num>,
        /// Last step.
        to: Option<Num>,
    },
    /// The body's speed stays between two values. Figures: the lowest and the highest.
    Speed {
        /// The body.
        body: String,
        /// \[length/s] Not below this.
        min: Option<Num>,
        /// \[length/s] Not above this.
        max: Option<Num>,
        /// Only the velocity along this direction. Default: the velocity's length.
        along: Option<Num3>,
        /// First step.
        from: Option<Num>,
        /// Last step.
        to: Option<Num>,
    },
    /// The body's angular speed stays between two values. Figures: the lowest and the highest.
    Spin {
        /// The body.
        body: String,
        /// \[rad/s] Not below this.
        min: Option<Num>,
        /// \[rad/s] Not above this.
        max: Option<Num>,
        /// First step.
        from: Option<Num>,
        /// Last step.
        to: Option<Num>,
    },
    /// The body's origin never gets past a plane. Figure: how far past it got.
    NeverPast {
        /// The body.
        body: String,
        /// \[length] A point of the plane.
        point: Num3,
        /// The side that is allowed.
        normal: Num3,
        /// \[length] How far past the plane is still allowed.
        by: Option<Num>,
        /// The plane moves with this body; point and normal are then in its frame.
        relative_to: Option<String>,
        /// First step.
        from: Option<Num>,
        /// Last step.
        to: Option<Num>,
    },
    /// The body's solids never reach deeper behind a plane than `max`. Figure: the depth.
    Penetration {
        /// The body.
        body: String,
        /// \[length] A point of the plane.
        point: Num3,
        /// Out of the ground.
        #[serde(default = "up3")]
        normal: Num3,
        /// \[length] The greatest depth.
        max: Num,
        /// First step.
        from: Option<Num>,
        /// Last step.
        to: Option<Num>,
    },
    /// The engine has contacts between the body and the colliders of a name, in at least this share of the steps.
    ContactHeld {
        /// The body.
        body: String,
        /// The colliders.
        collider: String,
        /// The least share of the steps.
        #[serde(default = "whole")]
        share: Num,
        /// First step.
        from: Option<Num>,
        /// Last step.
        to: Option<Num>,
    },
    /// The body ends at a place. Figure: the distance from it.
    FinalPose {
        /// The body.
        body: String,
        /// \[length] The place.
        translation: Num3,
        /// \[length] The greatest distance.
        tolerance: Num,
        /// The rotation, if it matters.
        rotation: Option<Turn>,
        /// \[degrees] The greatest angle from that rotation. Default: 1.
        angle_tolerance: Option<Num>,
    },
    /// The body ends with a velocity. Figure: the distance from it.
    FinalVelocity {
        /// The body.
        body: String,
        /// \[length/s] The velocity.
        linear: Num3,
        /// \[length/s] The greatest distance.
        tolerance: Num,
        /// \[rad/s] The angular velocity, if it matters.
        angular: Option<Num3>,
        /// \[rad/s] The greatest distance from it. Default: 0.1.
        angular_tolerance: Option<Num>,
    },
    /// The body follows a path, given by expressions in `t` (seconds) and `step`. Figure: the greatest distance.
    Path {
        /// The body.
        body: String,
        /// \[length] The place after the time `t`.
        translation: Num3,
        /// \[length] The greatest distance.
        tolerance: Num,
        /// The path is seen from this body, in its frame.
        relative_to: Option<String>,
        /// First step.
        from: Option<Num>,
        /// Last step.
        to: Option<Num>,
    },
    /// Every apex of a bouncing body is at this height, within a tolerance. Figure: the greatest distance.
    Peaks {
        /// The body.
        body: String,
        /// \[length] The height of every apex; may use `bounce`, counted from 1.
        height: Num,
        /// \[length] The greatest distance from it.
        tolerance: Num,
        /// How many apexes must come, and are looked at.
        count: Num,
        /// The direction in which height is measured, from the world's origin.
        #[serde(default = "up3")]
        up: Num3,
    },
    /// The distance between the origins of two bodies. Figures: the lowest and the highest.
    Distance {
        /// The two bodies.
        bodies: (String, String),
        /// \[length] Not below this.
        min: Option<Num>,
        /// \[length] Not above this.
        max: Option<Num>,
        /// First step.
        from: Option<Num>,
        /// Last step.
        to: Option<Num>,
    },
    /// The body ends as with another engine. Figure: the difference relative to the way and to the greatest speed.
    SameAs {
        /// The body.
        body: String,
        /// The other engine.
        #[serde(default = "off")]
        engine: Engine,
        /// The greatest relative difference.
        within: Num,
    },
    /// The figures of another check, whose own limits do not count here, are no worse than with another engine.
    NoWorseThan {
        /// The other engine.
        #[serde(default = "stock")]
        engine: Engine,
        /// How much worse they may be, in their own unit.
        slack: Num,
        /// The other check; one that has figures, with a limit for each that is meant.
        check: Box<Check>,
    },
    /// After each step the body's origin is where it is in the scene's twin. Figure: the greatest distance, relative to the
    /// way that the twin has come by then.
    LikeTwin {
        /// The body.
        body: String,
        /// The greatest relative distance.
        within: Num,
        /// \[steps] So much earlier or later the same may happen to it: the distance that the twin comes in so many steps like
        /// the last one is forgiven. Default: none.
        steps: Option<Num>,
        /// First step.
        from: Option<Num>,
        /// Last step.
        to: Option<Num>,
    },
    /// The figures of another check, whose own limits do not count here, are no worse than in the scene's twin.
    NoWorseThanTwin {
        /// How much worse they may be, in their own unit.
        slack: Num,
        /// The other check; one that has figures, with a limit for each that is meant.
        check: Box<Check>,
    },
    /// Every pose and velocity has the bits that were recorded next to the fixture (`NAME.golden`).
    StateHash,
    /// How many events there are between the colliders of two names.
    Events {
        /// The two names.
        colliders: (String, String),
        /// How often they began to touch.
        started: Option<Num>,
        /// How often they stopped.
        stopped: Option<Num>,
    },
    /// The momentum of the bodies stays what it was at the start. Figure: the greatest relative change.
    Momentum {
        /// The bodies.
        bodies: Vec<String>,
        /// The greatest change, relative to the sum of the momenta's lengths at the start.
        tolerance: Num,
    },
    /// The body sleeps after the last step.
    Asleep {
        /// The body.
        body: String,
    },
}

impl Check {
    /// The check's name, and what it is about, for the report.
    pub fn title(&self) -> String {
        match self {
            Self::AdvanceRatio { body, .. } => format!("AdvanceRatio of `{body}`"),
            Self::MedianRatio { body, .. } => format!("MedianRatio of `{body}`"),
            Self::NoWorseThanOff { body, .. } => format!("NoWorseThanOff of `{body}`"),
            Self::Height { body, .. } => format!("Height of `{body}`"),
            Self::Speed { body, .. } => format!("Speed of `{body}`"),
            Self::Spin { body, .. } => format!("Spin of `{body}`"),
            Self::NeverPast { body, .. } => format!("NeverPast of `{body}`"),
            Self::Penetration { body, .. } => format!("Penetration of `{body}`"),
            Self::ContactHeld { body, collider, .. } => format!("ContactHeld of `{body}` and `{collider}`"),
            Self::FinalPose { body, .. } => format!("FinalPose of `{body}`"),
            Self::FinalVelocity { body, .. } => format!("FinalVelocity of `{body}`"),
            Self::Path { body, .. } => format!("Path of `{body}`"),
            Self::Peaks { body, .. } => format!("Peaks of `{body}`"),
            Self::Distance { bodies, .. } => format!("Distance of `{}` and `{}`", bodies.0, bodies.1),
            Self::SameAs { body, engine, .. } => format!("SameAs {engine} of `{body}`"),
            Self::NoWorseThan { engine, check, .. } => format!("NoWorseThan {engine}: {}", check.title()),
            Self::LikeTwin { body, .. } => format!("LikeTwin of `{body}`"),
            Self::NoWorseThanTwin { check, .. } => format!("NoWorseThanTwin: {}", check.title()),
            Self::StateHash => "StateHash".into(),
            Self::Events { colliders, .. } => format!("Events of `{}` and `{}`", colliders.0, colliders.1),
            Self::Momentum { .. } => "Momentum".into(),
            Self::Asleep { body } => format!("Asleep of `{body}`"),
        }
    }

    /// The engine whose run it compares with.
    pub const fn reference(&self) -> Option<Engine> {
        match self {
            Self::NoWorseThanOff { .. } => Some(Engine::Off),
            Self::SameAs { engine, .. } | Self::NoWorseThan { engine, .. } => Some(*engine),
            _ => None,
        }
    }

    /// Does it compare with the scene's twin?
    pub const fn has_twin(&self) -> bool {
        matches!(self, Self::LikeTwin { .. } | Self::NoWorseThanTwin { .. })
    }

    /// The pair whose contacts it needs.
    pub fn watched_pair(&self) -> Option<WatchedPair> {
        match self {
            Self::ContactHeld { body, collider, .. } => Some((body.clone(), collider.clone())),
            Self::NoWorseThan { check, .. } | Self::NoWorseThanTwin { check, .. } => check.watched_pair(),
            _ => None,
        }
    }
}

/// The pairs whose contacts these checks need, each once.
pub fn watched_pairs(checks: &[Check]) -> Vec<WatchedPair> {
    let mut pairs: Vec<_> = checks.iter().filter_map(Check::watched_pair).collect();
    pairs.sort();
    pairs.dedup();
    pairs
}

fn nine_tenths() -> Num {
    Num::new(0.9)
}

fn thirty_one() -> Num {
    Num::new(31.0)
}

fn whole() -> Num {
    Num::new(1.0)
}

const fn stock() -> Engine {
    Engine::Stock
}

const fn off() -> Engine {
    Engine::Off
}
