//! What a mesh is prepared for.

use rapier3d::prelude::TriMeshFlags;
use serde::Deserialize;

/// A flag of parry's `TriMeshFlags`.
#[derive(Copy, Clone, Debug, Deserialize, PartialEq, Eq)]
pub enum MeshFlag {
    /// `FIX_INTERNAL_EDGES`.
    FixInternalEdges,
    /// `FIX_INTERNAL_EDGES_TWO_SIDED`.
    FixInternalEdgesTwoSided,
    /// `ORIENTED`.
    Oriented,
    /// `MERGE_DUPLICATE_VERTICES`.
    MergeDuplicateVertices,
    /// `DELETE_DEGENERATE_TRIANGLES`.
    DeleteDegenerateTriangles,
    /// `DELETE_DUPLICATE_TRIANGLES`.
    DeleteDuplicateTriangles,
    /// `HALF_EDGE_TOPOLOGY`.
    HalfEdgeTopology,
}

impl MeshFlag {
    /// The engine's.
    pub(super) fn bits(self) -> TriMeshFlags {
        match self {
            Self::FixInternalEdges => TriMeshFlags::FIX_INTERNAL_EDGES,
            Self::FixInternalEdgesTwoSided => TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED,
            Self::Oriented => TriMeshFlags::ORIENTED,
            Self::MergeDuplicateVertices => TriMeshFlags::MERGE_DUPLICATE_VERTICES,
            Self::DeleteDegenerateTriangles => TriMeshFlags::DELETE_DEGENERATE_TRIANGLES,
            Self::DeleteDuplicateTriangles => TriMeshFlags::DELETE_DUPLICATE_TRIANGLES,
            Self::HalfEdgeTopology => TriMeshFlags::HALF_EDGE_TOPOLOGY,
        }
    }
}
