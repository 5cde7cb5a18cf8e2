//! Solid ground of boxes of one size, laid in the cells of a lattice.

use crate::terrain::Mesh;
use rapier3d::math::{Real, Vector};
use std::collections::{BTreeSet, HashMap};

/// The coordinates of a cell, or of a corner of cells, along x, y and z.
pub type Cell = [i32; 3];

/// Filled cells of a lattice. Cell (i, j, k) reaches from (i, j, k) to (i + 1, j + 1, k + 1), times the size of a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocks {
    /// \[length] The extents of a cell.
    pub size: Vector,
    /// Those that are filled.
    pub cells: BTreeSet<Cell>,
}

impl Blocks {
    /// \[length] The middle of each filled cell.
    pub fn centres(&self) -> impl Iterator<Item = Vector> {
        self.cells.iter().map(|cell| (Vector::from(cell.map(|at| at as Real)) + 0.5) * self.size)
    }

    /// The surface of all of it as one closed mesh, whose faces look outwards: two triangles for every side of a filled
    /// cell that no filled cell lies against.
    ///
    /// None if it is empty, or if cells touch in an edge alone: what is outside and inside there has no answer.
    pub fn surface(&self) -> Option<Mesh> {
        let mut mesh = Mesh::default();
        let mut corners: HashMap<Cell, u32> = HashMap::new();
        for &cell in &self.cells {
            for (axis, outwards) in (0..3).flat_map(|axis| [(axis, -1), (axis, 1)]) {
                let mut beyond = cell;
                beyond[axis] += outwards;
                if self.cells.contains(&beyond) {
                    continue;
                }
                let quad = side(cell, axis, outwards).map(|corner| {
                    *corners.entry(corner).or_insert_with(|| {
                        mesh.vertices.push(Vector::from(corner.map(|at| at as Real)) * self.size);
                        mesh.vertices.len() as u32 - 1
                    })
                });
                mesh.indices.extend([[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]);
            }
        }
        (!mesh.indices.is_empty() && is_closed(&mesh)).then_some(mesh)
    }
}

/// The corners of a side of a cell, counter-clockwise seen from outside.
fn side(cell: Cell, axis: usize, outwards: i32) -> [Cell; 4] {
    // The two other axes, in the order in which their cross product is this one.
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let corner = |(along_u, along_v): (i32, i32)| {
        let mut corner = cell;
        corner[axis] += outwards.max(0);
        corner[u] += along_u;
        corner[v] += along_v;
        corner
    };
    let around = [(0, 0), (1, 0), (1, 1), (0, 1)].map(corner);
    if outwards > 0 { around } else { [around[0], around[3], around[2], around[1]] }
}

/// Does each edge have two triangles, which run along it in opposite directions?
fn is_closed(mesh: &Mesh) -> bool {
    let mut edges: HashMap<(u32, u32), u32> = HashMap::new();
    for &[a, b, c] in &mesh.indices {
        for edge in [(a, b), (b, c), (c, a)] {
            *edges.entry(edge).or_default() += 1;
        }
    }
    edges.iter().all(|((a, b), count)| *count == 1 && edges.contains_key(&(*b, *a)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(cells: &[Cell]) -> Blocks {
        Blocks { size: Vector::new(0.5, 0.2, 1.0), cells: cells.iter().copied().collect() }
    }

    /// \[length³] By the divergence theorem: a sixth of the sum of all determinants, if the faces look outwards.
    fn volume(mesh: &Mesh) -> Real {
        let corner = |index: u32| mesh.vertices[index as usize];
        mesh.indices.iter().map(|&[a, b, c]| corner(a).dot(corner(b).cross(corner(c)))).sum::<Real>() / 6.0
    }

    #[test]
    fn the_surface_encloses_all_cells_and_has_nothing_inside() {
        // An L of three cells has 14 sides outside, and each cell holds 0.1.
        let corner = blocks(&[[0, 0, 0], [1, 0, 0], [0, 1, 0]]);
        let mesh = corner.surface().expect("a closed surface");
        assert_eq!(mesh.indices.len(), 2 * 14);
        assert!((volume(&mesh) - 0.3).abs() < 1.0e-6, "{}", volume(&mesh));
        // 27 cells: only the 6 · 9 sides of the cube are outside.
        let cube: Vec<Cell> = (0..27).map(|n| [n % 3 - 1, n / 3 % 3, n / 9]).collect();
        let mesh = blocks(&cube).surface().expect("a closed surface");
        assert_eq!(mesh.indices.len(), 2 * 54);
        assert!((volume(&mesh) - 2.7).abs() < 1.0e-5, "{}", volume(&mesh));
    }

    #[test]
    fn boxes_are_where_the_surface_is() {
        let one = blocks(&[[2, -1, 3]]);
        assert_eq!(one.centres().collect::<Vec<_>>(), [Vector::new(1.25, -0.1, 3.5)]);
        let mesh = one.surface().expect("a closed surface");
        let middle = mesh.vertices.iter().copied().sum::<Vector>() / 8.0;
        assert!(middle.distance(Vector::new(1.25, -0.1, 3.5)) < 1.0e-6, "{middle}");
    }

    #[test]
    fn cells_that_touch_in_an_edge_have_no_surface() {
        assert_eq!(blocks(&[[0, 0, 0], [1, 1, 0]]).surface(), None);
        assert_eq!(blocks(&[]).surface(), None);
    }
}
