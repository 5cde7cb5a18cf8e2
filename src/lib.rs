//! Persistent contacts for Rapier 3D.

mod assembly;
mod constants;
mod contact_query;
mod crossing;
mod element;
mod encounter;
mod engine;
mod filter;
mod fresh;
mod motion;
mod movers;
mod normal_cone;
mod pieces;
mod report;
mod resolve;
pub mod restitution;
mod settings;
mod source;
mod step;
mod step_start;
mod sweep;
mod trace;
mod verdict;
mod world;

pub use contact_query::PosedShape;
pub use normal_cone::persistent_target_normal;

pub use pieces::{PieceGroup, PieceGroups};
pub use report::{Clamp, Counters, Impact, StepReport, SweptShape};
pub use settings::{Settings, SettingsError, SweepPolicy};
pub use step::PersistentContacts;
pub use trace::{HitOutcome, HitTrace, PairTrace, StopTrace, Trace};
pub use verdict::{Evidence, Reference, References, Verdict, geometric_contact_normal};
pub use world::WorldParts;
