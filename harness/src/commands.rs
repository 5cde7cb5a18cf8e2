//! The subcommands. Each returns whether what it looked at is in order.

pub mod bench;
mod choice;
pub mod diagnose;
pub mod fingerprints;
pub mod frames;
pub mod list;
pub mod plot;
pub mod run;
pub mod trace;

use persistent_contacts_fixtures::error::Error;
use persistent_contacts_fixtures::suite::{self, Suite};
use std::path::{Path, PathBuf};

/// The suite's folder, the folder or the file that a name on the command line stands for.
fn find(name: &str) -> Result<PathBuf, Error> {
    let folder = suite::fixtures_folder();
    let candidates = [folder.join(name), PathBuf::from(name)];
    candidates.into_iter().find(|path| path.exists()).ok_or_else(|| {
        let folder = folder.display();
        Error::Request(format!("`{name}` is neither a suite of {folder} nor a file; `cargo fixtures list` shows all"))
    })
}

/// The suites of these names; all of them if there are none. Files of one folder become one suite.
fn load(names: &[String]) -> Result<Vec<Suite>, Error> {
    if names.is_empty() {
        return suite::load_all(&suite::fixtures_folder());
    }
    let mut suites: Vec<Suite> = Vec::new();
    for name in names {
        let loaded = load_one(&find(name)?)?;
        match suites.iter_mut().find(|suite| suite.name == loaded.name) {
            Some(suite) => suite.files.extend(loaded.files),
            None => suites.push(loaded),
        }
    }
    Ok(suites)
}

fn load_one(path: &Path) -> Result<Suite, Error> {
    let suite = suite::load(path)?;
    if suite.files.is_empty() {
        return Err(Error::Request(format!("there is no fixture in {}", path.display())));
    }
    Ok(suite)
}
