//! The way of a body through its scene as a picture, seen along z.

use crate::case::{Case, Run};
use crate::engine::Engine;
use crate::error::{Error, Fault};
use crate::picture::{Area, write_svg};
use crate::plot::{FAINT, INK, OURS, SIZE, STOCK, TITLE_HEIGHT, text};
use crate::recording::Recording;
use plotters::prelude::*;
use rapier3d::prelude::{Pose, SharedShape, Vector};
use std::path::Path;

/// A round outline is drawn with so many corners.
const CORNERS: usize = 48;

/// The part of the picture's width that stays free around what is drawn.
const MARGIN: f64 = 0.06;

type Point = (f64, f64);

/// The ways of one run, with stock Rapier and with this project's step.
pub struct Track {
    title: String,
    subtitle: String,
    ways: [Way; 2],
}

/// What happened with one engine.
struct Way {
    points: Vec<Point>,
    /// The outlines of everything else at the start, and of what has moved at the end.
    outlines: [Vec<Vec<Point>>; 2],
}

impl Track {
    /// Runs a case with stock Rapier and with this project's step.
    ///
    /// # Errors
    /// A fixture at fault, or a body that is not there.
    pub fn take(case: &Case, run: &Run, body: &str) -> Result<Self, Fault> {
        let way = |engine| Way::take(&Recording::make(case, run, engine, &[])?, body);
        let label = run.label();
        let label = if label.is_empty() { String::new() } else { format!(" at {label}") };
        Ok(Self {
            title: format!("{}{label}", case.name()),
            subtitle: case.file.fixture.describe.clone(),
            ways: [way(Engine::Stock)?, way(Engine::Persistent)?],
        })
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
        let panels = body.split_evenly((1, 2));
        for ((panel, way), look) in panels.iter().zip(&self.ways).zip([STOCK, OURS]) {
            let (width, height) = panel.dim_in_pixel();
            let (x, y) = self.ranges(f64::from(width) / f64::from(height));
            let mut chart =
                ChartBuilder::on(panel).margin(20).caption(look.label, text(18)).build_cartesian_2d(x, y)?;
            let [start, end] = &way.outlines;
            chart.draw_series(start.iter().map(|outline| Polygon::new(outline.clone(), FAINT.filled())))?;
            chart.draw_series(
                start.iter().map(|outline| PathElement::new(outline.clone(), INK.mix(0.5).stroke_width(1))),
            )?;
            chart.draw_series(end.iter().map(|outline| PathElement::new(outline.clone(), INK.stroke_width(2))))?;
            chart.draw_series(LineSeries::new(way.points.iter().copied(), look.color.stroke_width(2)))?;
            chart.draw_series(way.points.iter().map(|point| Circle::new(*point, 2, look.color.filled())))?;
        }
        Ok(())
    }

    /// The part of the scene that is shown, equal lengths along both axes: everything but the way of a body that left.
    fn ranges(&self, aspect: f64) -> (std::ops::Range<f64>, std::ops::Range<f64>) {
        let points = self.ways.iter().flat_map(|way| way.outlines.iter().flatten().flatten());
        let start = (f64::INFINITY, f64::NEG_INFINITY);
        let bounds = |values: &mut dyn Iterator<Item = f64>| values.fold(start, |(a, b), v| (a.min(v), b.max(v)));
        let (left, right) = bounds(&mut points.clone().map(|point| point.0));
        let (bottom, top) = bounds(&mut points.map(|point| point.1));
        let half = (0.5 + MARGIN) * (right - left).max((top - bottom) * aspect);
        let (x, y) = (0.5 * (left + right), 0.5 * (bottom + top));
        (x - half..x + half, y - half / aspect..y + half / aspect)
    }
}

impl Way {
    fn take(recording: &Recording, body: &str) -> Result<Self, Fault> {
        let body = recording.body(body)?;
        let point = |place: Vector| (f64::from(place.x), f64::from(place.y));
        let points = recording.frames.iter().map(|frame| point(frame[body].pose.translation)).collect();
        let mut outlines = [Vec::new(), Vec::new()];
        for (index, solids) in recording.solids.iter().enumerate().filter(|(index, _)| *index != body) {
            let (start, end) = (recording.frames[0][index].pose, recording.frames[recording.last_step()][index].pose);
            outlines[0].extend(solids.iter().map(|(local, shape)| outline(shape, &(start * *local))));
            if start != end {
                outlines[1].extend(solids.iter().map(|(local, shape)| outline(shape, &(end * *local))));
            }
        }
        Ok(Self { points, outlines })
    }
}

/// The closed line around a shape: balls and cuboids as they are, others by their box.
fn outline(shape: &SharedShape, pose: &Pose) -> Vec<Point> {
    let corner = |x: f32, y: f32| *pose * Vector::new(x, y, 0.0);
    let mut corners: Vec<Vector> = if let Some(ball) = shape.as_ball() {
        let angle = |index: usize| std::f32::consts::TAU * index as f32 / CORNERS as f32;
        (0..CORNERS).map(|index| corner(ball.radius * angle(index).cos(), ball.radius * angle(index).sin())).collect()
    } else if let Some(cuboid) = shape.as_cuboid() {
        let half = cuboid.half_extents;
        vec![corner(-half.x, -half.y), corner(half.x, -half.y), corner(half.x, half.y), corner(-half.x, half.y)]
    } else {
        let (low, high) = {
            let aabb = shape.compute_aabb(pose);
            (aabb.mins, aabb.maxs)
        };
        [(low.x, low.y), (high.x, low.y), (high.x, high.y), (low.x, high.y)]
            .map(|(x, y)| Vector::new(x, y, 0.0))
            .to_vec()
    };
    corners.extend(corners.first().copied());
    corners.iter().map(|corner| (f64::from(corner.x), f64::from(corner.y))).collect()
}
