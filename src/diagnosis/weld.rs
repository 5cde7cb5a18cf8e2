//! Which corners of a mesh are in the same place.

use rapier3d::math::{Real, Vector};
use std::collections::HashMap;

/// Corners nearer to each other than this, as a part of the mesh's largest coordinate, are in the same place: eight units in
/// the last place, the most that moving a mesh about and back costs. 1 mm at a kilometre in single precision.
const SAME_PLACE: Real = 8.0 * Real::EPSILON;

/// The side of a bucket in tolerances: so wide that most corners need to be looked for in one bucket only.
const BUCKET: Real = 16.0;

/// The corners of a mesh, each place once.
pub(super) struct Weld {
    /// The places, in the order in which the corners name them first.
    pub points: Vec<Vector>,
    /// The place of each corner.
    pub place: Vec<u32>,
    /// How far apart two corners of one place may be; in the mesh's units.
    pub tolerance: Real,
}

impl Weld {
    /// Finds the places of `corners`. A corner that is not finite has a place of its own.
    pub fn new(corners: &[Vector]) -> Self {
        let finite = corners.iter().filter(|corner| corner.is_finite());
        let largest = finite.fold(0.0, |largest: Real, corner| largest.max(corner.abs().max_element()));
        let tolerance = (SAME_PLACE * largest).max(Real::MIN_POSITIVE);
        let mut weld = Self { points: Vec::new(), place: Vec::with_capacity(corners.len()), tolerance };
        // Only ever looked up, so its order is of no consequence. A bucket holds its latest place, and that the one before.
        let mut latest: HashMap<[i64; 3], u32> = HashMap::with_capacity(corners.len());
        let mut before: Vec<Option<u32>> = Vec::new();
        for corner in corners {
            let near = weld.buckets_near(*corner).find_map(|bucket| {
                let mut next = latest.get(&bucket).copied();
                while let Some(place) = next {
                    if weld.is_same_place(weld.points[place as usize], *corner) {
                        return Some(place);
                    }
                    next = before[place as usize];
                }
                None
            });
            let place = near.unwrap_or_else(|| {
                let place = weld.points.len() as u32;
                weld.points.push(*corner);
                before.push(latest.insert(weld.bucket(*corner), place));
                place
            });
            weld.place.push(place);
        }
        weld
    }

    fn is_same_place(&self, a: Vector, b: Vector) -> bool {
        (a - b).abs().max_element() <= self.tolerance
    }

    fn bucket(&self, point: Vector) -> [i64; 3] {
        // The cast saturates, and takes NaN for zero.
        let side = BUCKET * self.tolerance;
        [point.x, point.y, point.z].map(|x| (x / side).floor() as i64)
    }

    /// The buckets that reach within the tolerance of a point: one to eight of them.
    fn buckets_near(&self, point: Vector) -> impl Iterator<Item = [i64; 3]> {
        let least = self.bucket(point - Vector::splat(self.tolerance));
        let most = self.bucket(point + Vector::splat(self.tolerance));
        // A bucket at a time, and never more than two along an axis, whatever the rounding of huge coordinates makes of it.
        (0..8_u32).filter_map(move |corner| {
            let mut bucket = least;
            for (axis, (low, high)) in least.iter().zip(&most).enumerate() {
                if corner & (1 << axis) != 0 {
                    if low == high {
                        return None;
                    }
                    bucket[axis] = *high;
                }
            }
            Some(bucket)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_in_the_same_place_are_welded_across_buckets() {
        // The tolerance is 8 ε of 100 m, that is 95 µm in single precision; 0 is the border of a bucket.
        let near = 4.0 * Real::EPSILON * 100.0;
        let corners = [
            Vector::ZERO,
            Vector::X * 100.0,
            Vector::X * -near,
            Vector::new(100.0, near, -near),
            Vector::Y * 40.0 * near,
        ];
        let weld = Weld::new(&corners);
        assert_eq!(weld.place, [0, 1, 0, 1, 2]);
        assert_eq!(weld.points, [corners[0], corners[1], corners[4]]);
    }

    #[test]
    fn corners_that_are_not_finite_stay_apart() {
        let corners = [Vector::splat(Real::NAN), Vector::splat(Real::NAN), Vector::X * Real::INFINITY, Vector::ZERO];
        assert_eq!(Weld::new(&corners).place, [0, 1, 2, 3]);
    }

    #[test]
    fn all_corners_at_the_origin_are_one() {
        assert_eq!(Weld::new(&[Vector::ZERO; 3]).place, [0, 0, 0]);
    }
}
