//! Generated ground: grids with heights, and extruded profiles (ramps, curbs).

use crate::random::Random;
use rapier3d::math::{Real, Vector};
use std::collections::HashMap;

/// A triangle mesh. Its faces are wound so that their normals point up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// The corners, in length units.
    pub vertices: Vec<Vector>,
    /// Three corners a triangle.
    pub indices: Vec<[u32; 3]>,
}

impl Mesh {
    /// The same triangles, wound the other way round.
    pub fn flipped(mut self) -> Self {
        for [_, b, c] in &mut self.indices {
            std::mem::swap(b, c);
        }
        self
    }

    /// The unit normal of each triangle.
    pub fn normals(&self) -> Vec<Vector> {
        let corner = |index: u32| self.vertices[index as usize];
        self.indices
            .iter()
            .map(|&[a, b, c]| (corner(b) - corner(a)).cross(corner(c) - corner(a)).normalize_or_zero())
            .collect()
    }

    /// \[degrees] The largest angle between two triangles that share an edge.
    pub fn max_fold(&self) -> f64 {
        self.max_fold_of(&self.neighbours())
    }

    /// The pairs of triangles that share an edge.
    fn neighbours(&self) -> Vec<(usize, usize)> {
        let mut first_face: HashMap<(u32, u32), usize> = HashMap::new();
        let mut pairs = Vec::with_capacity(self.indices.len() * 3 / 2);
        for (face, &[a, b, c]) in self.indices.iter().enumerate() {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                if let Some(other) = first_face.insert((from.min(to), from.max(to)), face) {
                    pairs.push((other, face));
                }
            }
        }
        pairs
    }

    /// [`Self::max_fold`] for neighbours that are known.
    fn max_fold_of(&self, neighbours: &[(usize, usize)]) -> f64 {
        let normals = self.normals();
        let cosines = neighbours.iter().map(|&(a, b)| normals[a].dot(normals[b]));
        f64::from(cosines.fold(1.0, Real::min).clamp(-1.0, 1.0)).acos().to_degrees()
    }
}

/// How high a grid is at each of its corners.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Relief {
    /// Zero everywhere.
    Flat,
    /// Rises along +x by this many degrees.
    Slope(f64),
    /// A wave along x.
    Sine {
        /// \[length] Crest above zero.
        amplitude: f64,
        /// \[length] Crest to crest.
        wavelength: f64,
    },
    /// Random heights at the corners, as rough as the largest fold between neighbouring triangles allows.
    Hills {
        /// \[degrees] The largest angle between two triangles that share an edge.
        max_fold: f64,
    },
}

/// A grid of square cells, two triangles each. It spans x from 0 to `cells_x · cell`, and z symmetrically about 0.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Grid {
    /// Cells along x.
    pub cells_x: usize,
    /// Cells along z.
    pub cells_z: usize,
    /// \[length] The side of a cell.
    pub cell: f64,
    /// The heights of the corners.
    pub relief: Relief,
    /// How far an inner corner may be off its place along x and z, as a fraction of the cell; below 1. Where that would
    /// turn a triangle over, its corners go less far.
    pub jitter: f64,
    /// Picks the diagonal of each cell at random, instead of the same for all.
    pub random_diagonals: bool,
    /// The seed of everything random.
    pub seed: u64,
}

impl Grid {
    /// \[cell²] A triangle with less area than this counts as turned over: a hundred times what rounding makes of the
    /// coordinates of a grid of a hundred metres. One of a regular grid has 0.5.
    const LEAST_AREA: f64 = 1.0e-3;

    /// The corners, row by row along z: corner (i, j) has index `i * (cells_z + 1) + j`.
    fn corners(&self, indices: &[[u32; 3]]) -> Vec<Vector> {
        // Corners of a triangle that is turned over go half as far, until none is. Without jitter none is, and a corner
        // that went down by 2⁻⁵³ is in its place.
        let mut shares = vec![self.jitter; (self.cells_x + 1) * (self.cells_z + 1)];
        loop {
            let corners = self.jittered(&shares);
            let mut is_over = false;
            for triangle in indices {
                let [a, b, c] = triangle.map(|index| corners[index as usize]);
                let up = f64::from((b - a).cross(c - a).y) / (self.cell * self.cell);
                if up < 2.0 * Self::LEAST_AREA {
                    is_over = true;
                    triangle.iter().for_each(|&index| shares[index as usize] *= 0.5);
                }
            }
            if !is_over {
                return corners;
            }
        }
    }

    /// The corners, each off its place by up to its share of a cell.
    fn jittered(&self, shares: &[f64]) -> Vec<Vector> {
        let mut random = Random::new(self.seed);
        let mut corners = Vec::with_capacity((self.cells_x + 1) * (self.cells_z + 1));
        for i in 0..=self.cells_x {
            for j in 0..=self.cells_z {
                // All four draws are made for every corner, so that switching one kind of randomness off leaves the
                // others as they were.
                let (dx, dz, height) = (random.signed(), random.signed(), random.unit());
                let inner = i > 0 && i < self.cells_x && j > 0 && j < self.cells_z;
                let jitter = if inner { shares[corners.len()] } else { 0.0 };
                let x = (i as f64 + dx * jitter) * self.cell;
                let z = (j as f64 - self.cells_z as f64 / 2.0 + dz * jitter) * self.cell;
                let y = match self.relief {
                    Relief::Flat => 0.0,
                    Relief::Slope(degrees) => x * degrees.to_radians().tan(),
                    Relief::Sine { amplitude, wavelength } => {
                        amplitude * (x * std::f64::consts::TAU / wavelength).sin()
                    }
                    Relief::Hills { .. } => height * self.cell,
                };
                corners.push(Vector::new(x as Real, y as Real, z as Real));
            }
        }
        corners
    }

    /// The whole grid as one mesh.
    pub fn mesh(&self) -> Mesh {
        let mut random = Random::new(self.seed ^ 0xD1A6);
        let mut indices = Vec::with_capacity(self.cells_x * self.cells_z * 2);
        let row = self.cells_z + 1;
        for i in 0..self.cells_x {
            for j in 0..self.cells_z {
                let corner = |di: usize, dj: usize| ((i + di) * row + j + dj) as u32;
                let (a, b, c, d) = (corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0));
                let other_diagonal = self.random_diagonals && random.bits() & 1 == 1;
                indices.extend(if other_diagonal { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] });
            }
        }
        let mesh = Mesh { vertices: self.corners(&indices), indices };
        match self.relief {
            Relief::Hills { max_fold } => flatten_to(mesh, max_fold),
            _ => mesh,
        }
    }

    /// The grid cut along x into `count` meshes of equal length, whose shared corners are the same to the bit.
    pub fn pieces(&self, count: usize) -> Vec<Mesh> {
        let whole = self.mesh();
        let (columns, row) = (self.cells_x / count, self.cells_z + 1);
        (0..count)
            .map(|piece| {
                let first_corner = piece * columns * row;
                let vertices = whole.vertices[first_corner..first_corner + (columns + 1) * row].to_vec();
                let first_triangle = piece * columns * self.cells_z * 2;
                let triangles = &whole.indices[first_triangle..first_triangle + columns * self.cells_z * 2];
                let indices = triangles.iter().map(|t| t.map(|index| index - first_corner as u32)).collect();
                Mesh { vertices, indices }
            })
            .collect()
    }

    /// The heights of the corners for a heightfield: rows along z, columns along x, the columns one after the other.
    pub fn heights(&self) -> Vec<Real> {
        self.mesh().vertices.iter().map(|corner| corner.y).collect()
    }
}

/// Scales the heights of a mesh until no two neighbouring triangles are folded by more than `max_fold` degrees.
fn flatten_to(mesh: Mesh, max_fold: f64) -> Mesh {
    let scaled = |scale: Real| {
        let vertices = mesh.vertices.iter().map(|v| Vector::new(v.x, v.y * scale, v.z)).collect();
        Mesh { vertices, indices: mesh.indices.clone() }
    };
    let neighbours = mesh.neighbours();
    // Bisection: `low` always satisfies the limit, flat ground to begin with.
    let (mut low, mut high): (Real, Real) = (0.0, 4.0);
    let mut best = scaled(low);
    for _ in 0..24 {
        let middle = 0.5 * (low + high);
        let candidate = scaled(middle);
        if candidate.max_fold_of(&neighbours) <= max_fold {
            (low, best) = (middle, candidate);
        } else {
            high = middle;
        }
    }
    best
}

/// A line in the xy plane, extruded along z and divided into square-like cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// \[length] The corners (x, y) of the line, in order along +x, so that the faces look up.
    pub points: Vec<(f64, f64)>,
    /// \[length] The extent along z, symmetrically about 0.
    pub width: f64,
    /// \[length] The largest side of a cell.
    pub cell: f64,
}

impl Profile {
    /// The profile as one mesh.
    pub fn mesh(&self) -> Mesh {
        let mut line = Vec::new();
        for pair in self.points.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let parts = divisions((x1 - x0).hypot(y1 - y0), self.cell);
            line.extend((0..parts).map(|part| {
                let share = part as f64 / parts as f64;
                (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share)
            }));
        }
        line.extend(self.points.last());
        let across = divisions(self.width, self.cell);
        let mut mesh = Mesh::default();
        for &(x, y) in &line {
            for j in 0..=across {
                let z = (j as f64 / across as f64 - 0.5) * self.width;
                mesh.vertices.push(Vector::new(x as Real, y as Real, z as Real));
            }
        }
        for i in 0..line.len().saturating_sub(1) {
            for j in 0..across {
                let corner = |di: usize, dj: usize| ((i + di) * (across + 1) + j + dj) as u32;
                let (a, b, c, d) = (corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0));
                mesh.indices.extend([[a, b, c], [a, c, d]]);
            }
        }
        mesh
    }
}

/// Into how many parts a length is divided so that none exceeds `cell`, up to a rounding error.
fn divisions(length: f64, cell: f64) -> usize {
    ((length / cell - 1.0e-6).ceil() as usize).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: Grid = Grid {
        cells_x: 12,
        cells_z: 6,
        cell: 0.5,
        relief: Relief::Flat,
        jitter: 0.0,
        random_diagonals: false,
        seed: 3,
    };

    #[test]
    fn grids_look_up_and_flipped_ones_down() {
        let jittered = Grid { jitter: 0.4, random_diagonals: true, ..GRID };
        let hills = Grid { relief: Relief::Hills { max_fold: 25.0 }, ..jittered };
        for grid in [GRID, jittered, hills] {
            let mesh = grid.mesh();
            assert_eq!(mesh.indices.len(), 12 * 6 * 2);
            assert!(mesh.normals().iter().all(|n| n.y > 0.0), "{grid:?}");
            assert!(mesh.flipped().normals().iter().all(|n| n.y < 0.0), "{grid:?}");
        }
    }

    #[test]
    fn no_jitter_turns_a_triangle_over() {
        for seed in 0..50 {
            let mesh = Grid { jitter: 0.99, random_diagonals: true, seed, ..GRID }.mesh();
            assert!(mesh.normals().iter().all(|n| n.y > 0.99), "seed {seed}");
            // Flat, without a hole and without an overlap: the triangles' areas add up to that of the grid.
            let corner = |index: u32| mesh.vertices[index as usize];
            let area = |&[a, b, c]: &[u32; 3]| 0.5 * (corner(b) - corner(a)).cross(corner(c) - corner(a)).length();
            let area: Real = mesh.indices.iter().map(area).sum();
            assert!((area - 18.0).abs() < 1.0e-3, "seed {seed}: {area}");
            // And it is still jitter: some corner is off by more than half a cell.
            let regular = Grid { seed, ..GRID }.mesh();
            let off = mesh.vertices.iter().zip(&regular.vertices).map(|(a, b)| a.distance(*b));
            assert!(off.fold(0.0, Real::max) > 0.25, "seed {seed}");
        }
    }

    #[test]
    fn hills_are_as_rough_as_allowed_and_no_rougher() {
        for max_fold in [5.0, 15.0, 29.0] {
            for seed in 0..5 {
                let grid = Grid { relief: Relief::Hills { max_fold }, jitter: 0.3, seed, ..GRID };
                let fold = grid.mesh().max_fold();
                assert!(fold <= max_fold && fold > 0.9 * max_fold, "{fold}° of {max_fold}°");
            }
        }
    }

    #[test]
    fn the_relief_is_where_it_should_be() {
        let slope = Grid { relief: Relief::Slope(45.0), ..GRID }.mesh();
        assert!(slope.vertices.iter().all(|v| (v.y - v.x).abs() < 1.0e-5));
        assert!(slope.max_fold() < 0.1);
        let wave = Grid { relief: Relief::Sine { amplitude: 0.2, wavelength: 2.0 }, ..GRID }.mesh();
        let crest = wave.vertices.iter().fold(0.0, |crest: Real, v| crest.max(v.y));
        assert!((crest - 0.2).abs() < 1.0e-6, "{crest}");
    }

    #[test]
    fn jitter_moves_inner_corners_only_and_keeps_the_area() {
        let mesh = Grid { jitter: 0.45, ..GRID }.mesh();
        let on_border = mesh.vertices.iter().filter(|v| v.x == 0.0 || v.x == 6.0 || v.z.abs() == 1.5).count();
        assert_eq!(on_border, 2 * (13 + 7) - 4);
        assert!(mesh.normals().iter().all(|n| n.y > 0.99));
    }

    #[test]
    fn pieces_share_their_corners_to_the_bit() {
        let grid = Grid { jitter: 0.4, relief: Relief::Hills { max_fold: 10.0 }, ..GRID };
        let pieces = grid.pieces(3);
        assert_eq!(pieces.len(), 3);
        for pair in pieces.windows(2) {
            assert_eq!(pair[0].vertices[4 * 7..], pair[1].vertices[..7]);
        }
        let triangles: usize = pieces.iter().map(|piece| piece.indices.len()).sum();
        assert_eq!(triangles, grid.mesh().indices.len());
        assert!(pieces.iter().all(|p| p.indices.iter().flatten().all(|&i| (i as usize) < p.vertices.len())));
    }

    #[test]
    fn a_profile_climbs_with_its_faces_outwards() {
        let step = Profile { points: vec![(0.0, 0.0), (2.0, 0.0), (2.0, 0.1), (4.0, 0.1)], width: 2.0, cell: 1.0 };
        let mesh = step.mesh();
        assert_eq!(mesh.indices.len(), (2 + 1 + 2) * 2 * 2);
        // The riser looks back along the way, everything else up.
        assert!(mesh.normals().iter().all(|n| n.y > 0.99 || n.x < -0.99), "{:?}", mesh.normals());
        assert!((mesh.max_fold() - 90.0).abs() < 1.0e-3);
    }
}
