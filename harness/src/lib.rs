//! Fixture suites for `rapier3d-persistent-contacts`: behaviours as data, run side by side with Rapier as it is.
//!
//! A fixture is a RON file under `fixtures/<suite>/`, described in `fixtures/FORMAT.md`. [`suite::run`] runs one, or
//! all of a folder, with each [`engine::Engine`] and returns what every check found; the command line
//! (`cargo fixtures`) shows it. Nothing here is part of the library that games link.

pub mod bench;
pub mod blocks;
pub mod body;
pub mod case;
pub mod check;
pub mod engine;
pub mod error;
pub mod fingerprint;
pub mod fixture;
pub mod golden;
pub mod level;
pub mod number;
pub mod outcome;
pub mod patchwork;
mod picture;
pub mod plot;
pub mod pose;
pub mod random;
pub mod recording;
pub mod scene;
pub mod shape;
pub mod suite;
pub mod survey;
pub mod table;
pub mod terrain;
pub mod trace;
pub mod track;
