//! Suites: folders of fixtures, run with several engines side by side.

use crate::case::{Case, Lane, Run};
use crate::check::{Check, Evidence, Finding, watched_pairs};
use crate::engine::Engine;
use crate::error::{Error, Fault};
use crate::fixture::FixtureFile;
use crate::golden::Golden;
use crate::outcome::{CaseOutcome, EngineOutcome, SuiteOutcome};
use crate::recording::Recording;
use crate::scene::Scene;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A suite: the fixtures of one folder.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The folder's name.
    pub name: String,
    /// Its fixtures, in the order of their names.
    pub files: Vec<FixtureFile>,
}

/// How suites are run.
#[derive(Copy, Clone, Default)]
pub struct Options<'a> {
    /// The engines. Empty means all of them.
    pub engines: &'a [Engine],
    /// Record state hashes instead of comparing them.
    pub bless: bool,
    /// Called after each run of a case with all engines.
    pub after_run: Option<&'a (dyn Fn() + Sync)>,
}

/// The folder of the fixtures: `fixtures` in the current directory, or else the one of this repository.
pub fn fixtures_folder() -> PathBuf {
    let here = PathBuf::from("fixtures");
    if here.is_dir() { here } else { Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures") }
}

/// Loads a fixture's file, or all fixtures of a folder.
///
/// # Errors
/// What cannot be read, with line and field.
pub fn load(path: &Path) -> Result<Suite, Error> {
    let name_of = |path: &Path| path.file_name().and_then(|name| name.to_str()).unwrap_or("?").to_owned();
    if path.is_file() {
        let name = path.parent().map_or_else(|| "?".to_owned(), name_of);
        return Ok(Suite { name, files: vec![read(path)?] });
    }
    let mut paths: Vec<PathBuf> = entries(path)?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "ron"));
    let files = paths.iter().map(|path| read(path)).collect::<Result<_, _>>()?;
    Ok(Suite { name: name_of(path), files })
}

/// Loads every suite of a folder of suites; folders without a fixture are left out.
///
/// # Errors
/// What cannot be read, with line and field.
pub fn load_all(folder: &Path) -> Result<Vec<Suite>, Error> {
    let folders = entries(folder)?.into_iter().filter(|path| path.is_dir());
    let suites = folders.map(|path| load(&path)).collect::<Result<Vec<_>, _>>()?;
    Ok(suites.into_iter().filter(|suite| !suite.files.is_empty()).collect())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let fail = |source| Error::Read { path: folder.to_owned(), source };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        paths.push(entry.map_err(fail)?.path());
    }
    paths.sort();
    Ok(paths)
}

/// Reads a fixture and builds its first scenes, so that whatever is wrong is said before anything is run.
fn read(path: &Path) -> Result<FixtureFile, Error> {
    let file = FixtureFile::read(path)?;
    for case in Case::all(&file)? {
        if let Some((run, lane)) = case.runs.first().and_then(|run| Some((run, run.lanes.first()?))) {
            validate(&case, run, lane).map_err(|fault| case.error(fault))?;
        }
    }
    Ok(file)
}

/// Builds the scene and evaluates the checks on its start.
fn validate(case: &Case, run: &Run, lane: &Lane) -> Result<(), Fault> {
    let mut first = run.alone(lane);
    first.values.insert("steps".into(), 0.0);
    let checks = &case.file.fixture.checks;
    let watched = watched_pairs(checks);
    Scene::build(case, run, Engine::Persistent)?;
    if checks.iter().any(Check::has_twin) {
        Scene::build(&case.twin(), run, Engine::Persistent)?;
    }
    let recording = Recording::make(case, &first, Engine::Off, &watched)?;
    for check in checks {
        let (reference, twin) = (Some(&recording), Some(&recording));
        let evidence =
            Evidence { values: &lane.values, recording: &recording, reference, twin, watched: &watched, golden: None };
        evidence.evaluate(check)?;
    }
    Ok(())
}

/// Runs the fixture or the suite at a path with all engines.
///
/// # Errors
/// Fixtures that are at fault; failing checks are in the outcome.
pub fn run(path: &Path, options: Options) -> Result<SuiteOutcome, Error> {
    load(path)?.run(options)
}

/// What one lane of a run gave with one engine.
struct RunResult {
    engine: Engine,
    lane: usize,
    findings: Vec<Finding>,
    hash: Option<u64>,
}

impl Suite {
    /// How many runs there are, over all cases; a lane counts as one.
    ///
    /// # Errors
    /// Fixtures that are at fault.
    pub fn count_runs(&self) -> Result<usize, Error> {
        let mut count = 0;
        for file in &self.files {
            count += Case::all(file)?.iter().map(Case::count).sum::<usize>();
        }
        Ok(count)
    }

    /// Runs every case with every engine; runs are spread over the threads of the pool.
    ///
    /// # Errors
    /// Fixtures that are at fault; failing checks are in the outcome.
    pub fn run(&self, options: Options) -> Result<SuiteOutcome, Error> {
        let engines = if options.engines.is_empty() { Engine::ALL } else { options.engines };
        let mut cases = Vec::new();
        let mut goldens = Vec::new();
        for file in &self.files {
            goldens.push(Golden::read(&file.path)?);
            cases.extend(Case::all(file)?.into_iter().map(|case| (case, goldens.len() - 1)));
        }
        let jobs: Vec<(usize, &Run)> = cases
            .iter()
            .enumerate()
            .flat_map(|(index, (case, _))| case.runs.iter().map(move |run| (index, run)))
            .collect();
        let results: Vec<Vec<RunResult>> = jobs
            .par_iter()
            .map(|&(index, run)| {
                let (case, golden) = &cases[index];
                let golden = (!options.bless).then(|| &goldens[*golden]);
                let results = run_case(case, run, engines, golden).map_err(|fault| case.error(fault));
                if let Some(after_run) = options.after_run {
                    run.lanes.iter().for_each(|_| after_run());
                }
                results
            })
            .collect::<Result<_, _>>()?;
        let mut outcomes: Vec<CaseOutcome> = cases.iter().map(|(case, _)| empty_outcome(case, engines)).collect();
        for (&(index, run), results) in jobs.iter().zip(&results) {
            let (case, golden) = &cases[index];
            for result in results {
                let outcome = outcomes[index].engines.iter_mut().find(|outcome| outcome.engine == result.engine);
                if let Some(outcome) = outcome {
                    outcome.add(&run.lanes[result.lane].label, &result.findings);
                }
                if let Some(hash) = result.hash.filter(|_| options.bless && result.engine.model() == result.engine) {
                    let label = run.lanes[result.lane].label.clone();
                    goldens[*golden].insert((result.engine, case.name(), label), hash);
                }
            }
        }
        if options.bless {
            for (file, golden) in self.files.iter().zip(&goldens) {
                if file.fixture.checks.iter().any(|check| matches!(check, Check::StateHash)) {
                    golden.write(&file.path)?;
                }
            }
        }
        Ok(SuiteOutcome { suite: self.name.clone(), cases: outcomes })
    }
}

/// One run of a case with every engine. Without recorded hashes, any hash will do.
fn run_case(case: &Case, run: &Run, engines: &[Engine], golden: Option<&Golden>) -> Result<Vec<RunResult>, Fault> {
    let checks = &case.file.fixture.checks;
    let watched = watched_pairs(checks);
    let mut wanted: Vec<Engine> = engines.to_vec();
    wanted.extend(checks.iter().filter_map(Check::reference));
    let mut recordings: BTreeMap<Engine, Vec<Recording>> = BTreeMap::new();
    for engine in wanted {
        if let std::collections::btree_map::Entry::Vacant(entry) = recordings.entry(engine) {
            entry.insert(Recording::of_lanes(case, run, engine, &watched)?);
        }
    }
    let twin = checks.iter().any(Check::has_twin).then(|| case.twin());
    let mut results = Vec::new();
    let has_hash = checks.iter().any(|check| matches!(check, Check::StateHash));
    for &engine in engines {
        let twins = twin.as_ref().map(|twin| Recording::of_lanes(twin, run, engine, &watched)).transpose()?;
        for (index, (recording, lane)) in recordings[&engine].iter().zip(&run.lanes).enumerate() {
            let hash = has_hash.then(|| recording.hash());
            let expected = golden.map_or(hash, |golden| golden.get(&(engine.model(), case.name(), lane.label.clone())));
            let mut findings = vec![finite(recording)];
            for check in checks {
                let reference = check.reference().and_then(|engine| recordings.get(&engine));
                let evidence = Evidence {
                    values: &lane.values,
                    recording,
                    reference: reference.map(|lanes| &lanes[index]),
                    twin: twins.as_ref().map(|lanes| &lanes[index]),
                    watched: &watched,
                    golden: expected,
                };
                findings.push(evidence.evaluate(check)?);
            }
            results.push(RunResult { engine, lane: index, findings, hash });
        }
    }
    Ok(results)
}

/// The check that is made always: the run got to its end.
fn finite(recording: &Recording) -> Finding {
    recording.broken.clone().map_or_else(Finding::passed, Finding::failed)
}

fn empty_outcome(case: &Case, engines: &[Engine]) -> CaseOutcome {
    let mut titles = vec!["Finite".to_owned()];
    titles.extend(case.file.fixture.checks.iter().map(Check::title));
    let engine = |&engine| EngineOutcome::new(engine, case.expectation(engine), titles.clone());
    CaseOutcome {
        name: case.name(),
        path: case.file.path.clone(),
        describe: case.file.fixture.describe.clone(),
        engines: engines.iter().map(engine).collect(),
    }
}
