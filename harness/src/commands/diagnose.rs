//! `cargo fixtures diagnose`

use clap::{Args, ValueEnum};
use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{Attribute, Cell, ContentArrangement, Table};
use persistent_contacts_fixtures::error::Error;
use persistent_contacts_fixtures::level;
use persistent_contacts_fixtures::survey::Survey;
use rapier3d::geometry::TriMeshFlags;
use rapier3d::math::{Real, Vector};
use rapier3d_persistent_contacts::{Diagnosis, Subject};
use std::path::PathBuf;

/// What to look over, and how.
#[derive(Args)]
pub struct Arguments {
    /// The level: .obj, .stl or .glb. Each object is taken for a mesh collider of its own.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The edge flag that the game makes the colliders with.
    #[arg(long, value_enum, default_value = "none")]
    edge_flag: EdgeFlag,
    /// The axis that points up.
    #[arg(long, value_enum, default_value = "y")]
    up: Up,
    /// Every coordinate is multiplied by this, as the game does it.
    #[arg(long, default_value = "1")]
    scale: Real,
    /// The picture's file. Default: the level's name in the current directory.
    #[arg(long, value_name = "FILE.svg")]
    out: Option<PathBuf>,
}

#[derive(Copy, Clone, ValueEnum)]
enum EdgeFlag {
    /// As in `ColliderBuilder::trimesh`.
    None,
    /// `TriMeshFlags::FIX_INTERNAL_EDGES`
    OneSided,
    /// `TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED`
    TwoSided,
}

#[derive(Copy, Clone, ValueEnum)]
enum Up {
    X,
    Y,
    Z,
}

/// Prints the findings and what `prepare_level` makes of them, and writes a picture; true if nothing was found.
pub fn diagnose(arguments: &Arguments) -> Result<bool, Error> {
    let Arguments { file, edge_flag, up, scale, out } = arguments;
    if !(*scale > 0.0 && scale.is_finite()) {
        return Err(Error::Request(format!("--scale is {scale}, but must be above 0 and finite")));
    }
    let mut objects = level::load(file)?;
    let vertices = objects.iter_mut().flat_map(|object| &mut object.mesh.vertices);
    vertices.for_each(|vertex| *vertex *= *scale);
    let flags = match edge_flag {
        EdgeFlag::None => TriMeshFlags::empty(),
        EdgeFlag::OneSided => TriMeshFlags::FIX_INTERNAL_EDGES,
        EdgeFlag::TwoSided => TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED,
    };
    let up = match up {
        Up::X => Vector::X,
        Up::Y => Vector::Y,
        Up::Z => Vector::Z,
    };
    let mut survey = Survey::new(&objects, flags, up)?;
    let triangles: usize = objects.iter().map(|object| object.mesh.indices.len()).sum();
    println!("{}: {} objects, {triangles} triangles", file.display(), objects.len());
    if !survey.findings.is_empty() {
        print(&survey, &survey.findings);
    }
    println!("\n{} found", survey.findings.len());

    let name = file.file_stem().map_or_else(|| "level".into(), |stem| stem.to_string_lossy());
    let out = out.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.svg")));
    survey.draw(&name, &out)?;
    println!("picture: {}", out.display());

    let is_healthy = survey.findings.is_empty();
    if !is_healthy {
        let prepared = survey.prepare();
        println!("\nprepare_level would do this, and leave {} to find:", prepared.left.len());
        for repair in &prepared.repairs {
            println!("  {}: {}", survey.name(Subject::Collider(repair.collider)), repair.kind);
        }
        if !prepared.left.is_empty() {
            print(&survey, &prepared.left);
        }
    }
    Ok(is_healthy)
}

/// Columns of a table that goes into a file; a terminal has its own width.
const WIDTH: u16 = 120;

/// Prints the findings as a table, and below it the calls that mend them, each in one line to be copied.
fn print(survey: &Survey, findings: &[Diagnosis]) {
    let mut table = Table::new();
    table.load_style(UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    if !table.is_tty() {
        table.set_width(WIDTH);
    }
    let bold = |text: &str| Cell::new(text).add_attribute(Attribute::Bold);
    table.set_header(["", "object", "what is wrong", "what it will cause"].map(bold));
    for (number, finding) in (1..).zip(findings) {
        let (name, cause) = (survey.name(finding.subject).to_owned(), finding.consequence().to_owned());
        table.add_row([number.to_string(), name, finding.fault.to_string(), cause]);
    }
    println!("{table}\n\nwhat mends it, with `collider` for that of the object:");
    for (number, finding) in (1..).zip(findings) {
        println!("  {number}  {}", finding.mend().replace(&finding.subject.to_string(), "collider"));
    }
}
