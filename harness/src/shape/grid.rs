//! Grids as a fixture writes them.

use super::one;
use crate::number::Num;
use serde::Deserialize;

/// A grid of cells, two triangles each. See [`crate::terrain::Grid`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GridSpec {
    /// Cells along x and along z.
    pub cells: (Num, Num),
    /// The side of a cell.
    #[serde(default = "one")]
    pub cell: Num,
    /// The heights.
    #[serde(default)]
    pub relief: ReliefSpec,
    /// How far inner corners may be off their place, as a fraction of the cell, below 1.
    #[serde(default = "zero")]
    pub jitter: Num,
    /// Picks each cell's diagonal at random.
    #[serde(default)]
    pub random_diagonals: bool,
    /// The seed of everything random.
    #[serde(default = "one")]
    pub seed: Num,
}

/// Heights of a grid. See [`crate::terrain::Relief`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum ReliefSpec {
    /// Zero everywhere.
    #[default]
    Flat,
    /// Rises along +x.
    Slope {
        /// \[degrees] By this angle.
        angle: Num,
    },
    /// A wave along x.
    Sine {
        /// Crest above zero.
        amplitude: Num,
        /// Crest to crest.
        wavelength: Num,
    },
    /// Random heights.
    Hills {
        /// \[degrees] The largest angle between two neighbouring triangles, which is reached.
        max_fold: Num,
    },
}

fn zero() -> Num {
    Num::new(0.0)
}
