//! The results of a suite as a table for people.

use crate::engine::Engine;
use crate::fixture::Expectation;
use crate::outcome::{CaseOutcome, EngineOutcome, Standing, SuiteOutcome};
use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{Attribute, Cell, Color, ContentArrangement, Table};

/// How many figures a cell shows; the JSON has them all.
const FIGURES: usize = 4;

/// A row a case, a column an engine.
pub fn table(outcome: &SuiteOutcome, engines: &[Engine]) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    let mut header = vec![bold(&outcome.suite)];
    header.extend(engines.iter().map(|engine| bold(engine.name())));
    table.set_header(header);
    for case in &outcome.cases {
        table.add_row(row(case));
    }
    table
}

fn bold(text: &str) -> Cell {
    Cell::new(text).add_attribute(Attribute::Bold)
}

fn row(case: &CaseOutcome) -> Vec<Cell> {
    let name = Cell::new(&case.name);
    let name = if case.is_passed() { name } else { name.fg(Color::Red).add_attribute(Attribute::Bold) };
    std::iter::once(name).chain(case.engines.iter().map(cell)).collect()
}

fn cell(outcome: &EngineOutcome) -> Cell {
    let head = match (outcome.is_clean(), outcome.runs) {
        (true, 1) => "✔ passes".to_owned(),
        (true, runs) => format!("✔ passes all {runs}"),
        (false, 1) => "✘ fails".to_owned(),
        (false, runs) => format!("✘ fails {} of {runs}", outcome.failed_runs),
    };
    let note = match (outcome.standing(), &outcome.expected) {
        (Standing::NowPasses, _) => ", known to fail!",
        (Standing::AsExpected, Some(Expectation::Fails(_))) => ", known",
        _ => "",
    };
    let mut lines = vec![format!("{head}{note}")];
    let figures = outcome.checks.iter().flat_map(|check| &check.worst);
    lines.extend(figures.take(FIGURES).map(|figure| figure.text()));
    let color = match (outcome.standing(), outcome.is_clean()) {
        (Standing::Failed, _) => Color::Red,
        (Standing::NowPasses, _) => Color::Magenta,
        (Standing::Undecided, _) => Color::DarkGrey,
        (Standing::AsExpected, true) => Color::Green,
        (Standing::AsExpected, false) => Color::DarkYellow,
    };
    Cell::new(lines.join("\n")).fg(color)
}
