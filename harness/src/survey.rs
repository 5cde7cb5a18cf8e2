//! What a diagnosis finds in a level file, and a picture of where it is.

use crate::error::Error;
use crate::level::Object;
use crate::picture::{Area, write_svg};
use crate::plot::{INK, text};
use plotters::prelude::*;
use rapier3d::prelude::*;
use rapier3d_persistent_contacts::{Diagnosis, Fault, Inspection, Repair, Subject, prepare_level_upright};
use std::path::Path;

/// A level as colliders without bodies, with what is wrong with it.
pub struct Survey {
    names: Vec<String>,
    handles: Vec<ColliderHandle>,
    up: Vector,
    colliders: ColliderSet,
    /// What was found.
    pub findings: Vec<Diagnosis>,
}

/// What became of a level that was prepared.
pub struct Prepared {
    /// What was mended.
    pub repairs: Vec<Repair>,
    /// What was found afterwards.
    pub left: Vec<Diagnosis>,
}

impl Survey {
    /// Makes a collider of each object, with these flags, and looks it over. `up` points up in the level.
    ///
    /// # Errors
    /// A mesh that parry refuses.
    pub fn new(objects: &[Object], flags: TriMeshFlags, up: Vector) -> Result<Self, Error> {
        let mut colliders = ColliderSet::new();
        let mut handles = Vec::new();
        for Object { name, mesh } in objects {
            let collider = ColliderBuilder::trimesh_with_flags(mesh.vertices.clone(), mesh.indices.clone(), flags);
            let collider = collider.map_err(|reason| Error::Request(format!("parry refuses `{name}`: {reason}")))?;
            handles.push(colliders.insert(collider));
        }
        let names = objects.iter().map(|object| object.name.clone()).collect();
        let findings = diagnose(&colliders, up);
        Ok(Self { names, handles, up, colliders, findings })
    }

    /// The name of the object that a finding or a repair concerns.
    pub fn name(&self, subject: Subject) -> &str {
        let number = self.handles.iter().position(|handle| Subject::Collider(*handle) == subject);
        number.map_or("?", |number| &self.names[number])
    }

    /// Has `prepare_level` mend it, and looks it over again.
    pub fn prepare(&mut self) -> Prepared {
        let repairs = prepare_level_upright(&mut self.colliders, self.up);
        Prepared { repairs, left: diagnose(&self.colliders, self.up) }
    }

    /// Writes a picture of the edges concerned as an SVG, seen from above, over all edges of the level.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn draw(&self, title: &str, path: &Path) -> Result<(), Error> {
        write_svg(path, SIZE, |root| self.draw_on(root, title))
    }

    fn draw_on(&self, root: &Area, title: &str) -> Result<(), Box<dyn std::error::Error>> {
        root.fill(&WHITE)?;
        let groups = self.groups();
        let (head, body) = root.split_vertically(HEAD + ROW * groups.len().max(1) as u32);
        head.draw(&Text::new(format!("{title}, seen from above"), (24, 18), text(24)))?;
        if groups.is_empty() {
            head.draw(&Text::new("nothing was found".to_owned(), (24, HEAD as i32), text(16)))?;
        }
        for (row, group) in groups.iter().enumerate() {
            let y = (HEAD + ROW * row as u32) as i32;
            head.draw(&PathElement::new([(24, y + 8), (56, y + 8)], group.color.stroke_width(3)))?;
            let drawn = group.edges.len().min(MOST_EDGES);
            let left_out = group.edges.len() - drawn;
            let note = if left_out > 0 { format!(", {left_out} not drawn") } else { String::new() };
            let edges = if group.edges.len() == 1 { "edge" } else { "edges" };
            let entry = format!("{}: {} {edges}{note}", group.name, group.edges.len());
            head.draw(&Text::new(entry, (68, y), text(16)))?;
        }

        let level = self.level_edges();
        let (right, away) = self.axes();
        let flat = |end: &Vector| (f64::from(end.dot(right)), f64::from(end.dot(away)));
        let ends = level.iter().chain(groups.iter().flat_map(|group| group.edges.iter())).flatten().map(flat);
        let frame = Frame::around(ends.filter(|(x, y)| x.is_finite() && y.is_finite()), body.dim_in_pixel());
        let mut chart = ChartBuilder::on(&body)
            .margin(MARGIN)
            .x_label_area_size(LABELS)
            .y_label_area_size(LABELS)
            .build_cartesian_2d(frame.x.clone(), frame.y.clone())?;
        let mut mesh = chart.configure_mesh();
        mesh.disable_mesh().axis_style(INK.mix(0.6)).label_style(text(14)).axis_desc_style(text(16));
        mesh.x_desc(axis_name(right)).y_desc(axis_name(away)).draw()?;
        let is_drawn = |edge: &&[Vector; 2]| edge.iter().all(|end| end.is_finite());
        let line = |edge: &[Vector; 2], color: RGBColor, width: u32| {
            PathElement::new(edge.iter().map(flat).collect::<Vec<_>>(), color.stroke_width(width))
        };
        chart.draw_series(level.iter().filter(is_drawn).map(|edge| line(edge, LEVEL, 1)))?;
        for group in &groups {
            let edges = group.edges.iter().take(MOST_EDGES).filter(is_drawn);
            chart.draw_series(edges.map(|edge| line(edge, group.color, 2)))?;
        }
        Ok(())
    }

    /// Two directions that span the plan of the level: to the right, and away from who looks at it.
    fn axes(&self) -> (Vector, Vector) {
        // Along the axes for levels that stand along them: x to the right for y and z up, y to the right for x up.
        let right = if self.up.x.abs() > 0.9 { Vector::Y } else { Vector::X };
        (right, self.up.cross(right).normalize_or_zero())
    }

    /// The edges of all triangles; none where there are too many for a picture.
    fn level_edges(&self) -> Vec<[Vector; 2]> {
        let meshes = || self.colliders.iter().filter_map(|(_, collider)| collider.shape().as_trimesh());
        if 3 * meshes().map(|mesh| mesh.indices().len()).sum::<usize>() > MOST_EDGES {
            return Vec::new();
        }
        let sides = |mesh: &TriMesh| {
            let sides = mesh.triangles().flat_map(|triangle| {
                let [a, b, c] = [triangle.a, triangle.b, triangle.c];
                [[a, b], [b, c], [c, a]]
            });
            sides.collect::<Vec<_>>()
        };
        meshes().flat_map(sides).collect()
    }

    /// The edges of all findings, by what is wrong with them.
    fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for finding in self.findings.iter().filter(|finding| !finding.edges.is_empty()) {
            let (name, color) = look(&finding.fault);
            match groups.iter_mut().find(|group| group.name == name) {
                Some(group) => group.edges.extend(&finding.edges),
                None => groups.push(Group { name, color, edges: finding.edges.clone() }),
            }
        }
        // What concerns most edges comes first, and is drawn over by the rest.
        groups.sort_by_key(|group| std::cmp::Reverse(group.edges.len()));
        groups
    }
}

const SIZE: (u32, u32) = (1200, 900);
/// Height of the title.
const HEAD: u32 = 60;
/// Height of a line of the legend.
const ROW: u32 = 24;
const MARGIN: u32 = 20;
const LABELS: u32 = 50;
/// More lines than this make a picture that no viewer opens.
const MOST_EDGES: usize = 20_000;

/// What lies in no finding.
const LEVEL: RGBColor = RGBColor(196, 202, 208);

/// Which axis of the level a direction of the plan is.
fn axis_name(direction: Vector) -> String {
    let axes = [("x", Vector::X), ("y", Vector::Y), ("z", Vector::Z)];
    let axis = axes.iter().find(|(_, axis)| direction.dot(*axis).abs() > 0.9);
    axis.map_or_else(String::new, |(name, axis)| {
        let sign = if direction.dot(*axis) < 0.0 { "-" } else { "" };
        format!("{sign}{name}")
    })
}

/// Edges with the same fault.
struct Group {
    name: &'static str,
    color: RGBColor,
    edges: Vec<[Vector; 2]>,
}

/// What the edges of a fault are called, and their colour.
fn look(fault: &Fault) -> (&'static str, RGBColor) {
    match fault {
        Fault::MissingEdgeFlag { .. } => ("ridden across, without the edge flag", RGBColor(70, 130, 190)),
        Fault::SplitVertices { .. } => ("split vertices", RGBColor(220, 130, 20)),
        Fault::InconsistentWinding { .. } => ("winding changes", RGBColor(190, 40, 60)),
        Fault::WrongWinding { .. } => ("wound the wrong way", RGBColor(150, 60, 170)),
        Fault::DegenerateTriangles { .. } => ("triangles without an area", RGBColor(20, 140, 90)),
        Fault::DuplicateTriangles { .. } => ("triangles there twice", RGBColor(120, 90, 40)),
        _ => ("others", INK),
    }
}

/// The ranges of a plan with the same scale along both axes.
struct Frame {
    x: std::ops::Range<f64>,
    y: std::ops::Range<f64>,
}

impl Frame {
    fn around(points: impl Iterator<Item = (f64, f64)>, pixels: (u32, u32)) -> Self {
        let start = ((f64::INFINITY, f64::INFINITY), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        let (least, most) = points
            .fold(start, |(least, most), (x, y)| ((least.0.min(x), least.1.min(y)), (most.0.max(x), most.1.max(y))));
        if least.0 > most.0 {
            return Self { x: 0.0..1.0, y: 0.0..1.0 };
        }
        let room = 2 * MARGIN + LABELS;
        let (width, height) = (f64::from(pixels.0.saturating_sub(room)), f64::from(pixels.1.saturating_sub(room)));
        // A twentieth of air around it; never nothing.
        let scale = ((most.0 - least.0) / width).max((most.1 - least.1) / height).max(1e-6) * 1.05;
        let range = |least: f64, most: f64, pixels: f64| {
            let (middle, half) = ((least + most) / 2.0, scale * pixels / 2.0);
            middle - half..middle + half
        };
        Self { x: range(least.0, most.0, width), y: range(least.1, most.1, height) }
    }
}

fn diagnose(colliders: &ColliderSet, up: Vector) -> Vec<Diagnosis> {
    let bodies = RigidBodySet::new();
    Inspection { gravity: -up, ..Inspection::new(&bodies, colliders) }.diagnose()
}
