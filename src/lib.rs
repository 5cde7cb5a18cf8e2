//! Continuous collision detection for Rapier 3D that neither stops a body on the surface it rides on nor lets it through a
//! wall.
//!
//! Rapier sweeps fast bodies after each step and stops them at their first hit. On a mesh, or on ground made of several
//! colliders, the first hit is often the ground itself: the rim of the next triangle. [`PersistentContacts`] runs Rapier's step
//! without its sweeps, asks of each pair that comes near whether the body rides on the target already (the [`Verdict`]), and
//! sweeps it element by element with that in mind.
//!
//! ```
//! use rapier3d::prelude::*;
//! use rapier3d_persistent_contacts::PersistentContacts;
//!
//! let mut world = PhysicsWorld::new();
//! world.insert_collider(ColliderBuilder::cuboid(100.0, 0.1, 100.0), None);
//! let ball = RigidBodyBuilder::dynamic().translation(Vector::Y).linvel(Vector::X * 40.0);
//! let (ball, _) = world.insert(ball, ColliderBuilder::ball(0.2));
//!
//! let mut contacts = PersistentContacts::default();
//! for _ in 0..60 {
//!     contacts.step(&mut world); // instead of world.step()
//! }
//! assert!(world.bodies[ball].translation().x > 30.0);
//! ```
//!
//! Bodies in free flight bounce off fixed and kinematic surfaces at the time of impact, by the law in [`restitution`]; the
//! bounces of a step are in [`StepReport::impacts`]. Fixed colliders that touch and continue each other are one surface, to
//! the solver as to the sweeps; `Settings::joins_pieces` turns that off.
//!
//! Ground of several colliders on one fixed body is tied together by a [`PieceGroup`]. What a step did is in its
//! [`StepReport`]; why it did so is in the [`Trace`], once that is switched on.
//!
//! Lengths are in the world's length unit, angles in radians, times in seconds, and vectors in world space unless said
//! otherwise. All tolerances follow Rapier's slop and prediction distance.

mod assembly;
mod build;
mod candidate;
mod constants;
mod contact_query;
mod crossing;
mod diagnosis;
mod element;
mod encounter;
mod engine;
#[cfg(feature = "vendored")]
mod engine_hooks;
mod filter;
mod flight;
mod fresh;
mod hooks;
mod impact;
mod meeting;
mod motion;
mod mover;
mod mover_pairs;
mod movers;
mod normal_cone;
mod ownership;
mod pieces;
mod report;
mod resolve;
pub mod restitution;
mod rolling;
mod seams;
mod settings;
mod source;
mod standing;
mod step;
mod step_start;
mod surfaces;
mod sweep;
mod trace;
mod travel;
mod verdict;
mod world;

pub use contact_query::PosedShape;
pub use diagnosis::{
    Diagnosis, Facing, Fault, Inspection, Repair, RepairKind, Subject, SurfaceKind, prepare_level,
    prepare_level_upright,
};
#[cfg(feature = "vendored")]
pub use engine_hooks::EngineHooks;
pub use normal_cone::persistent_target_normal;

pub use pieces::{PieceGroup, PieceGroups};
pub use report::{Clamp, Counters, Glance, Impact, StepReport, SweptShape};
pub use settings::{Settings, SettingsError, SweepPolicy};
pub use step::PersistentContacts;
pub use trace::{HitOutcome, HitTrace, PairTrace, StopTrace, Trace};
pub use verdict::{Evidence, Reference, References, Verdict, geometric_contact_normal};
pub use world::WorldParts;
