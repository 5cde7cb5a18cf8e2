//! Binary glTF: the triangles of a scene's nodes.

use super::{Object, name_or_number};
use crate::terrain::Mesh;
use gltf::mesh::Mode;
use rapier3d::math::Vector;

/// Deeper trees than this are taken for a node that contains itself.
const MAX_DEPTH: usize = 200;

/// Where a node puts things: three columns and a translation.
#[derive(Copy, Clone)]
struct Place {
    columns: [Vector; 3],
    translation: Vector,
}

impl Place {
    const ORIGIN: Self = Self { columns: [Vector::X, Vector::Y, Vector::Z], translation: Vector::ZERO };

    /// From the columns of a 4 × 4 matrix, as the format writes it.
    fn of(matrix: [[f32; 4]; 4]) -> Self {
        let [x, y, z, at] = matrix.map(|[x, y, z, _]| Vector::new(x, y, z));
        Self { columns: [x, y, z], translation: at }
    }

    fn turn(&self, vector: Vector) -> Vector {
        self.columns[0] * vector.x + self.columns[1] * vector.y + self.columns[2] * vector.z
    }

    fn point(&self, point: Vector) -> Vector {
        self.turn(point) + self.translation
    }

    fn then(&self, inner: &Self) -> Self {
        Self { columns: inner.columns.map(|column| self.turn(column)), translation: self.point(inner.translation) }
    }

    fn is_mirror(&self) -> bool {
        self.columns[0].cross(self.columns[1]).dot(self.columns[2]) < 0.0
    }
}

/// The objects of a binary glTF file: one for each primitive of each node.
pub(super) fn objects(bytes: &[u8]) -> Result<Vec<Object>, String> {
    let file = gltf::Gltf::from_slice(bytes).map_err(|error| error.to_string())?;
    let scene = file.default_scene().or_else(|| file.scenes().next()).ok_or("it has no scene")?;
    let mut collection = Collection { blob: file.blob.as_deref(), objects: Vec::new() };
    for node in scene.nodes() {
        collection.add(&node, Place::ORIGIN, 0)?;
    }
    Ok(collection.objects)
}

struct Collection<'a> {
    blob: Option<&'a [u8]>,
    objects: Vec<Object>,
}

impl Collection<'_> {
    fn add(&mut self, node: &gltf::Node, parent: Place, depth: usize) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return Err("its nodes are nested without an end".into());
        }
        let place = parent.then(&Place::of(node.transform().matrix()));
        for primitive in node.mesh().into_iter().flat_map(|mesh| mesh.primitives().collect::<Vec<_>>()) {
            // Lines, points, strips and fans are not what levels are made of.
            if primitive.mode() == Mode::Triangles {
                let name = node.name().or_else(|| node.mesh().and_then(|mesh| mesh.name()));
                let name = name_or_number(name, self.objects.len());
                let mesh = self.mesh(&primitive, place).ok_or_else(|| format!("`{name}` has no data in this file"))?;
                self.objects.push(Object { name, mesh });
            }
        }
        node.children().try_for_each(|child| self.add(&child, place, depth + 1))
    }

    fn mesh(&self, primitive: &gltf::Primitive, place: Place) -> Option<Mesh> {
        let reader = primitive.reader(|buffer| match buffer.source() {
            gltf::buffer::Source::Bin => self.blob,
            gltf::buffer::Source::Uri(_) => None,
        });
        let vertices: Vec<_> = reader.read_positions()?.map(|[x, y, z]| place.point(Vector::new(x, y, z))).collect();
        let flat: Vec<u32> = match reader.read_indices() {
            Some(indices) => indices.into_u32().collect(),
            // Without indices the vertices are the corners, one after the other.
            None => (0..vertices.len() as u32).collect(),
        };
        let turned = |[a, b, c]: [u32; 3]| if place.is_mirror() { [a, c, b] } else { [a, b, c] };
        let indices = flat.chunks_exact(3).map(|corners| turned([corners[0], corners[1], corners[2]])).collect();
        Some(Mesh { vertices, indices })
    }
}
