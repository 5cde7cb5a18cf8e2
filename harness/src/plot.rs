//! The advance of every step as a picture.

use crate::case::{Case, Run};
use crate::check::judge::shown;
use crate::check::{Check, Yardstick, advance_ratios};
use crate::engine::Engine;
use crate::error::{Error, Fault};
use crate::picture::{Area, write_svg};
use crate::recording::Recording;
use plotters::prelude::*;
use std::path::Path;

/// How an engine's line looks, and what it is called.
#[derive(Copy, Clone)]
pub(crate) struct Look {
    engine: Engine,
    pub(crate) label: &'static str,
    pub(crate) color: RGBColor,
}

const OFF: Look = Look { engine: Engine::Off, label: "CCD off", color: RGBColor(70, 76, 84) };
pub(crate) const STOCK: Look = Look { engine: Engine::Stock, label: "Rapier as it is", color: RGBColor(200, 80, 30) };
pub(crate) const OURS: Look =
    Look { engine: Engine::Persistent, label: "with persistent contacts", color: RGBColor(20, 110, 160) };

pub(crate) const INK: RGBColor = RGBColor(38, 44, 52);
const LIMIT: RGBColor = RGBColor(170, 40, 60);
pub(crate) const FAINT: RGBColor = RGBColor(226, 230, 234);
pub(crate) const SIZE: (u32, u32) = (1200, 760);
pub(crate) const TITLE_HEIGHT: u32 = 84;
const HEAD_HEIGHT: u32 = 36;

/// A step below this share of speed · dt is bad, as everywhere in the suites.
const BAD: f64 = 0.9;

/// The ratios of one run, engine by engine.
pub struct Picture {
    title: String,
    subtitle: String,
    ratios: Vec<(Engine, Vec<(usize, f64)>)>,
}

impl Picture {
    /// Runs a case with every engine and measures a body's advance. The speed and the direction are those of the
    /// fixture's first `AdvanceRatio` check of that body, if there is one.
    ///
    /// # Errors
    /// A fixture at fault, or a body that is not there.
    pub fn take(case: &Case, run: &Run, body: &str) -> Result<Self, Fault> {
        let checks = &case.file.fixture.checks;
        let yardstick = checks.iter().find_map(|check| match check {
            Check::AdvanceRatio { body: name, speed, along, .. } if name == body => {
                Some(Yardstick::new(speed.as_ref(), along.as_ref(), &run.values))
            }
            _ => None,
        });
        let yardstick = yardstick.transpose()?.unwrap_or_default();
        let mut ratios = Vec::new();
        for &engine in Engine::ALL {
            let recording = Recording::make(case, run, engine, &[])?;
            let index = recording.body(body)?;
            ratios.push((engine, advance_ratios(&recording, index, yardstick, 1..=recording.last_step())));
        }
        let label = run.label();
        let label = if label.is_empty() { String::new() } else { format!(" at {label}") };
        Ok(Self { title: format!("{}{label}", case.name()), subtitle: case.file.fixture.describe.clone(), ratios })
    }

    /// Writes the picture as an SVG.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        write_svg(path, SIZE, |root| self.draw(root))
    }

    fn draw(&self, root: &Area) -> Result<(), Box<dyn std::error::Error>> {
        root.fill(&WHITE)?;
        let (head, body) = root.split_vertically(TITLE_HEIGHT);
        head.draw(&Text::new(self.title.clone(), (28, 18), text(26)))?;
        head.draw(&Text::new(self.subtitle.clone(), (28, 52), text(16)))?;
        let panels = body.split_evenly((2, 1));
        self.panel(&panels[0], STOCK, false)?;
        self.panel(&panels[1], OURS, true)?;
        Ok(())
    }

    /// One engine, with CCD off as a thin line behind it.
    fn panel(&self, area: &Area, look: Look, is_last: bool) -> Result<(), Box<dyn std::error::Error>> {
        let (head, area) = area.split_vertically(HEAD_HEIGHT);
        let points = self.points(look.engine);
        Self::legend(&head, look, &points)?;
        let all = self.ratios.iter().flat_map(|(_, ratios)| ratios);
        let (last, low, high) = all.fold((1, 0.0_f64, 1.1_f64), |(last, low, high), &(step, ratio)| {
            (last.max(step), low.min(ratio), high.max(ratio))
        });
        // Far outliers would flatten everything else; they leave the picture at its edge.
        let (low, high) = (low.max(-1.0), (high + 0.08).min(2.5));
        let mut chart = ChartBuilder::on(&area)
            .margin_left(18)
            .margin_right(30)
            .margin_top(8)
            .margin_bottom(8)
            .x_label_area_size(if is_last { 52 } else { 34 })
            .y_label_area_size(64)
            .build_cartesian_2d(0.0..last as f64 + 1.0, low..high)?;
        let mut mesh = chart.configure_mesh();
        mesh.axis_style(INK.mix(0.6)).bold_line_style(FAINT).light_line_style(TRANSPARENT).label_style(text(15));
        mesh.axis_desc_style(text(16)).y_desc("advance / (speed · dt)").x_labels(12).y_labels(6);
        if is_last {
            mesh.x_desc("step");
        }
        mesh.x_label_formatter(&|x| format!("{x:.0}")).y_label_formatter(&|y| format!("{y:.1}")).draw()?;
        let limit = [(0.0, BAD), (last as f64 + 1.0, BAD)];
        chart.draw_series(DashedLineSeries::new(limit, 6, 5, LIMIT.stroke_width(1)))?;
        chart.draw_series(LineSeries::new(points.clone(), look.color.stroke_width(3)))?;
        let bad = points.into_iter().filter(|(_, ratio)| *ratio < BAD);
        chart.draw_series(bad.map(|point| Circle::new(point, 4, look.color.filled())))?;
        // On top, so that it shows where both are the same.
        chart.draw_series(LineSeries::new(self.points(OFF.engine), OFF.color.stroke_width(1)))?;
        Ok(())
    }

    /// What the lines of a panel are, and its figures in words.
    fn legend(head: &Area, look: Look, points: &[(f64, f64)]) -> Result<(), Box<dyn std::error::Error>> {
        let bad = points.iter().filter(|(_, ratio)| *ratio < BAD).count();
        let worst = points.iter().map(|(_, ratio)| *ratio).fold(f64::INFINITY, f64::min);
        let figures = format!("{}: {bad} of {} steps bad, the worst {}", look.label, points.len(), shown(worst));
        let row = HEAD_HEIGHT as i32 / 2;
        let entry = |x: i32, label: String, color: RGBColor, width: u32| {
            head.draw(&PathElement::new([(x, row), (x + 28, row)], color.stroke_width(width)))?;
            head.draw(&Text::new(label, (x + 38, row - 8), text(16)))
        };
        entry(84, figures, look.color, 3)?;
        entry(810, OFF.label.into(), OFF.color, 1)?;
        let right = 950;
        let dashes = (0..3).map(|dash| right + 10 * dash);
        for x in dashes {
            head.draw(&PathElement::new([(x, row), (x + 6, row)], LIMIT.stroke_width(1)))?;
        }
        head.draw(&Text::new("bad below 0.9".to_owned(), (right + 38, row - 8), text(16)))?;
        Ok(())
    }

    fn points(&self, engine: Engine) -> Vec<(f64, f64)> {
        let ratios = self.ratios.iter().find(|(other, _)| *other == engine);
        ratios.map_or_else(Vec::new, |(_, ratios)| ratios.iter().map(|(step, ratio)| (*step as f64, *ratio)).collect())
    }
}

pub(crate) fn text(size: u32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&INK)
}
