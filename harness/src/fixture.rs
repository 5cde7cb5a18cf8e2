//! A fixture: one behaviour, as data.

use crate::body::{Action, Body, Collider, Joint};
use crate::check::Check;
use crate::error::Error;
use crate::number::{Num, Num3};
use crate::shape::Shape;
use ron::extensions::Extensions;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A fixture as its file has it. `fixtures/FORMAT.md` is the reference for those who write one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fixture {
    /// The behaviour, in one line.
    pub describe: String,
    /// Where the expected figures come from.
    #[serde(default)]
    pub because: String,
    /// The world.
    #[serde(default)]
    pub world: World,
    /// The settings of the `persistent` engine.
    #[serde(default)]
    pub settings: SettingsSpec,
    /// Named numbers; may use the scan's variables, the variant's numbers and each other.
    #[serde(default)]
    pub numbers: BTreeMap<String, Num>,
    /// The variables of the scan, by name. Every value is run.
    #[serde(default)]
    pub scan: BTreeMap<String, Scan>,
    /// How several variables are brought together.
    #[serde(default)]
    pub scan_mode: ScanMode,
    /// Further values of scan variables, for when a fixture is run in full: too many for every day.
    #[serde(default)]
    pub full_scan: BTreeMap<String, Scan>,
    /// Copies of the scene that share each run's world.
    pub lanes: Option<Lanes>,
    /// Named shapes, for [`Shape::Named`].
    #[serde(default)]
    pub shapes: BTreeMap<String, Shape>,
    /// The shapes that are others in the twin of the scene, which checks may compare a run with: it has everything else in
    /// common.
    #[serde(default)]
    pub twin: BTreeMap<String, Shape>,
    /// Alternatives that are judged one by one, a row of the table each. Default: one without a name.
    #[serde(default)]
    pub variants: Vec<Variant>,
    /// The bodies.
    #[serde(default)]
    pub bodies: Vec<Body>,
    /// The colliders that belong to no body.
    #[serde(default)]
    pub colliders: Vec<Collider>,
    /// The joints.
    #[serde(default)]
    pub joints: Vec<Joint>,
    /// The user's physics hooks.
    #[serde(default)]
    pub hooks: Hooks,
    /// What happens before which step.
    #[serde(default)]
    pub at: Vec<Action>,
    /// What must hold.
    pub checks: Vec<Check>,
    /// What stock Rapier is known to do.
    #[serde(default)]
    pub known: Known,
}

/// The world of a fixture. Every field has Rapier's default unless it says otherwise.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct World {
    /// \[length/s²] Gravity. Default: (0, -9.81, 0).
    pub gravity: Option<Num3>,
    /// \[s] The length of a step. Default: 1/60.
    pub dt: Option<Num>,
    /// \[1/s] Steps per second, instead of `dt`.
    pub hz: Option<Num>,
    /// How many steps are run. Default: 120.
    pub steps: Option<Num>,
    /// Rapier's `max_ccd_substeps`, for the engines that are not `off`. Default: 1.
    pub max_ccd_substeps: Option<Num>,
    /// Rapier's `num_solver_iterations`. Default: 4.
    pub solver_iterations: Option<Num>,
    /// How many length units make a metre. Default: 1.
    pub length_unit: Option<Num>,
    /// \[length/s] Rapier's cap on the speed of bodies. Default: 400 · `length_unit`.
    pub max_linear_velocity: Option<Num>,
    /// The coefficient of friction of every collider that has none of its own. Default: 0.5.
    pub friction: Option<Num>,
    /// The coefficient of restitution of every collider that has none of its own. Default: 0.
    pub restitution: Option<Num>,
}

/// Settings of the library's step; see `Settings` of `rapier3d-persistent-contacts`, whose defaults apply.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SettingsSpec {
    /// Which policy sweeps persistent contacts.
    pub sweep_policy: Policy,
    /// \[degrees] The largest angle between a hit and the face that carries the body.
    pub face_angle: Option<Num>,
    /// The core ball's part of the inner radius.
    pub core_fraction: Option<Num>,
    /// \[degrees] The largest rotation swept in one piece.
    pub max_interval_rotation: Option<Num>,
    /// How many impacts a step plays out for a body.
    pub max_impacts_per_step: Option<Num>,
    /// \[length/s] Slower bounces are left to the solver.
    pub min_bounce_speed: Option<Num>,
    /// Whether fixed colliders that touch are taken for one surface.
    pub joins_pieces: Option<bool>,
    /// \[slops] How uneven a seam may be.
    pub seam_unevenness: Option<Num>,
}

/// A sweep policy.
#[derive(Copy, Clone, Debug, Default, Deserialize, PartialEq, Eq)]
pub enum Policy {
    /// Policy 0.
    FullShape,
    /// Policy 1.
    CoreBall,
    /// Policy 2.
    #[default]
    FaceTested,
}

/// Copies of the scene side by side in one world, a value of the variables each. They are judged one by one, like runs, and
/// cost much less: for thousands of values.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lanes {
    /// The variables, by name; every combination is a lane.
    pub scan: BTreeMap<String, Scan>,
    /// \[length] From one lane to the next; so far that nothing in one can reach another.
    pub apart: Num3,
}

/// The values of a scan variable.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Scan {
    /// First, last, step: the first and every step from it up to the last.
    Range(f64, f64, f64),
    /// First, end, count: as many values, evenly spread, the end not among them. For phases and offsets.
    Spread(f64, f64, u32),
    /// These.
    List(Vec<f64>),
}

/// How several scan variables are brought together.
#[derive(Copy, Clone, Debug, Default, Deserialize, PartialEq, Eq)]
pub enum ScanMode {
    /// Every combination.
    #[default]
    Product,
    /// The first values of all, the second values of all, and so on.
    Zip,
}

/// An alternative of the fixture.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Its name, unique in the fixture.
    pub name: String,
    /// Shapes that add to or replace the fixture's named ones.
    #[serde(default)]
    pub shapes: BTreeMap<String, Shape>,
    /// Shapes of the twin that add to or replace the fixture's.
    #[serde(default)]
    pub twin: BTreeMap<String, Shape>,
    /// Numbers that add to or replace the fixture's.
    #[serde(default)]
    pub numbers: BTreeMap<String, Num>,
    /// Bodies that add to the fixture's.
    #[serde(default)]
    pub bodies: Vec<Body>,
    /// Actions that add to the fixture's.
    #[serde(default)]
    pub at: Vec<Action>,
    /// What stock Rapier is known to do here; replaces the fixture's, engine by engine.
    #[serde(default)]
    pub known: Known,
}

/// The user's physics hooks.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Hooks {
    /// Pairs of collider names that `filter_contact_pair` rejects.
    pub reject_pairs: Vec<(String, String)>,
}

/// What the engines are known to do. Rapier without an entry is shown, but decides nothing; this project's own step without
/// an entry must pass.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Known {
    /// Rapier as it is.
    pub stock: Option<Expectation>,
    /// Rapier with CCD off.
    pub off: Option<Expectation>,
    /// This project's step: a fault of it that is known and not yet mended.
    pub persistent: Option<Expectation>,
}

/// A recorded result.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub enum Expectation {
    /// It satisfies every check.
    Passes,
    /// It does not, for this reason, with a figure.
    Fails(String),
}

/// A fixture with its file: what errors need to name the place.
#[derive(Clone, Debug)]
pub struct FixtureFile {
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub source: String,
    /// What it says.
    pub fixture: Fixture,
}

impl FixtureFile {
    /// Reads a file.
    ///
    /// # Errors
    /// A file that cannot be read, or that is not a fixture: with line, column and field.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let source = std::fs::read_to_string(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        Self::parse(path, source)
    }

    /// Parses a text; `path` is for error messages, and for files that the fixture names.
    ///
    /// # Errors
    /// A text that is not a fixture: with line, column and field.
    pub fn parse(path: &Path, source: String) -> Result<Self, Error> {
        let fixture = parse(&source).map_err(|error| error.at(path))?;
        let file = Self { path: path.to_owned(), source, fixture };
        file.fixture.validate_scan().map_err(|fault| fault.into_error(path, &file.source))?;
        Ok(file)
    }

    /// Scans in full from now on: what `full_scan` has joins the values of `scan`.
    pub fn scan_in_full(&mut self) {
        for (name, further) in std::mem::take(&mut self.fixture.full_scan) {
            if let Some(scan) = self.fixture.scan.get_mut(&name) {
                *scan = scan.joined(&further);
            }
        }
    }

    /// The file's name without its ending.
    pub fn name(&self) -> &str {
        self.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("?")
    }
}

/// Where a text stops being a fixture.
struct Misread {
    position: ron::error::Position,
    field: String,
    message: String,
}

impl Misread {
    fn new(error: ron::error::SpannedError, field: String) -> Self {
        Self { position: error.span.start, field, message: error.code.to_string() }
    }

    fn at(self, path: &Path) -> Error {
        let (line, column) = (self.position.line, self.position.col);
        Error::Fixture { path: path.to_owned(), line, column, field: self.field, message: self.message }
    }
}

fn parse(source: &str) -> Result<Fixture, Misread> {
    let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    let whole_file = || "(the file)".to_owned();
    let mut deserializer = ron::Deserializer::from_str_with_options(source, &options)
        .map_err(|error| Misread::new(error, whole_file()))?;
    let fixture = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let field = error.path().to_string();
        Misread::new(deserializer.span_error(error.into_inner()), field)
    })?;
    deserializer.end().map_err(|code| Misread::new(deserializer.span_error(code), whole_file()))?;
    Ok(fixture)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Case;

    /// The message with which a text is refused.
    fn refusal(text: &str) -> String {
        match FixtureFile::parse(Path::new("test.ron"), text.to_owned()) {
            Ok(_) => panic!("not refused: {text}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn an_unknown_field_is_refused_with_its_line() {
        let text = "(\n    describe: \"x\",\n    world: (gravitee: (0, 0, 0)),\n    checks: [],\n)";
        let message = refusal(text);
        assert!(message.starts_with("test.ron:3:"), "{message}");
        assert!(message.contains("gravitee") && message.contains("world"), "{message}");
    }

    #[test]
    fn a_missing_field_is_named() {
        let message = refusal("(describe: \"x\")");
        assert!(message.contains("checks"), "{message}");
        let message = refusal("(describe: \"x\", checks: [Height(max: 1)])");
        assert!(message.contains("`body`") && message.contains("checks[0]"), "{message}");
    }

    #[test]
    fn a_wrong_value_is_refused_with_line_and_field() {
        let text = "(\n    describe: \"x\",\n    bodies: [(\n        name: \"b\",\n        linvel: (1, true, 0),\n    )],\n    checks: [],\n)";
        let message = refusal(text);
        assert!(message.starts_with("test.ron:5:"), "{message}");
        assert!(message.contains("linvel") && message.contains("a number, or an expression"), "{message}");
    }

    #[test]
    fn a_broken_expression_is_refused_with_line_and_reason() {
        let message = refusal("(\n describe: \"x\",\n world: (steps: \"2 * \"),\n checks: [])");
        assert!(message.starts_with("test.ron:3:") && message.contains("ends too early"), "{message}");
    }

    #[test]
    fn an_unknown_check_or_shape_is_refused() {
        assert!(refusal("(describe: \"\", checks: [Fast(body: \"a\")])").contains("Fast"));
        assert!(refusal("(describe: \"\", shapes: {\"a\": Bal(radius: 1)}, checks: [])").contains("Bal"));
    }

    #[test]
    fn a_full_scan_has_further_values_of_a_variable() {
        let text = "(describe: \"\", scan: {\"v\": List([1, 2.5]), \"w\": List([2])}, full_scan: {\"v\": Range(1, 5, 1)}, checks: [])";
        let mut file = FixtureFile::parse(Path::new("test.ron"), text.to_owned()).unwrap_or_else(|e| panic!("{e}"));
        let runs = |file: &FixtureFile| Case::all(file).expect("cases")[0].count();
        assert_eq!(runs(&file), 2);
        // 1, 2.5, and from 2 to 5; what is there already is not run twice.
        file.scan_in_full();
        assert_eq!(runs(&file), 6);
        let message = refusal("(describe: \"\",\n full_scan: {\"v\": List([1])}, checks: [])");
        assert!(message.starts_with("test.ron:2:") && message.contains("is not scanned"), "{message}");
    }

    #[test]
    fn an_empty_scan_is_refused_where_it_stands() {
        let message = refusal("(describe: \"\",\n scan: {\"v\": List([])}, checks: [])");
        assert!(message.starts_with("test.ron:2:") && message.contains("has no value"), "{message}");
    }
}
