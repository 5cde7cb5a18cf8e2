//! Ground: grids, tiles, profiles, heightfields, voxels and mesh files.

use super::solid::{Library, Part, positive3, trimesh};
use super::{Block, GridSpec, MeshFlag, ReliefSpec, Shape, TileKind, Winding};
use crate::blocks::Blocks;
use crate::error::Fault;
use crate::number::{Num, Values, vector};
use crate::patchwork::{Patch, Patchwork};
use crate::terrain::{Grid, Mesh, Profile, Relief};
use rapier3d::parry::shape::HeightFieldFlags;
use rapier3d::parry::utils::Array2;
use rapier3d::prelude::*;
use std::path::Path;

/// No fixture needs more triangles, and more would only exhaust the memory.
const MAX_CELLS: usize = 1_000_000;

/// The colliders of a ground shape, or `None` if the shape is not ground.
pub(super) fn parts(library: Library, shape: &Shape) -> Result<Option<Vec<Part>>, Fault> {
    let values = library.values;
    Ok(Some(match shape {
        Shape::Obj { path, scale, flags } => {
            let mesh = obj(&library.folder.join(path), scale.real(values)?)?;
            one(trimesh(mesh, flags)?)
        }
        Shape::Grid { grid, flags, winding } => one(wound(grid_plan(grid, 1, values)?.mesh(), *winding, flags)?),
        Shape::MeshTiles { count, grid, flags, winding } => {
            let count = at_least_one(count, values, "count")?;
            let pieces = grid_plan(grid, count, values)?.pieces(count);
            let shapes = pieces.into_iter().map(|mesh| wound(mesh, *winding, flags));
            shapes.map(|shape| Ok((Pose::IDENTITY, shape?))).collect::<Result<_, Fault>>()?
        }
        Shape::Heightfield { grid, count, fix_internal_edges } => {
            let count = at_least_one(count, values, "count")?;
            heightfields(&grid_plan(grid, count, values)?, count, *fix_internal_edges)
        }
        Shape::Tiles { count, half, brick_bond, made_of } => {
            let (along, across) = (at_least_one(&count.0, values, "count")?, at_least_one(&count.1, values, "count")?);
            let half = positive3(half, values, "half")?;
            made_of.lay(&tiles((along, across), (half, *brick_bond))?)?
        }
        Shape::Patchwork { extent, shortest, thickness, seed, made_of } => {
            let patchwork = Patchwork {
                along: extent.0.positive(values, "extent")?.into(),
                across: extent.1.positive(values, "extent")?.into(),
                shortest: shortest.positive(values, "shortest")?.into(),
                seed: seed.count(values)? as u64,
            };
            made_of.lay(&patches(&patchwork, thickness.positive(values, "thickness")?)?)?
        }
        Shape::Blocks { size, blocks, made_of } => {
            let blocks = lattice(positive3(size, values, "size")?, blocks)?;
            made_of.lay(&blocks.centres().map(|centre| (centre, 0.5 * blocks.size)).collect::<Vec<_>>())?
        }
        Shape::OneMesh { of, flags } => {
            let Some(Shape::Blocks { size, blocks, .. }) = library.shapes.get(of) else {
                return Err(Fault::in_name(of, format!("no shape named `{of}` is a `Blocks`")));
            };
            let surface = lattice(positive3(size, values, "size")?, blocks)?.surface();
            let mesh =
                surface.ok_or_else(|| Fault::in_name(of, "blocks that touch in an edge alone enclose no solid"))?;
            one(trimesh(mesh, flags)?)
        }
        Shape::Profile { points, width, cell, flags, winding } => {
            let points =
                points.iter().map(|(x, y)| Ok((x.get(values)?, y.get(values)?))).collect::<Result<_, Fault>>()?;
            let profile = profile(points, (width, cell), values)?;
            one(wound(profile.mesh(), *winding, flags)?)
        }
        Shape::Ramp { run, angle, length, plateau, width, cell, flags } => {
            let (run, angle, length) = (run.get(values)?, angle.get(values)?.to_radians(), length.get(values)?);
            let (x, y) = (run + length * angle.cos(), length * angle.sin());
            let points = vec![(0.0, 0.0), (run, 0.0), (x, y), (x + plateau.get(values)?, y)];
            one(trimesh(profile(points, (width, cell), values)?.mesh(), flags)?)
        }
        Shape::Curb { run, height, plateau, width, cell, flags } => {
            let (run, height) = (run.get(values)?, height.get(values)?);
            let points = vec![(0.0, 0.0), (run, 0.0), (run, height), (run + plateau.get(values)?, height)];
            one(trimesh(profile(points, (width, cell), values)?.mesh(), flags)?)
        }
        Shape::Voxels { size, blocks } => one(voxels(vector(size, values)?, blocks)?),
        _ => return Ok(None),
    }))
}

fn one(shape: SharedShape) -> Vec<Part> {
    vec![(Pose::IDENTITY, shape)]
}

fn wound(mesh: Mesh, winding: Winding, flags: &[MeshFlag]) -> Result<SharedShape, Fault> {
    let mesh = match winding {
        Winding::Up => mesh,
        Winding::Down => mesh.flipped(),
    };
    trimesh(mesh, flags)
}

/// The plan of a grid that is `repeat` times as long as written.
fn grid_plan(spec: &GridSpec, repeat: usize, values: &Values) -> Result<Grid, Fault> {
    let cells_x = at_least_one(&spec.cells.0, values, "cells")?.saturating_mul(repeat);
    let cells_z = at_least_one(&spec.cells.1, values, "cells")?;
    if cells_x.saturating_mul(cells_z) > MAX_CELLS {
        return Err(Fault::in_field("cells", format!("{cells_x} × {cells_z} cells are more than {MAX_CELLS}")));
    }
    let jitter = spec.jitter.get(values)?;
    if !(0.0..1.0).contains(&jitter) {
        return Err(Fault::in_field("jitter", format!("must be from 0 to below 1, is {jitter}")));
    }
    let relief = match &spec.relief {
        ReliefSpec::Flat => Relief::Flat,
        ReliefSpec::Slope { angle } => Relief::Slope(angle.get(values)?),
        ReliefSpec::Sine { amplitude, wavelength } => Relief::Sine {
            amplitude: amplitude.get(values)?,
            wavelength: wavelength.positive(values, "wavelength")?.into(),
        },
        ReliefSpec::Hills { max_fold } => Relief::Hills { max_fold: max_fold.positive(values, "max_fold")?.into() },
    };
    Ok(Grid {
        cells_x,
        cells_z,
        cell: f64::from(spec.cell.positive(values, "cell")?),
        relief,
        jitter,
        random_diagonals: spec.random_diagonals,
        seed: spec.seed.count(values)? as u64,
    })
}

fn profile(points: Vec<(f64, f64)>, (width, cell): (&Num, &Num), values: &Values) -> Result<Profile, Fault> {
    let (width, cell) = (width.positive(values, "width")?.into(), cell.positive(values, "cell")?.into());
    let length: f64 = points.windows(2).map(|p| (p[1].0 - p[0].0).hypot(p[1].1 - p[0].1)).sum();
    if points.len() < 2 || points.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Fault::in_field("points", "a profile needs at least two points, each different from the last"));
    }
    if length * width / (cell * cell) > MAX_CELLS as f64 {
        return Err(Fault::in_field("cell", format!("the profile has more than {MAX_CELLS} cells")));
    }
    Ok(Profile { points, width, cell })
}

fn heightfields(grid: &Grid, count: usize, fix_internal_edges: bool) -> Vec<Part> {
    // A heightfield's corners are in their places by construction.
    let grid = Grid { jitter: 0.0, ..*grid };
    let heights = grid.heights();
    let (columns, row) = (grid.cells_x / count, grid.cells_z + 1);
    let length = columns as f64 * grid.cell;
    let scale = Vector::new(length as Real, 1.0, (grid.cells_z as f64 * grid.cell) as Real);
    let flags = if fix_internal_edges { HeightFieldFlags::FIX_INTERNAL_EDGES } else { HeightFieldFlags::empty() };
    (0..count)
        .map(|piece| {
            let first = piece * columns * row;
            let own = heights[first..first + (columns + 1) * row].to_vec();
            let shape = SharedShape::heightfield_with_flags(Array2::new(row, columns + 1, own), scale, flags);
            // Parry centres a heightfield on its origin.
            (Pose::translation(((piece as f64 + 0.5) * length) as Real, 0.0, 0.0), shape)
        })
        .collect()
}

/// A box that is to be laid: \[length] its middle and half of its extents.
type Place = (Vector, Vector);

impl TileKind {
    /// One box, the `number`th that is laid.
    fn tile(self, half: Vector, number: usize) -> Result<SharedShape, Fault> {
        let cuboid = Cuboid::new(half);
        match self {
            Self::Cuboids | Self::Compound => Ok(SharedShape::new(cuboid)),
            Self::Hulls => SharedShape::convex_hull(&cuboid.to_trimesh().0)
                .ok_or_else(|| Fault::in_field("made_of", "the box has no hull")),
            Self::Meshes => {
                let (vertices, indices) = cuboid.to_trimesh();
                trimesh(Mesh { vertices, indices }, &[MeshFlag::FixInternalEdges])
            }
            Self::Mixed => [Self::Cuboids, Self::Hulls, Self::Meshes][number % 3].tile(half, number),
        }
    }

    /// The boxes as they are, or as children of a compound. Boxes of one size that follow each other share their shape.
    fn lay(self, places: &[Place]) -> Result<Vec<Part>, Fault> {
        let mut parts: Vec<Part> = Vec::with_capacity(places.len());
        for (number, &(centre, half)) in places.iter().enumerate() {
            // Mixed boxes have their like three places before.
            let like = number.checked_sub(if self == Self::Mixed { 3 } else { 1 });
            let shape = match like.filter(|&like| places[like].1 == half) {
                Some(like) => parts[like].1.clone(),
                None => self.tile(half, number)?,
            };
            parts.push((Pose::from_translation(centre), shape));
        }
        Ok(if self == Self::Compound { one(SharedShape::compound(parts)) } else { parts })
    }
}

/// No fixture needs more boxes.
const MAX_BOXES: usize = MAX_CELLS / 10;

fn tiles((along, across): (usize, usize), (half, brick_bond): (Vector, bool)) -> Result<Vec<Place>, Fault> {
    if along.saturating_mul(across) > MAX_BOXES {
        return Err(Fault::in_field("count", format!("{along} × {across} tiles are more than {MAX_BOXES}")));
    }
    let mut places = Vec::with_capacity(along * across);
    for row in 0..across {
        let shift = if brick_bond && row % 2 == 1 { half.x } else { 0.0 };
        for tile in 0..along {
            let x = (2 * tile + 1) as Real * half.x + shift;
            let z = ((2 * row + 1) as Real - across as Real) * half.z;
            places.push((Vector::new(x, -half.y, z), half));
        }
    }
    Ok(places)
}

fn patches(patchwork: &Patchwork, thickness: Real) -> Result<Vec<Place>, Fault> {
    if patchwork.along * patchwork.across / patchwork.shortest.powi(2) > MAX_BOXES as f64 {
        return Err(Fault::in_field("shortest", format!("it allows more than {MAX_BOXES} patches")));
    }
    let place = |patch: Patch| {
        let ((x0, x1), (z0, z1)) = (patch.x, patch.z);
        let centre = Vector::new(((x0 + x1) / 2.0) as Real, -0.5 * thickness, ((z0 + z1) / 2.0) as Real);
        (centre, Vector::new(((x1 - x0) / 2.0) as Real, 0.5 * thickness, ((z1 - z0) / 2.0) as Real))
    };
    Ok(patchwork.patches().into_iter().map(place).collect())
}

fn lattice(size: Vector, blocks: &[Block]) -> Result<Blocks, Fault> {
    Ok(Blocks { size, cells: filled(blocks)?.into_iter().map(|cell| [cell.x, cell.y, cell.z]).collect() })
}

fn voxels(size: Vector, blocks: &[Block]) -> Result<SharedShape, Fault> {
    if size.min_element() <= 0.0 {
        return Err(Fault::in_field("size", "must be above 0 along every axis"));
    }
    Ok(SharedShape::voxels(size, &filled(blocks)?))
}

/// The cells of blocks; those of blocks that overlap come more than once.
fn filled(blocks: &[Block]) -> Result<Vec<IVector>, Fault> {
    let mut cells = Vec::new();
    for &((x0, y0, z0), (x1, y1, z1)) in blocks {
        let extent = |low: i32, high: i32| (i64::from(high) - i64::from(low) + 1).max(0) as u128;
        if extent(x0, x1) * extent(y0, y1) * extent(z0, z1) + cells.len() as u128 > MAX_CELLS as u128 {
            return Err(Fault::in_field("blocks", format!("more than {MAX_CELLS} cells")));
        }
        for x in x0..=x1 {
            for y in y0..=y1 {
                cells.extend((z0..=z1).map(|z| IVector::new(x, y, z)));
            }
        }
    }
    if cells.is_empty() {
        return Err(Fault::in_field("blocks", "there is no cell in them"));
    }
    Ok(cells)
}

/// The triangles of all objects of a Wavefront file.
fn obj(path: &Path, scale: Real) -> Result<Mesh, Fault> {
    let options = tobj::LoadOptions { triangulate: true, single_index: true, ..Default::default() };
    let fault = |reason: String| Fault::in_field("path", format!("cannot load {}: {reason}", path.display()));
    let (models, _) = tobj::load_obj(path, &options).map_err(|error| fault(error.to_string()))?;
    let mut mesh = Mesh::default();
    for model in &models {
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend(model.mesh.positions.chunks_exact(3).map(|p| Vector::new(p[0], p[1], p[2]) * scale));
        mesh.indices.extend(model.mesh.indices.chunks_exact(3).map(|t| [t[0] + first, t[1] + first, t[2] + first]));
    }
    if mesh.indices.is_empty() { Err(fault("it has no faces".into())) } else { Ok(mesh) }
}

fn at_least_one(number: &Num, values: &Values, field: &str) -> Result<usize, Fault> {
    match number.count(values)? {
        0 => Err(Fault::in_field(field, "must be at least 1")),
        count => Ok(count),
    }
}
