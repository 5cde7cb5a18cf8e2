//! Rapier's own integration tests.

#![allow(warnings, clippy::all)] // Not ours.

include!(concat!(env!("OUT_DIR"), "/modules.rs"));
