//! A floor of boxes of all sizes, laid at random.

use crate::random::Random;

/// A rectangle along x and z that is cut at random into smaller ones, each of which becomes a box.
///
/// It is cut across its longer side, at a random place, and each half again, until what is left is short enough to be
/// left alone or too short to be cut. That gives seams of all lengths, T-joints everywhere, and boxes that differ in size.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Patchwork {
    /// \[length] Its extent along x, from 0 on.
    pub along: f64,
    /// \[length] Its extent along z, symmetrically about 0.
    pub across: f64,
    /// \[length] No side of a patch is shorter.
    pub shortest: f64,
    /// The seed of the cuts.
    pub seed: u64,
}

/// A part of a patchwork: \[length] where it begins and ends.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Patch {
    /// Along x.
    pub x: (f64, f64),
    /// Along z.
    pub z: (f64, f64),
}

impl Patchwork {
    /// A patch longer than this many times the shortest side is always cut again.
    const LONGEST: f64 = 8.0;

    /// A patch that need not be cut is, this often.
    const CUT_ANYWAY: f64 = 0.6;

    /// The patches. They fill the rectangle, and no two overlap.
    pub fn patches(&self) -> Vec<Patch> {
        let mut random = Random::new(self.seed ^ 0x7A7C);
        let mut done = Vec::new();
        let half = self.across / 2.0;
        let mut open = vec![Patch { x: (0.0, self.along), z: (-half, half) }];
        while let Some(patch) = open.pop() {
            let (along, across) = (patch.x.1 - patch.x.0, patch.z.1 - patch.z.0);
            let longer = along.max(across);
            // Both draws are made for every patch, so that a cut that is refused does not change those that follow.
            let (share, wish) = (random.unit(), random.unit());
            let is_cut = longer > Self::LONGEST * self.shortest || wish < Self::CUT_ANYWAY;
            if longer < 2.0 * self.shortest || !is_cut {
                done.push(patch);
                continue;
            }
            let at = self.shortest + share * (longer - 2.0 * self.shortest);
            if along >= across {
                let at = patch.x.0 + at;
                open.extend([Patch { x: (patch.x.0, at), ..patch }, Patch { x: (at, patch.x.1), ..patch }]);
            } else {
                let at = patch.z.0 + at;
                open.extend([Patch { z: (patch.z.0, at), ..patch }, Patch { z: (at, patch.z.1), ..patch }]);
            }
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOOR: Patchwork = Patchwork { along: 20.0, across: 12.0, shortest: 0.4, seed: 3 };

    #[test]
    fn the_patches_fill_the_rectangle_once() {
        for seed in 0..20 {
            let patches = Patchwork { seed, ..FLOOR }.patches();
            // No patch reaches out of the rectangle, none overlaps another, and their areas add up to its area.
            let area: f64 = patches.iter().map(|p| (p.x.1 - p.x.0) * (p.z.1 - p.z.0)).sum();
            assert!((area - 240.0).abs() < 1.0e-9, "{area}");
            assert!(patches.iter().all(|p| p.x.0 >= 0.0 && p.x.1 <= 20.0 && p.z.0 >= -6.0 && p.z.1 <= 6.0));
            for (index, a) in patches.iter().enumerate() {
                let overlaps = |b: &Patch| a.x.0 < b.x.1 && b.x.0 < a.x.1 && a.z.0 < b.z.1 && b.z.0 < a.z.1;
                assert!(!patches[index + 1..].iter().any(overlaps), "{a:?}");
            }
        }
    }

    #[test]
    fn the_patches_are_of_many_sizes_within_the_limits() {
        let patches = FLOOR.patches();
        let sides: Vec<f64> = patches.iter().flat_map(|p| [p.x.1 - p.x.0, p.z.1 - p.z.0]).collect();
        assert!(sides.iter().all(|side| (0.4 - 1.0e-9..=3.2 + 1.0e-9).contains(side)), "{sides:?}");
        // Cuts at random places: hardly two sides are the same.
        assert!(sides.iter().any(|side| *side < 0.6) && sides.iter().any(|side| *side > 1.6));
        assert_ne!(patches, Patchwork { seed: 4, ..FLOOR }.patches());
    }
}
