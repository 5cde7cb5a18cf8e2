//! What was mended.

use super::fault::SurfaceKind;
use super::finding::Subject;
use rapier3d::prelude::ColliderHandle;
use std::fmt;

/// One thing that [`prepare_level`](crate::prepare_level) has done. As text it says so in a sentence.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The collider whose shape was changed.
    pub collider: ColliderHandle,
    /// What was done.
    pub kind: RepairKind,
}

/// A kind of [`Repair`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RepairKind {
    /// The one-sided edge flag was set, on a height field or a compound.
    EdgeFlag {
        /// On what.
        surface: SurfaceKind,
    },
    /// The two-sided edge flag was set on a mesh without one: it held bodies on both sides, and still does.
    TwoSidedEdgeFlag,
    /// A mesh with the one-sided edge flag that looked the wrong way was made two-sided.
    BothSides,
    /// Vertices in the same place were merged.
    MergedVertices {
        /// How many went.
        vertices: usize,
    },
    /// Triangles without an area were taken out.
    DeletedDegenerate {
        /// How many.
        triangles: usize,
    },
    /// Triangles that were there already were taken out.
    DeletedDuplicate {
        /// How many.
        triangles: usize,
    },
    /// Triangles that were wound against the rest were turned round.
    TurnedTriangles {
        /// How many.
        triangles: usize,
    },
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", Subject::Collider(self.collider), self.kind)
    }
}

impl fmt::Display for RepairKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::EdgeFlag { surface: SurfaceKind::Compound } => write!(f, "set CompoundFlags::FIX_INTERNAL_EDGES"),
            Self::EdgeFlag { surface: SurfaceKind::HeightField } => {
                write!(f, "set HeightFieldFlags::FIX_INTERNAL_EDGES")
            }
            Self::EdgeFlag { surface: SurfaceKind::TriMesh } => write!(f, "set TriMeshFlags::FIX_INTERNAL_EDGES"),
            Self::TwoSidedEdgeFlag => write!(f, "set TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED"),
            Self::BothSides => write!(f, "set TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED, as it looked the wrong way"),
            Self::MergedVertices { vertices } => {
                write!(f, "vertices in the same place as another merged into it: {vertices}")
            }
            Self::DeletedDegenerate { triangles } => write!(f, "triangles without an area taken out: {triangles}"),
            Self::DeletedDuplicate { triangles } => write!(f, "triangles that were there twice taken out: {triangles}"),
            Self::TurnedTriangles { triangles } => {
                write!(f, "triangles wound against the rest turned round: {triangles}")
            }
        }
    }
}
