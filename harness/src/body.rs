//! Bodies, colliders and joints as a fixture writes them.

use crate::number::{Num, Num3, zero3};
use crate::pose::Turn;
use crate::shape::Shape;
use serde::Deserialize;

/// A rigid body.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Its name, unique in the fixture.
    pub name: String,
    /// It exists once, for all lanes.
    #[serde(default)]
    pub shared: bool,
    /// How it moves.
    #[serde(default)]
    pub kind: BodyKind,
    /// \[length] Where it starts.
    #[serde(default = "zero3")]
    pub translation: Num3,
    /// How it starts rotated.
    #[serde(default)]
    pub rotation: Turn,
    /// \[length/s] Its velocity at the start.
    #[serde(default = "zero3")]
    pub linvel: Num3,
    /// \[rad/s] Its angular velocity at the start.
    #[serde(default = "zero3")]
    pub angvel: Num3,
    /// It never rotates.
    #[serde(default)]
    pub lock_rotations: bool,
    /// Rapier's `ccd_enabled`: a "bullet", swept against dynamic bodies too.
    #[serde(default)]
    pub ccd_enabled: bool,
    /// \[length] Rapier's soft CCD.
    pub soft_ccd_prediction: Option<Num>,
    /// Rapier's `allow_fast_rotation`.
    #[serde(default)]
    pub allow_fast_rotation: bool,
    /// It may fall asleep.
    #[serde(default = "yes")]
    pub can_sleep: bool,
    /// It starts asleep.
    #[serde(default)]
    pub sleeping: bool,
    /// It takes part in the simulation.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// Multiplies gravity for this body.
    pub gravity_scale: Option<Num>,
    /// \[1/s] Rapier's linear damping.
    pub linear_damping: Option<Num>,
    /// \[1/s] Rapier's angular damping.
    pub angular_damping: Option<Num>,
    /// Its colliders.
    #[serde(default)]
    pub colliders: Vec<Collider>,
    /// How a position-based kinematic body is driven.
    pub path: Option<Drive>,
}

/// How a body moves.
#[derive(Copy, Clone, Debug, Default, Deserialize, PartialEq, Eq)]
pub enum BodyKind {
    /// By forces.
    #[default]
    Dynamic,
    /// Not at all.
    Fixed,
    /// By the velocity it is given.
    KinematicVelocity,
    /// By its [`Drive`], through `set_next_kinematic_position`.
    KinematicPosition,
}

/// A motion at constant velocity, set as a new pose before every step.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drive {
    /// \[length/s] The velocity of the body's origin.
    #[serde(default = "zero3")]
    pub linear: Num3,
    /// \[rad/s] The angular velocity about the body's origin, in world space.
    #[serde(default = "zero3")]
    pub angular: Num3,
    /// The first step, counted from 1, in which it moves.
    #[serde(default = "first")]
    pub from_step: Num,
    /// The last step in which it moves. Default: the last of all.
    pub to_step: Option<Num>,
}

/// A collider.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collider {
    /// Its name. Default: the name of its body. Several colliders may share a name; a check of that name is about
    /// any of them.
    pub name: Option<String>,
    /// Its shape.
    pub shape: Shape,
    /// \[length] Its place in the body, or in the world if it has none.
    #[serde(default = "zero3")]
    pub translation: Num3,
    /// Its rotation in the body.
    #[serde(default)]
    pub rotation: Turn,
    /// Coefficient of friction. Default: the world's.
    pub friction: Option<Num>,
    /// Coefficient of restitution. Default: the world's.
    pub restitution: Option<Num>,
    /// How the two frictions of a pair are combined.
    #[serde(default)]
    pub friction_rule: Rule,
    /// How the two restitutions of a pair are combined.
    #[serde(default)]
    pub restitution_rule: Rule,
    /// \[mass/length³] Its density. Default: 1, as in Rapier.
    pub density: Option<Num>,
    /// \[mass] Its mass, instead of a density.
    pub mass: Option<Num>,
    /// It only reports.
    #[serde(default)]
    pub sensor: bool,
    /// Collision groups: memberships and filter, as bits.
    pub collision_groups: Option<(u32, u32)>,
    /// Solver groups: memberships and filter, as bits.
    pub solver_groups: Option<(u32, u32)>,
    /// It is in the collision events that `Events` counts.
    #[serde(default)]
    pub events: bool,
    /// It also meets fixed and kinematic colliders (`ActiveCollisionTypes::all()`).
    #[serde(default)]
    pub all_collision_types: bool,
    /// The number of the piece group it belongs to; none by default.
    pub group: Option<u32>,
    /// \[length] Rapier's contact skin.
    pub contact_skin: Option<Num>,
    /// It takes part in the simulation.
    #[serde(default = "yes")]
    pub enabled: bool,
}

/// Rapier's `CoefficientCombineRule`.
#[derive(Copy, Clone, Debug, Default, Deserialize, PartialEq, Eq)]
pub enum Rule {
    /// The mean of both.
    #[default]
    Average,
    /// The smaller.
    Min,
    /// The product.
    Multiply,
    /// The larger.
    Max,
}

/// An impulse joint.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    /// What it leaves free.
    pub kind: JointKind,
    /// The names of the bodies it ties together.
    pub bodies: (String, String),
    /// \[length] Where it sits in the first body.
    #[serde(default = "zero3")]
    pub anchor1: Num3,
    /// \[length] Where it sits in the second body.
    #[serde(default = "zero3")]
    pub anchor2: Num3,
    /// The two bodies still collide.
    #[serde(default = "yes")]
    pub contacts_enabled: bool,
    /// A velocity motor; revolute and prismatic joints only.
    pub motor: Option<Motor>,
}

/// What a joint leaves free.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum JointKind {
    /// Rotation about an axis.
    Revolute {
        /// In both bodies' frames.
        axis: Num3,
    },
    /// Motion along an axis.
    Prismatic {
        /// In both bodies' frames.
        axis: Num3,
    },
    /// Rotation.
    Spherical,
    /// Nothing.
    Fixed,
}

/// A velocity motor.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Motor {
    /// \[rad/s or length/s] The speed it aims at.
    pub velocity: Num,
    /// Rapier's damping factor.
    pub factor: Num,
    /// \[force or torque] The most it can push. Default: no limit.
    pub max_force: Option<Num>,
}

/// Something that happens before a step.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// The step, counted from 1, before which it happens.
    pub step: Num,
    /// What happens.
    pub change: Change,
}

/// A change to the world. Names are those of bodies, unless they say otherwise.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Change {
    /// Removes the body and its colliders.
    Remove(String),
    /// Enables the body.
    EnableBody(String),
    /// Disables the body.
    DisableBody(String),
    /// Enables the colliders of this name.
    EnableCollider(String),
    /// Disables the colliders of this name.
    DisableCollider(String),
    /// Puts the body to sleep.
    Sleep(String),
    /// Wakes the body.
    Wake(String),
    /// Gives the body a velocity.
    SetVelocity {
        /// The body.
        body: String,
        /// \[length/s] Its new velocity.
        linear: Num3,
        /// \[rad/s] Its new angular velocity.
        #[serde(default = "zero3")]
        angular: Num3,
    },
    /// Moves the body.
    SetPose {
        /// The body.
        body: String,
        /// \[length] Its new place.
        translation: Num3,
        /// Its new rotation.
        #[serde(default)]
        rotation: Turn,
    },
}

impl Change {
    /// The name it is about.
    pub fn subject(&self) -> &str {
        match self {
            Self::Remove(name)
            | Self::EnableBody(name)
            | Self::DisableBody(name)
            | Self::EnableCollider(name)
            | Self::DisableCollider(name)
            | Self::Sleep(name)
            | Self::Wake(name)
            | Self::SetVelocity { body: name, .. }
            | Self::SetPose { body: name, .. } => name,
        }
    }

    /// Is it about colliders, not about a body?
    pub const fn is_about_colliders(&self) -> bool {
        matches!(self, Self::EnableCollider(_) | Self::DisableCollider(_))
    }
}

const fn yes() -> bool {
    true
}

fn first() -> Num {
    Num::new(1.0)
}
