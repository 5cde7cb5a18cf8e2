//! Choosing one run of a fixture.

use clap::Args;
use persistent_contacts_fixtures::body::{Body, BodyKind};
use persistent_contacts_fixtures::case::{Case, Lane, Run};
use persistent_contacts_fixtures::error::Error;
use persistent_contacts_fixtures::fixture::FixtureFile;
use std::path::PathBuf;

/// Which run of which fixture.
#[derive(Args)]
pub struct Choice {
    /// The fixture's file.
    pub file: PathBuf,
    /// The variant. Default: the first.
    #[arg(long)]
    variant: Option<String>,
    /// The scan values, as `33.5` or `speed=33.5,phase=0`; the nearest run is taken. Default: the first.
    #[arg(long, value_delimiter = ',')]
    value: Vec<String>,
    /// The twin of the scene.
    #[arg(long)]
    twin: bool,
}

impl Choice {
    /// Reads the file, with the runs of its full scan.
    pub fn read(&self) -> Result<FixtureFile, Error> {
        let mut file = FixtureFile::read(&super::find(&self.file.to_string_lossy())?)?;
        file.scan_in_full();
        Ok(file)
    }

    /// The case and the run of the file, with the one lane that is meant.
    pub fn pick<'a>(&self, file: &'a FixtureFile) -> Result<(Case<'a>, Run), Error> {
        let mut cases = Case::all(file)?;
        let index = match &self.variant {
            None => 0,
            Some(name) => cases
                .iter()
                .position(|case| case.variant.is_some_and(|variant| variant.name == *name))
                .ok_or_else(|| {
                    let known: Vec<_> = file.fixture.variants.iter().map(|variant| variant.name.as_str()).collect();
                    Error::Request(format!("no variant is named `{name}`; there are: {}", known.join(", ")))
                })?,
        };
        let case = cases.swap_remove(index);
        let wanted = self.wanted(file)?;
        let distance = |lane: &Lane| -> f64 {
            wanted.iter().map(|(name, value)| (lane.values.get(name).copied().unwrap_or(0.0) - value).abs()).sum()
        };
        let lanes = case.runs.iter().flat_map(|run| run.lanes.iter().map(move |lane| (run, lane)));
        let nearest = lanes.min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
        let run = nearest.map(|(run, lane)| run.alone(lane));
        let run = run.ok_or_else(|| Error::Request("the fixture has no run".into()))?;
        Ok((if self.twin { case.twin() } else { case }, run))
    }

    fn wanted(&self, file: &FixtureFile) -> Result<Vec<(String, f64)>, Error> {
        let lanes = file.fixture.lanes.iter().flat_map(|lanes| lanes.scan.keys());
        let names: Vec<&String> = file.fixture.scan.keys().chain(lanes).collect();
        let parse = |text: &String| {
            let (name, value) = match (text.split_once('='), names.as_slice()) {
                (Some((name, value)), _) => (name.trim().to_owned(), value),
                (None, [only]) => ((*only).clone(), text.as_str()),
                (None, _) => return Err(format!("`{text}` names no variable; write `name=value`")),
            };
            if !names.contains(&&name) {
                return Err(format!("the fixture does not scan `{name}`"));
            }
            let value = value.trim().parse().map_err(|_| format!("`{value}` is not a number"))?;
            Ok((name, value))
        };
        self.value
            .iter()
            .map(parse)
            .collect::<Result<_, _>>()
            .map_err(|reason| Error::Request(format!("--value: {reason}")))
    }
}

/// The body of this name; the first dynamic one if none is named.
pub fn body<'a>(case: &Case<'a>, name: Option<&str>) -> Result<&'a str, Error> {
    let wanted = |body: &&Body| name.map_or(body.kind == BodyKind::Dynamic, |name| body.name == name);
    let found = case.bodies().find(wanted).map(|body| body.name.as_str());
    found.ok_or_else(|| {
        let known: Vec<_> = case.bodies().map(|body| body.name.as_str()).collect();
        let wanted = name.map_or_else(|| "dynamic body".to_owned(), |name| format!("body named `{name}`"));
        Error::Request(format!("the fixture has no {wanted}; there are: {}", known.join(", ")))
    })
}
