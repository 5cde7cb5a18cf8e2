//! A fixture that is given as a text.

use persistent_contacts_fixtures::engine::Engine;
use persistent_contacts_fixtures::fixture::FixtureFile;
use persistent_contacts_fixtures::outcome::CaseOutcome;
use persistent_contacts_fixtures::suite::{Options, Suite};
use std::path::Path;

/// Runs a text with CCD off; that is enough for what the harness itself does.
pub fn run(text: &str) -> CaseOutcome {
    let file = FixtureFile::parse(Path::new("test.ron"), text.to_owned()).unwrap_or_else(|error| panic!("{error}"));
    let suite = Suite { name: "test".into(), files: vec![file] };
    let options = Options { engines: &[Engine::Off], ..Options::default() };
    let mut outcome = suite.run(options).unwrap_or_else(|error| panic!("{error}"));
    outcome.cases.remove(0)
}
