//! `cargo fixtures fingerprints`

use clap::Args;
use indicatif::ProgressBar;
use persistent_contacts_fixtures::case::Case;
use persistent_contacts_fixtures::error::Error;
use persistent_contacts_fixtures::fingerprint;
use std::path::PathBuf;

/// What to play, and what to compare with.
#[derive(Args)]
pub struct Arguments {
    /// Suites or files. Default: every suite.
    names: Vec<String>,
    /// How many steps of each scene are played.
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    steps: u32,
    /// Writes the hashes to this file, for another build to compare with.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Compares with the hashes that another build has written. A difference makes the exit code 1.
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
}

/// Hashes the motion in every scene with every engine; true if it is the same as that of the other build.
pub fn fingerprints(arguments: &Arguments) -> Result<bool, Error> {
    let other = arguments.compare.as_deref().map(fingerprint::read).transpose()?;
    let suites = super::load(&arguments.names)?;
    let files = suites.iter().flat_map(|suite| &suite.files);
    let cases: usize = files.map(|file| Case::all(file).map(|cases| cases.len())).sum::<Result<_, _>>()?;
    let bar = ProgressBar::new(cases as u64);
    let own = fingerprint::take(&suites, arguments.steps as usize, &|| bar.inc(1))?;
    bar.finish_and_clear();
    if let Some(path) = &arguments.write {
        own.write_file(path)?;
    }
    let Some(other) = other else {
        println!("{cases} scenes, {} steps each", arguments.steps);
        return Ok(true);
    };
    let agreements = fingerprint::compare(&own, &other);
    for agreement in &agreements {
        let (engine, model) = (agreement.engine, agreement.engine.model());
        let of = agreement.equal + agreement.differing.len();
        println!("{engine}: {} of {of} scenes equal to {model} after {} steps", agreement.equal, arguments.steps);
        if !agreement.differing.is_empty() {
            println!("  not so: {}", agreement.differing.join(", "));
        }
    }
    Ok(agreements.iter().all(|agreement| agreement.differing.is_empty() && agreement.equal > 0))
}
