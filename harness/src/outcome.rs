//! The results of a suite, gathered case by case and engine by engine.

use crate::check::{Figure, Finding, Worse};
use crate::engine::Engine;
use crate::fixture::Expectation;
use serde::{Serialize, Serializer};
use std::path::PathBuf;

/// A scan may fail in thousands of runs, which nobody reads.
pub const MAX_LISTED: usize = 1000;

/// The results of a suite.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteOutcome {
    /// The suite's name.
    pub suite: String,
    /// Its cases, in the order of their files.
    pub cases: Vec<CaseOutcome>,
}

/// The results of one case: of a fixture, or of one variant of it.
#[derive(Clone, Debug, Serialize)]
pub struct CaseOutcome {
    /// The case's name.
    pub name: String,
    /// The fixture's file.
    pub path: PathBuf,
    /// The behaviour, in one line.
    pub describe: String,
    /// The engines that were run.
    pub engines: Vec<EngineOutcome>,
}

/// The results of one case with one engine.
#[derive(Clone, Debug, Serialize)]
pub struct EngineOutcome {
    /// The engine.
    pub engine: Engine,
    /// How many runs there were.
    pub runs: usize,
    /// In how many of them a check failed.
    pub failed_runs: usize,
    /// What is known of this engine; without it, it decides nothing.
    #[serde(serialize_with = "expectation")]
    pub expected: Option<Expectation>,
    /// The checks, in the fixture's order.
    pub checks: Vec<CheckOutcome>,
}

/// The results of one check over all runs.
#[derive(Clone, Debug, Serialize)]
pub struct CheckOutcome {
    /// The check's name, and what it is about.
    pub title: String,
    /// In how many runs it failed.
    pub failed_runs: usize,
    /// The first failure.
    pub first_failure: Option<Failure>,
    /// The failures in the order of the runs, the first one included; no more than [`MAX_LISTED`].
    pub failures: Vec<Failure>,
    /// Each figure at its worst.
    pub worst: Vec<WorstFigure>,
}

/// A failure of a check.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// The run's scan values.
    pub run: String,
    /// What was found and what was wanted.
    pub message: String,
}

/// The worst value of a figure over all runs.
#[derive(Clone, Debug, Serialize)]
pub struct WorstFigure {
    /// The figure's name.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// The value.
    pub value: f64,
    /// The run it comes from.
    pub run: String,
    #[serde(skip)]
    figure: Figure,
}

/// How an engine's result stands to what is expected of it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// As expected.
    AsExpected,
    /// Nothing is expected.
    Undecided,
    /// Checks failed that must hold.
    Failed,
    /// An engine that is known to fail now passes: the fixture is out of date.
    NowPasses,
}

impl SuiteOutcome {
    /// How many cases passed.
    pub fn passed(&self) -> usize {
        self.cases.iter().filter(|case| case.is_passed()).count()
    }

    /// How many cases failed.
    pub fn failed(&self) -> usize {
        self.cases.len() - self.passed()
    }
}

impl SuiteOutcome {
    /// The names of the cases in which a fault of this project's step is on record, and was seen.
    pub fn known_faults(&self) -> impl Iterator<Item = String> {
        let has_fault = |case: &&CaseOutcome| {
            case.engines.iter().any(|outcome| {
                outcome.engine.model() == Engine::Persistent
                    && matches!(outcome.expected, Some(Expectation::Fails(_)))
                    && outcome.standing() == Standing::AsExpected
            })
        };
        self.cases.iter().filter(has_fault).map(|case| case.name.clone())
    }
}

impl CaseOutcome {
    /// Does every engine do what is expected of it?
    pub fn is_passed(&self) -> bool {
        self.engines.iter().all(|engine| matches!(engine.standing(), Standing::AsExpected | Standing::Undecided))
    }

    /// Why the case failed, one line a reason; empty if it passed.
    pub fn reasons(&self) -> Vec<String> {
        self.engines.iter().flat_map(|engine| engine.reasons(&self.name)).collect()
    }
}

impl EngineOutcome {
    /// An outcome without runs, for checks of these titles.
    pub fn new(engine: Engine, expected: Option<Expectation>, titles: Vec<String>) -> Self {
        let check = |title| CheckOutcome {
            title,
            failed_runs: 0,
            first_failure: None,
            failures: Vec::new(),
            worst: Vec::new(),
        };
        Self { engine, runs: 0, failed_runs: 0, expected, checks: titles.into_iter().map(check).collect() }
    }

    /// Adds one run's findings, in the order of the checks.
    pub fn add(&mut self, run: &str, findings: &[Finding]) {
        self.runs += 1;
        self.failed_runs += usize::from(findings.iter().any(|finding| !finding.is_passed()));
        for (check, finding) in self.checks.iter_mut().zip(findings) {
            check.add(run, finding);
        }
    }

    /// Did every check hold in every run?
    pub fn is_clean(&self) -> bool {
        self.failed_runs == 0
    }

    /// How the result stands to what is expected.
    pub fn standing(&self) -> Standing {
        match (&self.expected, self.is_clean()) {
            (None, _) => Standing::Undecided,
            (Some(Expectation::Passes), true) | (Some(Expectation::Fails(_)), false) => Standing::AsExpected,
            (Some(Expectation::Passes), false) => Standing::Failed,
            (Some(Expectation::Fails(_)), true) => Standing::NowPasses,
        }
    }

    /// The reasons why this engine fails the case.
    fn reasons(&self, case: &str) -> Vec<String> {
        match self.standing() {
            Standing::AsExpected | Standing::Undecided => Vec::new(),
            Standing::NowPasses => {
                let (who, why) = match (self.engine, &self.expected) {
                    (Engine::Off, Some(Expectation::Fails(why))) => ("Rapier with CCD off", why.as_str()),
                    (Engine::Stock, Some(Expectation::Fails(why))) => ("stock Rapier", why.as_str()),
                    (_, Some(Expectation::Fails(why))) => ("the persistent step", why.as_str()),
                    _ => ("the engine", "?"),
                };
                vec![format!("{who} now passes {case}: update the fixture, which says it fails ({why})")]
            }
            Standing::Failed => self.checks.iter().filter_map(|check| self.reason(check)).collect(),
        }
    }

    fn reason(&self, check: &CheckOutcome) -> Option<String> {
        let failure = check.first_failure.as_ref()?;
        let run = if failure.run.is_empty() { String::new() } else { format!(" at {}", failure.run) };
        Some(format!(
            "{}: {} failed in {} of {} runs, first{run}: {}",
            self.engine, check.title, check.failed_runs, self.runs, failure.message
        ))
    }
}

impl CheckOutcome {
    fn add(&mut self, run: &str, finding: &Finding) {
        if !finding.is_passed() {
            self.failed_runs += 1;
            let failure = Failure { run: run.to_owned(), message: finding.message() };
            if self.failures.len() < MAX_LISTED {
                self.failures.push(failure.clone());
            }
            self.first_failure.get_or_insert(failure);
        }
        for figure in &finding.figures {
            let same = |known: &&mut WorstFigure| known.name == figure.name && known.figure.worse == figure.worse;
            match self.worst.iter_mut().find(same) {
                Some(known) if figure.worse.than(figure.value, known.value) => *known = WorstFigure::new(*figure, run),
                Some(_) => {}
                None => self.worst.push(WorstFigure::new(*figure, run)),
            }
        }
    }
}

impl WorstFigure {
    fn new(figure: Figure, run: &str) -> Self {
        Self { name: figure.name, unit: figure.unit, value: figure.value, run: run.to_owned(), figure }
    }

    /// The figure in words.
    pub fn text(&self) -> String {
        let sign = match self.figure.worse {
            Worse::Low => "≥",
            Worse::High => "≤",
        };
        format!("{} {sign} {}", self.name, self.figure.text())
    }
}

impl Serialize for Engine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

fn expectation<S: Serializer>(expected: &Option<Expectation>, serializer: S) -> Result<S::Ok, S::Error> {
    match expected {
        None => serializer.serialize_none(),
        Some(Expectation::Passes) => serializer.serialize_str("passes"),
        Some(Expectation::Fails(why)) => serializer.serialize_str(&format!("fails: {why}")),
    }
}
