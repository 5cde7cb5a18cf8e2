//! Every fixture suite, with this library's step.
//!
//! `cargo fixtures run` shows the same with figures, beside Rapier as it is; `cargo fixtures trace` says why a step did what
//! it did. The format is described in `fixtures/FORMAT.md`.

use persistent_contacts_fixtures::engine::Engine;
use persistent_contacts_fixtures::suite::{self, Options};
use std::path::{Path, PathBuf};

/// The suites that have a test here.
const SUITES: [&str; 10] = [
    "ccd_persistent_contact",
    "determinism",
    "ghost_bumps",
    "kinematic_restitution",
    "moving_targets",
    "pictures",
    "reported",
    "rolling_truncation",
    "seams",
    "verdict",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// Runs a suite with this library's step, and panics with the reasons of whatever failed.
fn run(name: &str) {
    let options = Options { engines: &[Engine::Persistent], ..Default::default() };
    let outcome = suite::run(&folder().join(name), options).unwrap_or_else(|error| panic!("{error}"));
    assert!(!outcome.cases.is_empty(), "there is no fixture in {name}");
    let mut report = String::new();
    for case in outcome.cases.iter().filter(|case| !case.is_passed()) {
        let reasons = case.reasons().join("\n    ");
        report += &format!("\n  {} ({}): {}\n    {reasons}", case.name, case.path.display(), case.describe);
    }
    assert!(report.is_empty(), "{} of {} cases of {name} fail:{report}", outcome.failed(), outcome.cases.len());
}

#[test]
fn ccd_persistent_contact() {
    run("ccd_persistent_contact");
}

#[test]
fn determinism() {
    run("determinism");
}

#[test]
fn ghost_bumps() {
    run("ghost_bumps");
}

#[test]
fn kinematic_restitution() {
    run("kinematic_restitution");
}

#[test]
fn moving_targets() {
    run("moving_targets");
}

#[test]
fn pictures() {
    run("pictures");
}

#[test]
fn reported() {
    run("reported");
}

#[test]
fn rolling_truncation() {
    run("rolling_truncation");
}

#[test]
fn seams() {
    run("seams");
}

#[test]
fn verdict() {
    run("verdict");
}

#[test]
fn no_suite_is_left_out() {
    let suites = suite::load_all(&folder()).unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<&str> = suites.iter().map(|suite| suite.name.as_str()).collect();
    assert_eq!(names, SUITES);
}
