//! The runs of a fixture: every variant with every value of its scan.

use crate::body::{Action, Body};
use crate::engine::Engine;
use crate::error::{Error, Fault};
use crate::fixture::{Expectation, Fixture, FixtureFile, Scan, ScanMode, Variant};
use crate::number::{Num, Values, vector};
use crate::shape::Shape;
use rapier3d::math::{Real, Vector};
use std::collections::BTreeMap;

/// More runs than this in one case are a slip of the pen.
const MAX_RUNS: usize = 100_000;

/// One variant of a fixture: a row of the table.
#[derive(Clone, Debug)]
pub struct Case<'a> {
    /// The fixture's file.
    pub file: &'a FixtureFile,
    /// The variant, unless the fixture has none.
    pub variant: Option<&'a Variant>,
    /// The named shapes that hold here.
    pub shapes: BTreeMap<String, Shape>,
    /// The runs, in the order of the scan.
    pub runs: Vec<Run>,
}

/// One run, which is one world: all numbers known.
#[derive(Clone, Debug)]
pub struct Run {
    /// Every named number, with `dt` and `steps`; those of the first lane.
    pub values: Values,
    /// What is judged by itself in it: its lanes, or the whole as the only one.
    pub lanes: Vec<Lane>,
}

/// One of the copies of a scene that share a run's world.
#[derive(Clone, Debug)]
pub struct Lane {
    /// Every named number, with `dt` and `steps`.
    pub values: Values,
    /// The scanned ones of them, for people: `speed = 15.37`.
    pub label: String,
    /// \[length] Where its scene stands in the world.
    pub origin: Vector,
}

impl Run {
    /// The scanned values of the first lane, for people.
    pub fn label(&self) -> &str {
        self.lanes.first().map_or("", |lane| &lane.label)
    }

    /// The run with this lane alone, where it stands.
    pub fn alone(&self, lane: &Lane) -> Self {
        Self { values: lane.values.clone(), lanes: vec![lane.clone()] }
    }
}

impl<'a> Case<'a> {
    /// The cases of a fixture, at least one.
    ///
    /// # Errors
    /// A number that cannot be computed, or more runs than anyone can mean.
    pub fn all(file: &'a FixtureFile) -> Result<Vec<Self>, Error> {
        let variants: Vec<Option<&Variant>> = if file.fixture.variants.is_empty() {
            vec![None]
        } else {
            file.fixture.variants.iter().map(Some).collect()
        };
        let case =
            |variant| Self::new(file, variant).map_err(|fault: Fault| fault.into_error(&file.path, &file.source));
        variants.into_iter().map(case).collect()
    }

    fn new(file: &'a FixtureFile, variant: Option<&'a Variant>) -> Result<Self, Fault> {
        let fixture = &file.fixture;
        let mut shapes = fixture.shapes.clone();
        let mut numbers = fixture.numbers.clone();
        if let Some(variant) = variant {
            shapes.extend(variant.shapes.clone());
            numbers.extend(variant.numbers.clone());
        }
        let lanes = lane_values(fixture)?;
        let run = |scanned: Values| {
            let mut run = Run { values: Values::new(), lanes: Vec::with_capacity(lanes.len()) };
            for (index, lane) in lanes.iter().enumerate() {
                let mut scanned = scanned.clone();
                scanned.extend(lane.clone());
                let label: Vec<_> = scanned.iter().map(|(name, value)| format!("{name} = {}", shown(*value))).collect();
                let mut values = resolve(&numbers, fixture, scanned)?;
                let steps = fixture.world.steps.as_ref().map_or(Ok(120), |steps| steps.count(&values))?;
                values.insert("steps".into(), steps as f64);
                let apart = fixture.lanes.as_ref().map_or(Ok(Vector::ZERO), |lanes| vector(&lanes.apart, &values))?;
                // Counted from the one in the middle, so that coordinates stay small.
                let origin = apart * (index as Real - (lanes.len() / 2) as Real);
                run.lanes.push(Lane { values, label: label.join(", "), origin });
            }
            run.values = run.lanes.first().map_or_else(Values::new, |lane| lane.values.clone());
            let same = |lane: &Lane| ["dt", "steps"].iter().all(|name| lane.values.get(*name) == run.values.get(*name));
            match run.lanes.iter().all(same) {
                true => Ok(run),
                false => Err(Fault::in_field("lanes", "all lanes of a run take the same steps of the same length")),
            }
        };
        let runs = scanned_values(fixture)?.into_iter().map(run).collect::<Result<_, Fault>>()?;
        Ok(Self { file, variant, shapes, runs })
    }

    /// The case in which the twin's shapes have taken the place of those of their names. Its runs are the same.
    pub fn twin(&self) -> Self {
        let mut twin = self.clone();
        twin.shapes.extend(self.file.fixture.twin.clone());
        twin.shapes.extend(self.variant.iter().flat_map(|variant| variant.twin.clone()));
        twin
    }

    /// The bodies of the fixture, then those of the variant.
    pub fn bodies(&self) -> impl Iterator<Item = &'a Body> {
        self.file.fixture.bodies.iter().chain(self.variant.iter().flat_map(|variant| &variant.bodies))
    }

    /// The actions of the fixture, then those of the variant.
    pub fn actions(&self) -> impl Iterator<Item = &'a Action> {
        self.file.fixture.at.iter().chain(self.variant.iter().flat_map(|variant| &variant.at))
    }

    /// How many runs and lanes are judged.
    pub fn count(&self) -> usize {
        self.runs.iter().map(|run| run.lanes.len()).sum()
    }

    /// The fixture's name, with the variant's in brackets.
    pub fn name(&self) -> String {
        match self.variant {
            Some(variant) => format!("{} [{}]", self.file.name(), variant.name),
            None => self.file.name().to_owned(),
        }
    }

    /// What the engine is known to do here; the library's own is expected to pass, unless a fault of it is on record.
    pub fn expectation(&self, engine: Engine) -> Option<Expectation> {
        let variant = self.variant.map(|variant| &variant.known);
        let known = &self.file.fixture.known;
        match engine.model() {
            Engine::Stock => variant.and_then(|v| v.stock.clone()).or_else(|| known.stock.clone()),
            Engine::Off => variant.and_then(|v| v.off.clone()).or_else(|| known.off.clone()),
            _ => variant
                .and_then(|v| v.persistent.clone())
                .or_else(|| known.persistent.clone())
                .or(Some(Expectation::Passes)),
        }
    }

    /// A fault found in this case, as an error with its place.
    pub fn error(&self, fault: Fault) -> Error {
        fault.into_error(&self.file.path, &self.file.source)
    }
}

/// A number without the digits that are only rounding noise.
fn shown(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The length of a step, in seconds.
fn step_length(fixture: &Fixture, values: &Values) -> Result<f64, Fault> {
    match (&fixture.world.dt, &fixture.world.hz) {
        (Some(_), Some(_)) => Err(Fault::in_field("world.hz", "give either `dt` or `hz`, not both")),
        (Some(dt), None) => Ok(dt.positive(values, "world.dt")?.into()),
        (None, Some(hz)) => Ok(1.0 / f64::from(hz.positive(values, "world.hz")?)),
        (None, None) => Ok(1.0 / 60.0),
    }
}

/// Computes the step's length and named numbers, which may all use each other: as many passes as it takes, until
/// nothing new is found.
fn resolve(numbers: &BTreeMap<String, Num>, fixture: &Fixture, mut values: Values) -> Result<Values, Fault> {
    let mut open: Vec<(&String, &Num)> = numbers.iter().filter(|(name, _)| !values.contains_key(*name)).collect();
    loop {
        let mut first_fault = None;
        let before = values.len();
        if !values.contains_key("dt") {
            match step_length(fixture, &values) {
                Ok(dt) => values.extend([("dt".to_owned(), dt), ("hz".to_owned(), 1.0 / dt)]),
                Err(fault) => first_fault = Some(fault),
            }
        }
        open.retain(|(name, number)| match number.get(&values) {
            Ok(value) => {
                values.insert((*name).clone(), value);
                false
            }
            Err(fault) => {
                first_fault.get_or_insert(fault);
                true
            }
        });
        match first_fault {
            None => return Ok(values),
            Some(fault) if values.len() == before => return Err(fault),
            Some(_) => {}
        }
    }
}

/// The scan's values, one map a run.
fn scanned_values(fixture: &Fixture) -> Result<Vec<Values>, Fault> {
    let mut lists = Vec::new();
    for (name, scan) in &fixture.scan {
        lists.push((name, scan.values().map_err(|message| Fault::in_name(name, message))?));
    }
    if fixture.scan_mode == ScanMode::Zip {
        let length = lists.first().map_or(0, |(_, list)| list.len());
        if let Some((name, list)) = lists.iter().find(|(_, list)| list.len() != length) {
            let message = format!("has {} values where another variable has {length}; `Zip` needs as many", list.len());
            return Err(Fault::in_name(name, message));
        }
        let at = |index: usize| lists.iter().map(|(name, list)| ((*name).clone(), list[index])).collect();
        return Ok((0..length).map(at).collect());
    }
    product(lists)
}

/// The lanes' values, one map a lane; a single empty one without lanes.
fn lane_values(fixture: &Fixture) -> Result<Vec<Values>, Fault> {
    let mut lists = Vec::new();
    for (name, scan) in fixture.lanes.iter().flat_map(|lanes| &lanes.scan) {
        if fixture.scan.contains_key(name) {
            return Err(Fault::in_name(name, "is scanned already"));
        }
        lists.push((name, scan.values().map_err(|message| Fault::in_name(name, message))?));
    }
    product(lists)
}

/// Every combination.
fn product(lists: Vec<(&String, Vec<f64>)>) -> Result<Vec<Values>, Fault> {
    let mut runs = vec![Values::new()];
    for (name, list) in lists {
        if runs.len().saturating_mul(list.len()) > MAX_RUNS {
            return Err(Fault::in_name(name, format!("the scan has more than {MAX_RUNS} runs")));
        }
        runs = runs
            .into_iter()
            .flat_map(|run| {
                list.iter().map(move |value| {
                    let mut run: Values = run.clone();
                    run.insert(name.clone(), *value);
                    run
                })
            })
            .collect();
    }
    Ok(runs)
}

impl Scan {
    /// The values of both, each once; those that cannot be computed are left out, since a fixture with them is refused.
    pub(crate) fn joined(&self, further: &Self) -> Self {
        let mut values = self.values().unwrap_or_default();
        for value in further.values().unwrap_or_default() {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        Self::List(values)
    }

    /// All values, in order.
    fn values(&self) -> Result<Vec<f64>, String> {
        let values: Vec<f64> = match *self {
            Self::Range(first, last, step) => {
                if !(step > 0.0 && last >= first && (last - first) / step < MAX_RUNS as f64) {
                    return Err(format!("a range goes up by a positive step, not from {first} to {last} by {step}"));
                }
                // Half a millionth of a step forgives the rounding of a last value that is meant to be reached.
                let count = ((last - first) / step + 5.0e-7).floor() as usize;
                (0..=count).map(|index| first + step * index as f64).collect()
            }
            Self::Spread(first, end, count) => {
                (0..count).map(|index| first + (end - first) * f64::from(index) / f64::from(count)).collect()
            }
            Self::List(ref values) => values.clone(),
        };
        match values.iter().find(|value| !value.is_finite()) {
            Some(value) => Err(format!("{value} is not a finite number")),
            None if values.is_empty() => Err("has no value".into()),
            None => Ok(values),
        }
    }
}

impl Fixture {
    /// Does every scan variable have values?
    pub(crate) fn validate_scan(&self) -> Result<(), Fault> {
        scanned_values(self)?;
        for (name, scan) in &self.full_scan {
            scan.values().map_err(|message| Fault::in_name(name, message))?;
            if !self.scan.contains_key(name) {
                return Err(Fault::in_name(name, "is not scanned, so a full scan has no further values of it"));
            }
        }
        lane_values(self).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn file(text: &str) -> FixtureFile {
        FixtureFile::parse(Path::new("test.ron"), text.to_owned()).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn the_baseline_scan_has_122_speeds() {
        let values = Scan::Range(15.0, 60.0, 0.37).values().expect("a range");
        assert_eq!(values.len(), 122);
        assert_eq!(Scan::Range(0.0, 1.0, 0.1).values().expect("a range").len(), 11);
        assert!(Scan::Range(1.0, 0.0, 0.1).values().is_err());
    }

    #[test]
    fn variables_are_combined_or_zipped() {
        let text = |mode| {
            format!(
                "(describe: \"\", scan: {{\"a\": List([1, 2]), \"b\": Spread(0, 1, 2)}}, scan_mode: {mode}, checks: [])"
            )
        };
        let product = file(&text("Product"));
        let labels =
            |file| Case::all(file).expect("cases")[0].runs.iter().map(|r| r.lanes[0].label.clone()).collect::<Vec<_>>();
        assert_eq!(labels(&product), ["a = 1, b = 0", "a = 1, b = 0.5", "a = 2, b = 0", "a = 2, b = 0.5"]);
        let zip = file(&text("Zip"));
        assert_eq!(labels(&zip), ["a = 1, b = 0", "a = 2, b = 0.5"]);
    }

    #[test]
    fn numbers_may_use_each_other() {
        let file = file("(describe: \"\", numbers: {\"a\": \"b + 1\", \"b\": \"c * 2\", \"c\": 3}, checks: [])");
        let cases = Case::all(&file).expect("cases");
        assert_eq!(cases[0].runs[0].values["a"], 7.0);
    }

    #[test]
    fn numbers_may_use_the_step_length_and_the_other_way_round() {
        let text = "(describe: \"\", world: (hz: \"2 * half\", steps: \"hz / 2\"), scan: {\"half\": List([30])}, \
                    numbers: {\"way\": \"3 * dt\"}, checks: [])";
        let file = file(text);
        let run = &Case::all(&file).expect("cases")[0].runs[0];
        assert!((run.values["way"] - 0.05).abs() < 1.0e-6);
        assert_eq!(run.values["steps"], 30.0);
    }

    #[test]
    fn a_circle_of_numbers_is_an_error_with_its_line() {
        let file = file("(describe: \"\",\n numbers: {\"a\": \"b\",\n \"b\": \"a\"}, checks: [])");
        let error = Case::all(&file).expect_err("a circle").to_string();
        assert!(error.starts_with("test.ron:2:"), "{error}");
    }
}
