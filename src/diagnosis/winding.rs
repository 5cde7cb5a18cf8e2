//! Which way a surface is wound, part by part.

use super::surface::{Side, Surface};
use rapier3d::math::{Real, Vector};
use smallvec::SmallVec;

/// The connected parts of a surface, and which of its triangles have to be turned round so that each part is wound alike.
pub(super) struct Winding {
    /// The parts, by their lowest triangle.
    pub parts: Vec<Part>,
    /// Is this triangle wound against the greater part of its surface?
    pub is_odd: Vec<bool>,
}

/// Triangles that hang together by edges of two.
pub(super) struct Part {
    /// The triangles, as numbers of [`Surface::triangles`].
    pub triangles: Vec<u32>,
    /// Has each edge two triangles: no border, and nothing that branches off?
    pub is_closed: bool,
}

/// A neighbour across an edge, and whether it is wound alike.
type Neighbour = (u32, bool);

impl Winding {
    /// The winding of a surface.
    pub fn new(surface: &Surface) -> Self {
        let count = surface.triangles.len();
        let mut neighbours: Vec<SmallVec<[Neighbour; 3]>> = vec![SmallVec::new(); count];
        let mut is_border = vec![false; count];
        for edge in surface.edges() {
            match edge {
                [a, b] => {
                    neighbours[a.triangle as usize].push((b.triangle, is_alike(a, b)));
                    neighbours[b.triangle as usize].push((a.triangle, is_alike(a, b)));
                }
                _ => edge.iter().for_each(|side| is_border[side.triangle as usize] = true),
            }
        }

        let mut winding = Self { parts: Vec::new(), is_odd: vec![false; count] };
        let mut is_seen = vec![false; count];
        for first in 0..count as u32 {
            if is_seen[first as usize] {
                continue;
            }
            is_seen[first as usize] = true;
            let mut triangles = vec![first];
            let mut next = 0;
            while let Some(&triangle) = triangles.get(next) {
                next += 1;
                for &(neighbour, is_alike) in &neighbours[triangle as usize] {
                    if !is_seen[neighbour as usize] {
                        is_seen[neighbour as usize] = true;
                        winding.is_odd[neighbour as usize] = winding.is_odd[triangle as usize] == is_alike;
                        triangles.push(neighbour);
                    }
                }
            }
            winding.keep_the_greater_part(surface, &triangles);
            let is_closed = !triangles.iter().any(|triangle| is_border[*triangle as usize]);
            winding.parts.push(Part { triangles, is_closed });
        }
        winding
    }

    /// Takes the winding of the smaller area for the odd one.
    fn keep_the_greater_part(&mut self, surface: &Surface, triangles: &[u32]) {
        let (mut odd, mut even) = (0.0, 0.0);
        for triangle in triangles {
            let area = surface.area_vector(*triangle).length();
            *(if self.is_odd[*triangle as usize] { &mut odd } else { &mut even }) += area;
        }
        if odd > even {
            for triangle in triangles {
                self.is_odd[*triangle as usize] ^= true;
            }
        }
    }

    /// How many triangles have to be turned round.
    pub fn odd_count(&self) -> usize {
        self.is_odd.iter().filter(|is_odd| **is_odd).count()
    }

    /// A triangle's normal times twice its area, once the odd ones are turned round.
    fn area_vector(&self, surface: &Surface, triangle: u32) -> Vector {
        let area = surface.area_vector(triangle);
        if self.is_odd[triangle as usize] { -area } else { area }
    }

    /// Six times the volume within a closed part: negative if its faces look inwards.
    pub fn six_volumes(&self, surface: &Surface, part: &Part) -> Real {
        // Counted from one of its own corners: far from the origin all precision would be lost.
        let corner = |triangle: u32| surface.corners(surface.triangles[triangle as usize])[0];
        let from = part.triangles.first().map_or(Vector::ZERO, |first| corner(*first));
        part.triangles.iter().map(|triangle| self.area_vector(surface, *triangle).dot(corner(*triangle) - from)).sum()
    }

    /// How a part looks along the unit vector `up`: from −1, all that is not upright looks down, to 1, it looks up. `None`
    /// for a part that is more wall than ground.
    pub fn facing(&self, surface: &Surface, part: &Part, up: Vector) -> Option<Real> {
        let (mut up_area, mut level_area, mut area) = (0.0, 0.0, 0.0);
        for triangle in &part.triangles {
            let vector = self.area_vector(surface, *triangle);
            up_area += vector.dot(up);
            level_area += vector.dot(up).abs();
            area += vector.length();
        }
        (level_area > GROUND_SHARE * area).then(|| up_area / level_area)
    }
}

/// The share of its area, seen from above, from which on an open surface is ground: half, that of a slope of 60°.
const GROUND_SHARE: Real = 0.5;

/// Are the two triangles of an edge wound alike? Then they go along it in opposite directions.
pub(super) fn is_alike(a: &Side, b: &Side) -> bool {
    a.is_forward != b.is_forward
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use rapier3d::parry::shape::{Cuboid, TriMesh};

    fn cuboid(turned: &[usize]) -> Surface {
        let (vertices, mut triangles) = Cuboid::new(Vector::new(1.0, 2.0, 3.0)).to_trimesh();
        turned.iter().for_each(|triangle| triangles[*triangle].swap(0, 1));
        let vertices = vertices.into_iter().map(|vertex| vertex + Vector::splat(50.0)).collect();
        Surface::new(&TriMesh::new(vertices, triangles).expect("a mesh"))
    }

    #[test]
    fn a_closed_cuboid_has_one_part_and_its_volume() {
        let surface = cuboid(&[]);
        let winding = Winding::new(&surface);
        assert_eq!((winding.parts.len(), winding.odd_count()), (1, 0));
        assert!(winding.parts[0].is_closed);
        // 2 · 4 · 6 = 48, and six times that.
        assert_relative_eq!(winding.six_volumes(&surface, &winding.parts[0]), 288.0, max_relative = 1e-4);
    }

    #[test]
    fn the_smaller_part_is_the_odd_one() {
        for first_turned in 0..10 {
            let surface = cuboid(&[first_turned, first_turned + 1]);
            let winding = Winding::new(&surface);
            let odd: Vec<_> = (0..12).filter(|triangle| winding.is_odd[*triangle]).collect();
            assert_eq!(odd, [first_turned, first_turned + 1]);
            assert_relative_eq!(winding.six_volumes(&surface, &winding.parts[0]), 288.0, max_relative = 1e-4);
        }
    }

    #[test]
    fn ground_looks_up_or_down_and_a_wall_neither() {
        let corners = vec![Vector::ZERO, Vector::Z, Vector::X];
        for (indices, up, facing) in
            [([0, 1, 2], Vector::Y, Some(1.0)), ([0, 2, 1], Vector::Y, Some(-1.0)), ([0, 1, 2], Vector::X, None)]
        {
            let surface = Surface::new(&TriMesh::new(corners.clone(), vec![indices]).expect("a mesh"));
            let winding = Winding::new(&surface);
            assert!(!winding.parts[0].is_closed);
            assert_eq!(winding.facing(&surface, &winding.parts[0], up), facing);
        }
    }
}
