//! `cargo fixtures bench`

use clap::Args;
use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{Cell, CellAlignment, Color, Table};
use indicatif::ProgressBar;
use persistent_contacts_fixtures::bench::{
    BenchScene, Effort, EngineTime, FIRST_STEP, FIRST_STEP_BAR, FirstStep, Ground, Measurement, SCENES,
};
use persistent_contacts_fixtures::engine::Engine;
use persistent_contacts_fixtures::error::Error;
use std::path::{Path, PathBuf};

/// What to measure, and how thoroughly.
#[derive(Args)]
pub struct Arguments {
    /// Only scenes whose name contains this.
    #[arg(long, value_name = "TEXT")]
    scene: Option<String>,
    /// How often each engine is run, by turns.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..1000))]
    rounds: u16,
    /// How many steps are timed in each run; ten times as many where nearly all bodies sleep.
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u16).range(1..=170))]
    steps: u16,
    /// A missed bar makes the exit code 1.
    #[arg(long)]
    assert: bool,
    /// Writes the times of every round to this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Measures the scenes and prints a row for each.
pub fn bench(arguments: &Arguments) -> Result<bool, Error> {
    let text = arguments.scene.as_deref().unwrap_or("");
    let scenes: Vec<BenchScene> = SCENES.into_iter().filter(|scene| scene.name.contains(text)).collect();
    let has_first_step = FIRST_STEP.contains(text);
    if scenes.is_empty() && !has_first_step {
        let names = [SCENES.map(|scene| scene.name).join(", "), FIRST_STEP.to_owned()].join(", ");
        return Err(Error::Request(format!("no scene's name contains `{text}`; there are: {names}")));
    }
    let ground = Ground::new().map_err(|error| Error::Request(format!("the ground's mesh is refused: {error}")))?;
    let effort = Effort { rounds: arguments.rounds.into(), steps: arguments.steps.into() };
    let first_rounds = if has_first_step { effort.rounds } else { 0 };
    let rounds: usize = scenes.iter().map(|scene| scene.effort(effort).rounds).sum();
    let bar = ProgressBar::new(((rounds + first_rounds) * Engine::ALL.len()) as u64);
    let measure = |scene: &BenchScene| scene.measure(&ground, effort, &|| bar.inc(1));
    let measurements: Vec<Measurement> = scenes.iter().map(measure).collect();
    let first_step = has_first_step.then(|| FirstStep::measure(&ground, first_rounds, &|| bar.inc(1)));
    bar.finish_and_clear();
    if !measurements.is_empty() {
        println!("{}", table(&measurements));
    }
    for (scene, time) in wrong_answers(&measurements) {
        println!("{scene}, {}: {}; its time does not count", time.engine, time.wrong.as_deref().unwrap_or_default());
    }
    if let Some(path) = &arguments.json {
        write_json(path, &measurements)?;
    }
    let mut passed: Vec<bool> = measurements.iter().map(Measurement::is_passed).collect();
    if let Some(first_step) = &first_step {
        print_first_step(first_step);
        passed.push(first_step.is_passed());
    }
    let failed = passed.iter().filter(|is_passed| !**is_passed).count();
    println!("\n{} passed, {failed} failed", passed.len() - failed);
    Ok(failed == 0 || !arguments.assert)
}

fn print_first_step(first_step: &FirstStep) {
    let times: Vec<_> = first_step.typical().map(|(engine, time)| format!("{engine} {time:.1} ms")).collect();
    let mark = if first_step.is_passed() { "✔ pass" } else { "✘ FAIL" };
    println!("{FIRST_STEP}: {}", times.join(", "));
    println!("  {:.1} ms more than off, ≤ {FIRST_STEP_BAR} ms: {mark}", first_step.excess(Engine::Persistent));
}

fn table(measurements: &[Measurement]) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_HORIZONTAL_ONLY);
    let mut header = vec!["ms per step".to_owned()];
    header.extend(Engine::ALL.iter().map(|engine| engine.name().to_owned()));
    header.extend(Engine::ALL.iter().skip(1).map(|engine| format!("{engine} / off")));
    header.extend(["bar".to_owned(), String::new()]);
    table.set_header(header);
    for measurement in measurements {
        let mut row = vec![Cell::new(measurement.scene)];
        row.extend(measurement.engines.iter().map(|time| figure(time, time.typical(), 3)));
        row.extend(measurement.engines.iter().skip(1).map(|time| figure(time, time.ratio, 3)));
        row.push(Cell::new(format!("≤ {}", measurement.bar)).set_alignment(CellAlignment::Right));
        row.push(match measurement.is_passed() {
            true => Cell::new("✔ pass").fg(Color::Green),
            false => Cell::new("✘ FAIL").fg(Color::Red),
        });
        table.add_row(row);
    }
    table
}

/// A figure; in brackets if the answer it belongs to is wrong.
fn figure(time: &EngineTime, value: f64, digits: usize) -> Cell {
    let text = if time.wrong.is_some() { format!("({value:.digits$})") } else { format!("{value:.digits$}") };
    Cell::new(text).set_alignment(CellAlignment::Right)
}

fn wrong_answers(measurements: &[Measurement]) -> Vec<(&str, &EngineTime)> {
    let times =
        measurements.iter().flat_map(|measurement| measurement.engines.iter().map(|time| (measurement.scene, time)));
    times.filter(|(_, time)| time.wrong.is_some()).collect()
}

fn write_json(path: &Path, measurements: &[Measurement]) -> Result<(), Error> {
    let fail = |reason: String| Error::Write { path: path.to_owned(), reason };
    let text = serde_json::to_string_pretty(measurements).map_err(|error| fail(error.to_string()))?;
    std::fs::write(path, text + "\n").map_err(|error| fail(error.to_string()))
}
