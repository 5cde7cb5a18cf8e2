//! Shapes as a fixture writes them.

use crate::number::{Num, Num3, zero3};
use crate::pose::Turn;
use serde::Deserialize;
use std::path::PathBuf;

mod grid;
mod ground;
mod mesh_flag;
mod solid;

pub use grid::{GridSpec, ReliefSpec};
pub use mesh_flag::MeshFlag;
pub use solid::{Library, Part, wheel};

/// A shape. Lengths are in the fixture's length unit, angles in degrees.
///
/// Most shapes make one collider; `Tiles`, `Patchwork`, `Blocks`, `MeshTiles` and `Heightfield` make one for each piece.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Shape {
    /// One of the fixture's or the variant's `shapes`, by name.
    Named(String),
    /// A ball.
    Ball {
        /// Its radius.
        radius: Num,
    },
    /// A box.
    Cuboid {
        /// Half of its extents.
        half: Num3,
    },
    /// A box with rounded edges.
    RoundCuboid {
        /// Half of the extents of the box inside the border.
        half: Num3,
        /// The border's radius, added on every side.
        border: Num,
    },
    /// A capsule.
    Capsule {
        /// Half of the length of its segment.
        half_height: Num,
        /// Its radius.
        radius: Num,
        /// The direction of its segment.
        #[serde(default)]
        axis: Axis,
    },
    /// A cylinder.
    Cylinder {
        /// Half of its height.
        half_height: Num,
        /// Its radius.
        radius: Num,
        /// The direction of its height.
        #[serde(default)]
        axis: Axis,
    },
    /// A cylinder with rounded edges.
    RoundCylinder {
        /// Half of the height inside the border.
        half_height: Num,
        /// The radius inside the border.
        radius: Num,
        /// The border's radius.
        border: Num,
        /// The direction of its height.
        #[serde(default)]
        axis: Axis,
    },
    /// A cone.
    Cone {
        /// Half of its height.
        half_height: Num,
        /// The radius of its base.
        radius: Num,
        /// The direction from its base to its tip.
        #[serde(default)]
        axis: Axis,
    },
    /// A cone with rounded edges.
    RoundCone {
        /// Half of the height inside the border.
        half_height: Num,
        /// The radius of the base inside the border.
        radius: Num,
        /// The border's radius.
        border: Num,
        /// The direction from its base to its tip.
        #[serde(default)]
        axis: Axis,
    },
    /// The convex hull of points.
    Hull {
        /// At least four points that are not in one plane.
        points: Vec<Num3>,
    },
    /// A regular prism as a convex hull, its axis along z, a corner at the bottom: a wheel made of flat facets.
    Wheel {
        /// The number of its facets, at least 3.
        sides: Num,
        /// From its axis to its corners.
        radius: Num,
        /// Half of its width.
        half_width: Num,
    },
    /// A single triangle.
    Triangle {
        /// First corner.
        a: Num3,
        /// Second corner.
        b: Num3,
        /// Third corner.
        c: Num3,
    },
    /// A line of segments.
    Polyline {
        /// Its corners, in order.
        vertices: Vec<Num3>,
    },
    /// Several convex shapes as one.
    Compound {
        /// The children.
        parts: Vec<Child>,
        /// Sets `CompoundFlags::FIX_INTERNAL_EDGES`.
        #[serde(default)]
        fix_internal_edges: bool,
    },
    /// Everything behind a plane through the origin.
    HalfSpace {
        /// Out of the solid.
        normal: Num3,
    },
    /// A triangle mesh written out.
    Mesh {
        /// The corners.
        vertices: Vec<Num3>,
        /// Three corners a triangle, counter-clockwise seen from outside.
        indices: Vec<(u32, u32, u32)>,
        /// What the mesh is prepared for.
        #[serde(default)]
        flags: Vec<MeshFlag>,
    },
    /// A triangle mesh from a Wavefront file.
    Obj {
        /// The file, relative to the fixture.
        path: PathBuf,
        /// Every coordinate is multiplied by this.
        #[serde(default = "one")]
        scale: Num,
        /// What the mesh is prepared for.
        #[serde(default)]
        flags: Vec<MeshFlag>,
    },
    /// A grid mesh: x from 0 on, z symmetrically about 0, y the height.
    Grid {
        /// The grid.
        grid: GridSpec,
        /// What the mesh is prepared for.
        #[serde(default)]
        flags: Vec<MeshFlag>,
        /// The way its faces look.
        #[serde(default)]
        winding: Winding,
    },
    /// A grid cut along x into meshes, one collider each.
    MeshTiles {
        /// The number of meshes.
        count: Num,
        /// The grid of *one* mesh; the relief runs on from each to the next.
        grid: GridSpec,
        /// What the meshes are prepared for.
        #[serde(default)]
        flags: Vec<MeshFlag>,
        /// The way the faces look.
        #[serde(default)]
        winding: Winding,
    },
    /// A grid as heightfields, one or several in a row along x. Jitter and random diagonals do not apply.
    Heightfield {
        /// The grid of one heightfield.
        grid: GridSpec,
        /// The number of heightfields.
        #[serde(default = "one")]
        count: Num,
        /// Sets `HeightFieldFlags::FIX_INTERNAL_EDGES`.
        #[serde(default)]
        fix_internal_edges: bool,
    },
    /// Flush boxes side by side, one collider each: x from 0 on, z symmetrically about 0, the top at y = 0.
    Tiles {
        /// How many along x and along z.
        count: (Num, Num),
        /// Half of the extents of one tile.
        half: Num3,
        /// Shifts every other row by half a tile along x, as bricks are laid.
        #[serde(default)]
        brick_bond: bool,
        /// What a tile is.
        #[serde(default)]
        made_of: TileKind,
    },
    /// A rectangle cut at random into boxes that are flush, one collider each: x from 0 on, z symmetrically about 0, the
    /// top at y = 0. See [`crate::patchwork::Patchwork`].
    Patchwork {
        /// The rectangle's extents along x and along z.
        extent: (Num, Num),
        /// No box is shorter than this, along x or along z.
        shortest: Num,
        /// The thickness of the boxes.
        thickness: Num,
        /// The seed of the cuts.
        #[serde(default = "one")]
        seed: Num,
        /// What a box is.
        #[serde(default)]
        made_of: TileKind,
    },
    /// Boxes of one size in the cells of a lattice, one collider each. See [`crate::blocks::Blocks`].
    Blocks {
        /// The extents of one box.
        size: Num3,
        /// Filled blocks: first and last cell, both included.
        blocks: Vec<Block>,
        /// What a box is.
        #[serde(default)]
        made_of: TileKind,
    },
    /// The solid that a named [`Shape::Blocks`] makes up, as one closed mesh without anything inside.
    OneMesh {
        /// The name.
        of: String,
        /// What the mesh is prepared for.
        #[serde(default)]
        flags: Vec<MeshFlag>,
    },
    /// A line in the xy plane, extruded along z into one mesh, its faces looking up.
    Profile {
        /// The corners (x, y) of the line.
        points: Vec<(Num, Num)>,
        /// The extent along z, symmetrically about 0.
        width: Num,
        /// The largest side of a cell.
        #[serde(default = "one")]
        cell: Num,
        /// What the mesh is prepared for.
        #[serde(default)]
        flags: Vec<MeshFlag>,
        /// The way its faces look.
        #[serde(default)]
        winding: Winding,
    },
    /// Flat ground, a ramp, and flat ground again at its end, as one mesh: a [`Shape::Profile`].
    Ramp {
        /// The flat run before the ramp, from x = 0.
        run: Num,
        /// \[degrees] The ramp's angle, upwards; negative for a way down.
        angle: Num,
        /// The length of the ramp along its slope.
        length: Num,
        /// The flat run after the ramp.
        plateau: Num,
        /// The extent along z.
        width: Num,
        /// The largest side of a cell.
        #[serde(default = "one")]
        cell: Num,
        /// What the mesh is prepared for.
        #[serde(default)]
        flags: Vec<MeshFlag>,
    },
    /// Flat ground with a step, as one mesh: a [`Shape::Profile`].
    Curb {
        /// The flat run before the step, from x = 0.
        run: Num,
        /// The step's height; negative for a step down.
        height: Num,
        /// The flat run after the step.
        plateau: Num,
        /// The extent along z.
        width: Num,
        /// The largest side of a cell.
        #[serde(default = "one")]
        cell: Num,
        /// What the mesh is prepared for.
        #[serde(default)]
        flags: Vec<MeshFlag>,
    },
    /// Boxes of voxels.
    Voxels {
        /// The extents of one voxel.
        size: Num3,
        /// Filled blocks: first and last voxel, both included.
        blocks: Vec<Block>,
    },
}

/// A block of voxels or cells: its first and its last one, both included.
pub type Block = (Voxel, Voxel);

/// The lattice coordinates of a voxel or cell.
pub type Voxel = (i32, i32, i32);

/// A child of a compound.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Child {
    /// Its shape; convex.
    pub shape: Shape,
    /// Its place in the compound.
    #[serde(default = "zero3")]
    pub translation: Num3,
    /// Its rotation in the compound.
    #[serde(default)]
    pub rotation: Turn,
}

/// What the boxes of [`Shape::Tiles`] and its like are.
#[derive(Copy, Clone, Debug, Default, Deserialize, PartialEq, Eq)]
pub enum TileKind {
    /// Cuboids.
    #[default]
    Cuboids,
    /// The same boxes as convex hulls.
    Hulls,
    /// The same boxes as closed meshes with `FIX_INTERNAL_EDGES`.
    Meshes,
    /// Cuboids, as the children of a single compound.
    Compound,
    /// A cuboid, a hull and a closed mesh by turns.
    Mixed,
}

/// A direction of a round shape.
#[derive(Copy, Clone, Debug, Default, Deserialize, PartialEq, Eq)]
pub enum Axis {
    /// Along x.
    X,
    /// Along y.
    #[default]
    Y,
    /// Along z.
    Z,
}

/// The way the faces of generated ground look.
#[derive(Copy, Clone, Debug, Default, Deserialize, PartialEq, Eq)]
pub enum Winding {
    /// Upwards.
    #[default]
    Up,
    /// Downwards: the same triangles with their corners in the opposite order.
    Down,
}

fn one() -> Num {
    Num::new(1.0)
}
