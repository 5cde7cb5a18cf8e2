//! Inner corners of one mesh: where a wall stands on its floor.

use rapier3d::math::{Real, Vector};
use rapier3d::parry::bounding_volume::Aabb;
use rapier3d::parry::shape::{TriMesh, Triangle};
use smallvec::SmallVec;

/// \[1] The cosine of the least angle between floor and wall (30°): what is flatter is a slope, and is ridden over.
const CORNER_COSINE: Real = 0.866;

/// \[1] The sine of the least angle by which one face rises out of the other's plane (6°); less is rounding.
const RISES: Real = 0.1;

/// Planes that are told apart. Where there are more, the ground is rough, and the engine's answer as good as any.
const MAX_PLANES: usize = 4;

/// Triangles that are looked at. A body that has more of them around it is large beside them, and rides on their tops.
const MAX_TRIANGLES: usize = 32;

/// Do two faces of `mesh` within `bounds` rise out of each other's planes, on the side of `viewer`? All in the mesh's frame.
///
/// In such a corner the engine's contacts have normals now and then that no face there has, also on a mesh whose inner edges it
/// mends: the edge at the foot of the wall gives one that is half floor and half wall.
pub(super) fn has_inner_corner(mesh: &TriMesh, bounds: &Aabb, viewer: Vector) -> bool {
    let mut planes: SmallVec<[(Vector, Triangle); MAX_PLANES]> = SmallVec::new();
    for id in mesh.bvh().intersect_aabb(bounds).take(MAX_TRIANGLES) {
        let triangle = mesh.triangle(id);
        let Some(normal) = triangle.normal() else { continue };
        let normal = if normal.dot(viewer - triangle.a) < 0.0 { -normal } else { normal };
        if planes.iter().any(|(other, _)| other.dot(normal) > CORNER_COSINE) {
            continue;
        }
        let rises = |above: &Triangle, (normal, base): (Vector, &Triangle)| {
            [above.a, above.b, above.c].iter().any(|corner| {
                let arm = *corner - base.a;
                normal.dot(arm) > RISES * arm.length()
            })
        };
        let is_corner =
            |(other, base): &(Vector, Triangle)| rises(&triangle, (*other, base)) && rises(base, (normal, &triangle));
        if planes.iter().any(is_corner) {
            return true;
        }
        if planes.len() == MAX_PLANES {
            return false;
        }
        planes.push((normal, triangle));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A floor of 2 × 2 m and, along its rim at x = 1, a face that goes on from there to `end`.
    fn fold(end: Vector) -> TriMesh {
        let at = |x: Real, y: Real, z: Real| Vector::new(x, y, z);
        let vertices = vec![
            at(-1.0, 0.0, -1.0),
            at(-1.0, 0.0, 1.0),
            at(1.0, 0.0, 1.0),
            at(1.0, 0.0, -1.0),
            at(end.x, end.y, 1.0),
            at(end.x, end.y, -1.0),
        ];
        TriMesh::new(vertices, vec![[0, 1, 2], [0, 2, 3], [3, 2, 4], [3, 4, 5]]).expect("two quads are a mesh")
    }

    fn is_found(mesh: &TriMesh, x: Real) -> bool {
        // A cube of 0.4 m that lies on the floor, and what it may reach around it.
        let middle = Vector::new(x, 0.2, 0.1);
        has_inner_corner(mesh, &Aabb::from_half_extents(middle, Vector::splat(0.27)), middle)
    }

    #[test]
    fn only_what_rises_from_the_floor_makes_a_corner() {
        let wall = fold(Vector::new(1.0, 1.0, 0.0));
        assert!(is_found(&wall, 0.75) && !is_found(&wall, 0.5));
        // The side of a table, and a wall that leans over; a slope of 20° up, as a ramp has.
        assert!(!is_found(&fold(Vector::new(1.0, -1.0, 0.0)), 0.75));
        assert!(is_found(&fold(Vector::new(0.7, 1.0, 0.0)), 0.7));
        assert!(!is_found(&fold(Vector::new(2.0, 0.36, 0.0)), 0.75));
        assert!(!is_found(&fold(Vector::new(2.0, 0.0, 0.0)), 0.75));
    }
}
