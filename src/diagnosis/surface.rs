//! A triangle mesh as a surface: its triangles by the places of their corners, and the edges between them.

use super::weld::Weld;
use rapier3d::math::{Real, Vector};
use rapier3d::parry::shape::TriMesh;
use std::collections::HashMap;

/// The triangles of a mesh that make a surface, apart from those that do not.
pub(super) struct Surface {
    /// The corners, each place once; in the mesh's frame.
    pub points: Vec<Vector>,
    /// The sound triangles, by the places of their corners.
    pub triangles: Vec<[u32; 3]>,
    /// Triangles without an area: their corners.
    pub degenerate: Vec<[Vector; 3]>,
    /// Triangles that are there already, wound either way: their corners.
    pub duplicate: Vec<[Vector; 3]>,
    /// How many of the duplicates are wound against the triangle that they repeat.
    pub back_to_back: usize,
    /// The sides of all sound triangles, those of one edge next to each other.
    sides: Vec<Side>,
}

/// A side of a triangle.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Side {
    /// The places of its two ends, the lower number first.
    pub ends: [u32; 2],
    /// The triangle, as a number of [`Surface::triangles`].
    pub triangle: u32,
    /// Does the triangle's winding go from the first end to the second?
    pub is_forward: bool,
    /// The mesh's own numbers of the two ends.
    pub corners: [u32; 2],
}

impl Surface {
    /// The surface of a mesh.
    pub fn new(mesh: &TriMesh) -> Self {
        let Weld { points, place, tolerance } = Weld::new(mesh.vertices());
        let mut surface = Self {
            points,
            triangles: Vec::with_capacity(mesh.indices().len()),
            degenerate: Vec::new(),
            duplicate: Vec::new(),
            back_to_back: 0,
            sides: Vec::with_capacity(3 * mesh.indices().len()),
        };
        // Only ever looked up, so its order is of no consequence.
        let mut known: HashMap<[u32; 3], u32> = HashMap::with_capacity(mesh.indices().len());
        for corners in mesh.indices() {
            let triangle = corners.map(|corner| place[corner as usize]);
            let [a, b, c] = triangle;
            if a == b || b == c || c == a || surface.is_flat(triangle, tolerance) {
                surface.degenerate.push(surface.corners(triangle));
                continue;
            }
            let mut key = triangle;
            key.sort_unstable();
            if let Some(&first) = known.get(&key) {
                surface.back_to_back += usize::from(!is_same_winding(surface.triangles[first as usize], triangle));
                surface.duplicate.push(surface.corners(triangle));
                continue;
            }
            let number = surface.triangles.len() as u32;
            known.insert(key, number);
            surface.triangles.push(triangle);
            for from in 0..3 {
                let to = (from + 1) % 3;
                let is_forward = triangle[from] < triangle[to];
                let (low, high) = if is_forward { (from, to) } else { (to, from) };
                surface.sides.push(Side {
                    ends: [triangle[low], triangle[high]],
                    triangle: number,
                    is_forward,
                    corners: [corners[low], corners[high]],
                });
            }
        }
        surface.sides.sort_unstable();
        surface
    }

    /// Is the triangle no higher than the tolerance of places, or not finite?
    fn is_flat(&self, triangle: [u32; 3], tolerance: Real) -> bool {
        let [a, b, c] = self.corners(triangle);
        let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
        let twice_area = (b - a).cross(c - a).length();
        // NaN has no area either.
        let has_area = twice_area > tolerance * longest;
        !has_area
    }

    /// The corners of a triangle that is given by their places.
    pub fn corners(&self, triangle: [u32; 3]) -> [Vector; 3] {
        triangle.map(|place| self.points[place as usize])
    }

    /// A sound triangle's normal times twice its area.
    pub fn area_vector(&self, triangle: u32) -> Vector {
        let [a, b, c] = self.corners(self.triangles[triangle as usize]);
        (b - a).cross(c - a)
    }

    /// The sides of each edge.
    pub fn edges(&self) -> impl Iterator<Item = &[Side]> {
        self.sides.chunk_by(|a, b| a.ends == b.ends)
    }

    /// The two ends of an edge.
    pub fn ends(&self, edge: &[Side]) -> [Vector; 2] {
        edge.first().map_or([Vector::ZERO; 2], |side| side.ends.map(|end| self.points[end as usize]))
    }

    /// Do two neighbouring triangles continue each other: is the fold between them, whichever way they are wound, below
    /// the angle with this cosine?
    pub fn continues(&self, edge: &[Side], cosine: Real) -> bool {
        let [a, b] = edge else { return false };
        let normal = |side: &Side| {
            let normal = self.area_vector(side.triangle).normalize_or_zero();
            if side.is_forward { normal } else { -normal }
        };
        normal(a).dot(-normal(b)) >= cosine
    }
}

/// Do two triangles with the same corners go round in the same direction?
fn is_same_winding(a: [u32; 3], b: [u32; 3]) -> bool {
    (0..3).any(|turn| (0..3).all(|corner| a[corner] == b[(corner + turn) % 3]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_are_sorted_by_soundness() {
        let vertices = [(0, 0), (1, 0), (1, 1), (0, 1), (2, 0)].map(|(x, z)| Vector::new(x as Real, 0.0, z as Real));
        // Two halves of a square, the second one again and from behind, a line, and a corner that is named twice.
        let triangles = vec![[0, 1, 2], [0, 2, 3], [2, 3, 0], [3, 2, 0], [0, 1, 4], [1, 1, 2]];
        let surface = Surface::new(&TriMesh::new(vertices.to_vec(), triangles).expect("a mesh"));
        assert_eq!(surface.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!((surface.degenerate.len(), surface.duplicate.len(), surface.back_to_back), (2, 2, 1));
        // Four sides and a diagonal.
        assert_eq!(surface.edges().count(), 5);
        assert_eq!(surface.edges().filter(|edge| surface.continues(edge, 0.9)).count(), 1);
    }

    #[test]
    fn a_fold_is_the_same_whichever_way_it_is_wound() {
        // Two squares' halves at a right angle along the x axis, and the same with the second one turned round.
        let vertices = vec![Vector::ZERO, Vector::X, Vector::Y, Vector::Z];
        for second in [[1, 0, 3], [0, 1, 3]] {
            let surface = Surface::new(&TriMesh::new(vertices.clone(), vec![[0, 1, 2], second]).expect("a mesh"));
            let edge = surface.edges().find(|edge| edge.len() == 2).expect("they share an edge");
            assert!(surface.continues(edge, -0.01) && !surface.continues(edge, 0.01));
        }
    }
}
