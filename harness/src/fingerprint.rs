//! Fingerprints: the bits of every scene after so many steps, to compare two builds of the engine.

use crate::case::Case;
use crate::engine::Engine;
use crate::error::Error;
use crate::golden::{Golden, Key};
use crate::recording::Recording;
use crate::suite::Suite;
use rayon::prelude::*;
use std::path::Path;

/// Hashes of the motion of every body, by engine, case and run.
pub type Fingerprints = Golden;

/// How two sets of fingerprints stand to each other, for one engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// The engine of the own build.
    pub engine: Engine,
    /// In how many scenes the hashes are equal.
    pub equal: usize,
    /// The scenes that differ, or that only one side knows.
    pub differing: Vec<String>,
}

/// Plays the first run of every case of the suites, with all its lanes, with every engine, for `steps` steps each.
///
/// # Errors
/// Fixtures that are at fault.
pub fn take(suites: &[Suite], steps: usize, after_run: &(dyn Fn() + Sync)) -> Result<Fingerprints, Error> {
    let files = suites.iter().flat_map(|suite| &suite.files);
    let cases = files.map(Case::all).collect::<Result<Vec<_>, _>>()?;
    let cases: Vec<&Case> = cases.iter().flatten().collect();
    let hash = |case: &&Case| -> Result<Vec<(Key, u64)>, Error> {
        let Some(mut run) = case.runs.first().cloned() else { return Ok(Vec::new()) };
        let lanes = run.lanes.iter_mut().map(|lane| &mut lane.values);
        lanes.chain([&mut run.values]).for_each(|values| _ = values.insert("steps".into(), steps as f64));
        let mut hashes = Vec::with_capacity(Engine::ALL.len() * run.lanes.len());
        for &engine in Engine::ALL {
            let recordings = Recording::of_lanes(case, &run, engine, &[]).map_err(|fault| case.error(fault))?;
            let labelled = recordings.iter().zip(&run.lanes);
            hashes.extend(
                labelled.map(|(recording, lane)| ((engine, case.name(), lane.label.clone()), recording.hash())),
            );
        }
        after_run();
        Ok(hashes)
    };
    let hashes = cases.par_iter().map(hash).collect::<Result<Vec<_>, Error>>()?;
    let mut fingerprints = Fingerprints::default();
    for (key, hash) in hashes.into_iter().flatten() {
        fingerprints.insert(key, hash);
    }
    Ok(fingerprints)
}

/// Reads fingerprints that another build has written.
///
/// # Errors
/// A file that is missing, cannot be read, or holds something else.
pub fn read(path: &Path) -> Result<Fingerprints, Error> {
    if !path.is_file() {
        return Err(Error::Request(format!("there are no fingerprints in {}", path.display())));
    }
    Fingerprints::read_file(path)
}

/// Compares each engine of `own` with its [model](Engine::model) in `other`.
pub fn compare(own: &Fingerprints, other: &Fingerprints) -> Vec<Agreement> {
    let mut agreements: Vec<Agreement> =
        Engine::ALL.iter().map(|&engine| Agreement { engine, equal: 0, differing: Vec::new() }).collect();
    for agreement in &mut agreements {
        let engine = agreement.engine;
        let of = |set: &Fingerprints, engine: Engine| -> Vec<(Key, u64)> {
            set.iter().filter(|((own, ..), _)| *own == engine).map(|(key, hash)| (key.clone(), *hash)).collect()
        };
        let (mine, theirs) = (of(own, engine), of(other, engine.model()));
        for ((_, case, run), hash) in &mine {
            match other.get(&(engine.model(), case.clone(), run.clone())) {
                Some(other) if other == *hash => agreement.equal += 1,
                _ => agreement.differing.push(case.clone()),
            }
        }
        let missing =
            theirs.iter().filter(|((_, case, run), _)| own.get(&(engine, case.clone(), run.clone())).is_none());
        agreement.differing.extend(missing.map(|((_, case, _), _)| case.clone()));
    }
    agreements
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_differing_and_missing_scenes_are_told_apart() {
        let key = |engine, case: &str| (engine, case.to_owned(), String::new());
        let (mut own, mut other) = (Fingerprints::default(), Fingerprints::default());
        own.insert(key(Engine::Stock, "same"), 1);
        other.insert(key(Engine::Stock, "same"), 1);
        own.insert(key(Engine::Stock, "other bits"), 2);
        other.insert(key(Engine::Stock, "other bits"), 3);
        own.insert(key(Engine::Stock, "new"), 4);
        other.insert(key(Engine::Stock, "gone"), 5);
        // Another engine's hash is no match.
        own.insert(key(Engine::Off, "off"), 6);
        other.insert(key(Engine::Persistent, "off"), 6);
        let agreements = compare(&own, &other);
        let of =
            |engine| agreements.iter().find(|agreement| agreement.engine == engine).expect("every engine is there");
        assert_eq!(of(Engine::Stock).equal, 1);
        assert_eq!(of(Engine::Stock).differing, ["new", "other bits", "gone"]);
        assert_eq!(of(Engine::Off).equal, 0);
        assert_eq!(of(Engine::Off).differing, ["off"]);
    }
}
