//! `cargo fixtures list`

use persistent_contacts_fixtures::case::Case;
use persistent_contacts_fixtures::error::Error;
use persistent_contacts_fixtures::suite;

/// Prints every suite with its fixtures.
pub fn list() -> Result<bool, Error> {
    for suite in suite::load_all(&suite::fixtures_folder())? {
        println!("{}", suite.name);
        let width = suite.files.iter().map(|file| file.name().len()).max().unwrap_or(0);
        for file in &suite.files {
            let cases = Case::all(file)?;
            let runs: usize = cases.iter().map(Case::count).sum();
            let count = if runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") };
            println!("  {:width$}  {} ({count})", file.name(), file.fixture.describe);
        }
    }
    Ok(true)
}
