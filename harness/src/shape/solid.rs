//! From a fixture's shape to the engine's.

use super::{Axis, Child, MeshFlag, Shape, ground};
use crate::error::Fault;
use crate::number::{Num, Num3, Values, direction, vector};
use crate::pose::pose;
use crate::terrain::Mesh;
use rapier3d::parry::shape::{Compound, CompoundFlags};
use rapier3d::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;

/// A shape of the engine, and its pose in the collider that asked for it.
pub type Part = (Pose, SharedShape);

/// What the shapes of one run refer to.
#[derive(Copy, Clone, Debug)]
pub struct Library<'a> {
    /// The named shapes of the fixture, overridden by those of the variant.
    pub shapes: &'a BTreeMap<String, Shape>,
    /// The named numbers.
    pub values: &'a Values,
    /// The folder of the fixture, where mesh files are looked for.
    pub folder: &'a Path,
}

/// How deep named shapes may refer to each other, so that a circle of names is an error and not a crash.
const MAX_NAMED: usize = 8;

impl Library<'_> {
    /// The colliders that a shape makes, one part each.
    ///
    /// # Errors
    /// A number, name or file that is at fault.
    pub fn parts(self, shape: &Shape) -> Result<Vec<Part>, Fault> {
        let shape = self.resolve(shape)?;
        match ground::parts(self, shape)? {
            Some(parts) => Ok(parts),
            None => Ok(vec![self.solid(shape)?]),
        }
    }

    /// Follows names to the shape they stand for.
    fn resolve<'s>(&'s self, mut shape: &'s Shape) -> Result<&'s Shape, Fault> {
        for _ in 0..MAX_NAMED {
            let Shape::Named(name) = shape else { return Ok(shape) };
            shape = self.shapes.get(name).ok_or_else(|| {
                Fault::in_name(name, format!("no shape is named `{name}`, neither by the fixture nor by its variant"))
            })?;
        }
        Err(Fault::in_field("shapes", "named shapes refer to each other in a circle"))
    }

    /// A shape that is one solid.
    fn solid(self, shape: &Shape) -> Result<Part, Fault> {
        let values = self.values;
        let positive = |number: &Num, field| number.positive(values, field);
        let shape = match shape {
            Shape::Ball { radius } => SharedShape::ball(positive(radius, "radius")?),
            Shape::Cuboid { half } => {
                let half = positive3(half, values, "half")?;
                SharedShape::cuboid(half.x, half.y, half.z)
            }
            Shape::RoundCuboid { half, border } => {
                let half = positive3(half, values, "half")?;
                SharedShape::round_cuboid(half.x, half.y, half.z, positive(border, "border")?)
            }
            Shape::Capsule { half_height, radius, axis } => {
                let (half_height, radius) = (positive(half_height, "half_height")?, positive(radius, "radius")?);
                match axis {
                    Axis::X => SharedShape::capsule_x(half_height, radius),
                    Axis::Y => SharedShape::capsule_y(half_height, radius),
                    Axis::Z => SharedShape::capsule_z(half_height, radius),
                }
            }
            Shape::Cylinder { half_height, radius, axis } => {
                let shape = SharedShape::cylinder(positive(half_height, "half_height")?, positive(radius, "radius")?);
                return Ok((along(*axis), shape));
            }
            Shape::RoundCylinder { half_height, radius, border, axis } => {
                let (half_height, radius) = (positive(half_height, "half_height")?, positive(radius, "radius")?);
                let shape = SharedShape::round_cylinder(half_height, radius, positive(border, "border")?);
                return Ok((along(*axis), shape));
            }
            Shape::Cone { half_height, radius, axis } => {
                let shape = SharedShape::cone(positive(half_height, "half_height")?, positive(radius, "radius")?);
                return Ok((along(*axis), shape));
            }
            Shape::RoundCone { half_height, radius, border, axis } => {
                let (half_height, radius) = (positive(half_height, "half_height")?, positive(radius, "radius")?);
                let shape = SharedShape::round_cone(half_height, radius, positive(border, "border")?);
                return Ok((along(*axis), shape));
            }
            Shape::Hull { points } => hull(&vectors(points, values)?, "points")?,
            Shape::Wheel { sides, radius, half_width } => {
                let points =
                    wheel(sides.count(values)?, positive(radius, "radius")?, positive(half_width, "half_width")?);
                hull(&points, "sides")?
            }
            Shape::Triangle { a, b, c } => {
                SharedShape::triangle(vector(a, values)?, vector(b, values)?, vector(c, values)?)
            }
            Shape::Polyline { vertices } => {
                let vertices = vectors(vertices, values)?;
                if vertices.len() < 2 {
                    return Err(Fault::in_field("vertices", "a polyline needs at least 2"));
                }
                SharedShape::polyline(vertices, None)
            }
            Shape::Compound { parts, fix_internal_edges } => self.compound(parts, *fix_internal_edges)?,
            Shape::HalfSpace { normal } => SharedShape::halfspace(direction(normal, values, "normal")?),
            Shape::Mesh { vertices, indices, flags } => {
                let indices = indices.iter().map(|&(a, b, c)| [a, b, c]).collect();
                trimesh(Mesh { vertices: vectors(vertices, values)?, indices }, flags)?
            }
            // Everything else is ground, or a name that was followed already.
            _ => return Err(Fault::in_field("shape", "ground cannot be used here")),
        };
        Ok((Pose::IDENTITY, shape))
    }

    fn compound(self, children: &[Child], fix_internal_edges: bool) -> Result<SharedShape, Fault> {
        let mut parts = Vec::new();
        for child in children {
            let place = pose(&child.translation, &child.rotation, self.values)?;
            for (local, shape) in self.parts(&child.shape)? {
                // Parry's compounds panic on a child that is composite itself.
                if shape.as_composite_shape().is_some() {
                    return Err(Fault::in_field("parts", "the children of a compound must be convex"));
                }
                parts.push((place * local, shape));
            }
        }
        if parts.is_empty() {
            return Err(Fault::in_field("parts", "a compound needs at least one child"));
        }
        let flags = if fix_internal_edges { CompoundFlags::FIX_INTERNAL_EDGES } else { CompoundFlags::empty() };
        Ok(SharedShape::new(Compound::with_flags(parts, flags, None)))
    }
}

/// A mesh as an engine's shape.
pub(super) fn trimesh(mesh: Mesh, flags: &[MeshFlag]) -> Result<SharedShape, Fault> {
    let corners = mesh.vertices.len();
    if mesh.indices.is_empty() {
        return Err(Fault::in_field("indices", "a mesh needs at least one triangle"));
    }
    if let Some(index) = mesh.indices.iter().flatten().find(|index| **index as usize >= corners) {
        return Err(Fault::in_field("indices", format!("corner {index} does not exist, there are {corners}")));
    }
    let flags = flags.iter().fold(TriMeshFlags::empty(), |all, flag| all | flag.bits());
    SharedShape::trimesh_with_flags(mesh.vertices, mesh.indices, flags)
        .map_err(|reason| Fault::in_field("indices", format!("parry refuses the mesh: {reason}")))
}

/// The corners of a regular prism about z, with a corner at the bottom.
pub fn wheel(sides: usize, radius: Real, half_width: Real) -> Vec<Vector> {
    (0..sides)
        .flat_map(|side| {
            let angle = std::f64::consts::TAU * side as f64 / sides as f64;
            let (x, y) = (angle.sin() as Real * radius, -angle.cos() as Real * radius);
            [Vector::new(x, y, -half_width), Vector::new(x, y, half_width)]
        })
        .collect()
}

fn hull(points: &[Vector], field: &str) -> Result<SharedShape, Fault> {
    let low = points.iter().copied().reduce(Vector::min).unwrap_or_default();
    let high = points.iter().copied().reduce(Vector::max).unwrap_or_default();
    // Parry panics on some flat inputs instead of refusing them.
    if points.len() < 4 || (high - low).min_element() <= 0.0 {
        return Err(Fault::in_field(field, "a hull needs at least four points that are not in one plane"));
    }
    SharedShape::convex_hull(points).ok_or_else(|| Fault::in_field(field, "parry finds no hull of these points"))
}

/// The pose that turns a shape along y into one along the axis.
fn along(axis: Axis) -> Pose {
    let quarter = std::f64::consts::FRAC_PI_2 as Real;
    match axis {
        Axis::X => Pose::rotation(Vector::Z * -quarter),
        Axis::Y => Pose::IDENTITY,
        Axis::Z => Pose::rotation(Vector::X * quarter),
    }
}

pub(super) fn positive3(numbers: &Num3, values: &Values, field: &str) -> Result<Vector, Fault> {
    let component = |number: &Num| number.positive(values, field);
    Ok(Vector::new(component(&numbers.0)?, component(&numbers.1)?, component(&numbers.2)?))
}

fn vectors(numbers: &[Num3], values: &Values) -> Result<Vec<Vector>, Fault> {
    numbers.iter().map(|numbers| vector(numbers, values)).collect()
}
