//! `cargo fixtures run`

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use persistent_contacts_fixtures::engine::Engine;
use persistent_contacts_fixtures::error::Error;
use persistent_contacts_fixtures::fixture::FixtureFile;
use persistent_contacts_fixtures::outcome::{Standing, SuiteOutcome};
use persistent_contacts_fixtures::suite::{Options, Suite};
use persistent_contacts_fixtures::table::table;
use std::path::{Path, PathBuf};

/// What to run, and how.
#[derive(Args)]
pub struct Arguments {
    /// Suites or files. Default: every suite.
    names: Vec<String>,
    /// The engines, with commas between. Default: all.
    #[arg(long, value_delimiter = ',')]
    engine: Vec<String>,
    /// Lists every failing run, not the first one alone.
    #[arg(long)]
    failures: bool,
    /// Runs the full scan of the fixtures that have one.
    #[arg(long)]
    full: bool,
    /// Writes every result to this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Records the state hashes of `StateHash` checks instead of comparing them.
    #[arg(long)]
    bless: bool,
}

/// Runs the suites and prints a table for each; true if every case passed.
pub fn run(arguments: &Arguments) -> Result<bool, Error> {
    let engines = engines(&arguments.engine)?;
    let mut suites = super::load(&arguments.names)?;
    if arguments.full {
        suites.iter_mut().flat_map(|suite| &mut suite.files).for_each(FixtureFile::scan_in_full);
    }
    let total = suites.iter().map(Suite::count_runs).sum::<Result<usize, _>>()?;
    // Hidden by itself where the standard error is not a terminal.
    let bar = ProgressBar::new(total as u64).with_style(style());
    let after_run = || bar.inc(1);
    let options = Options { engines: &engines, bless: arguments.bless, after_run: Some(&after_run) };
    let mut outcomes = Vec::new();
    for suite in &suites {
        bar.set_message(suite.name.clone());
        let outcome = suite.run(options)?;
        bar.suspend(|| print(&outcome, &engines, arguments.failures));
        outcomes.push(outcome);
    }
    bar.finish_and_clear();
    if let Some(path) = &arguments.json {
        write_json(path, &outcomes)?;
    }
    let passed: usize = outcomes.iter().map(SuiteOutcome::passed).sum();
    let failed: usize = outcomes.iter().map(SuiteOutcome::failed).sum();
    let faults: Vec<_> = outcomes.iter().flat_map(SuiteOutcome::known_faults).collect();
    if !faults.is_empty() {
        println!("{} of them with a fault of the persistent step on record: {}", faults.len(), faults.join(", "));
    }
    println!("{passed} passed, {failed} failed");
    Ok(failed == 0)
}

fn engines(names: &[String]) -> Result<Vec<Engine>, Error> {
    if names.is_empty() {
        return Ok(Engine::ALL.to_vec());
    }
    let mut engines = names.iter().map(|name| name.trim().parse()).collect::<Result<Vec<Engine>, _>>()?;
    engines.sort();
    engines.dedup();
    Ok(engines)
}

fn style() -> ProgressStyle {
    // The template is a constant; were it wrong, the default bar would do.
    ProgressStyle::with_template("{msg} {wide_bar:.green/black} {pos}/{len} runs, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn print(outcome: &SuiteOutcome, engines: &[Engine], every_failure: bool) {
    println!("{}", table(outcome, engines));
    for case in outcome.cases.iter().filter(|case| !case.is_passed()) {
        println!("\n{} ({})\n  {}", case.name, case.path.display(), case.describe);
        for reason in case.reasons() {
            println!("  ✘ {reason}");
        }
        let failed = case.engines.iter().filter(|engine| every_failure && engine.standing() == Standing::Failed);
        for (engine, check) in failed.flat_map(|engine| engine.checks.iter().map(|check| (engine.engine, check))) {
            for failure in &check.failures {
                println!("    {engine}, {}, {}: {}", check.title, failure.run, failure.message);
            }
        }
    }
    println!("\n{}: {} passed, {} failed\n", outcome.suite, outcome.passed(), outcome.failed());
}

fn write_json(path: &Path, outcomes: &[SuiteOutcome]) -> Result<(), Error> {
    let fail = |reason: String| Error::Write { path: path.to_owned(), reason };
    let text = serde_json::to_string_pretty(outcomes).map_err(|error| fail(error.to_string()))?;
    std::fs::write(path, text + "\n").map_err(|error| fail(error.to_string()))
}
