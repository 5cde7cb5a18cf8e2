//! One finding of a diagnosis: who, what, what of it, and what to do.

use super::fault::{Facing, Fault, SurfaceKind};
use rapier3d::prelude::*;
use std::fmt;

/// Something in a level that will make trouble. As text it is a short paragraph: who, what, what it will cause, and the call
/// that mends it.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnosis {
    /// Whom it concerns.
    pub subject: Subject,
    /// What is wrong.
    pub fault: Fault,
    /// The edges concerned, to draw them over the level; world space. Empty for faults that have no place, and for height
    /// fields, whose every edge is concerned.
    pub edges: Vec<[Vector; 2]>,
}

/// Whom a [`Diagnosis`] concerns.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A collider.
    Collider(ColliderHandle),
    /// A body.
    Body(RigidBodyHandle),
}

impl Diagnosis {
    /// What it will cause, in one sentence.
    pub fn consequence(&self) -> &'static str {
        self.fault.consequence()
    }

    /// Can [`prepare_level`](crate::prepare_level) mend it?
    ///
    /// It cannot know what a game means by its bodies, that a room is lived in, or that a height field on its head is meant
    /// to be one.
    pub fn is_mended_by_prepare_level(&self) -> bool {
        match self.fault {
            Fault::MissingEdgeFlag { .. }
            | Fault::InconsistentWinding { .. }
            | Fault::SplitVertices { .. }
            | Fault::DegenerateTriangles { .. }
            | Fault::DuplicateTriangles { .. } => true,
            Fault::WrongWinding { facing, .. } => facing != Facing::Outwards,
            Fault::NoThickness { .. }
            | Fault::SpinCap { .. }
            | Fault::KinematicSubsteps { .. }
            | Fault::OffsetCenter { .. } => false,
        }
    }

    /// The exact call that mends it, as Rust, with the sets named `bodies` and `colliders`.
    pub fn mend(&self) -> String {
        let subject = self.subject;
        // A mesh keeps the flags it has; the result is that of its half-edge topology, which these flags do not touch.
        let set = |flag: &str| {
            format!(
                "let mesh = {subject}.shape_mut().as_trimesh_mut().unwrap(); \
                 mesh.set_flags(mesh.flags() | TriMeshFlags::{flag}).ok();"
            )
        };
        match self.fault {
            Fault::MissingEdgeFlag { surface: SurfaceKind::TriMesh, .. } => set("FIX_INTERNAL_EDGES_TWO_SIDED"),
            Fault::MissingEdgeFlag { surface: SurfaceKind::HeightField, .. } => format!(
                "{subject}.shape_mut().as_heightfield_mut().unwrap().set_flags(HeightFieldFlags::FIX_INTERNAL_EDGES)"
            ),
            Fault::MissingEdgeFlag { surface: SurfaceKind::Compound, .. } => format!(
                "{subject}.shape_mut().as_compound_mut().unwrap().set_flags(CompoundFlags::FIX_INTERNAL_EDGES, None)"
            ),
            Fault::WrongWinding { .. } => set("FIX_INTERNAL_EDGES_TWO_SIDED"),
            Fault::SplitVertices { are_exact: true, .. } => set("MERGE_DUPLICATE_VERTICES"),
            Fault::DuplicateTriangles { back_to_back: 0, .. } => set("DELETE_DUPLICATE_TRIANGLES"),
            // parry's flags merge what is equal to the bit, turn no triangle, and keep lines with three corners.
            Fault::SplitVertices { are_exact: false, .. }
            | Fault::InconsistentWinding { .. }
            | Fault::DegenerateTriangles { .. }
            | Fault::DuplicateTriangles { .. } => "prepare_level(&mut colliders)".into(),
            Fault::NoThickness { is_dynamic: true, .. } => {
                format!(
                    "{subject}.set_shape(SharedShape::cuboid(…)), or a hull, with a thickness of at least a centimetre"
                )
            }
            Fault::NoThickness { is_dynamic: false, .. } => {
                format!(
                    "{subject}.set_shape(SharedShape::cuboid(…)) with a thickness, or a mesh, which is a surface on purpose"
                )
            }
            Fault::SpinCap { .. } => format!("{subject}.set_allow_fast_rotation(true)"),
            Fault::KinematicSubsteps { .. } => "integration_parameters.max_ccd_substeps = 1".into(),
            // A density of zero alone is not enough: the centre of nothing is still where the collider is.
            Fault::OffsetCenter { .. } => format!(
                "set_density(0.0) on its colliders, and \
                 {subject}.set_additional_mass_properties(MassProperties::new(Vector::ZERO, 1.0, Vector::ONE), true); or \
                 {subject}.lock_rotations(true, true) if it never turns"
            ),
        }
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let by_itself = if self.is_mended_by_prepare_level() { " (prepare_level does it)" } else { "" };
        write!(f, "{}: {}. {} Mend it{by_itself}: {}", self.subject, self.fault, self.consequence(), self.mend())
    }
}

impl fmt::Display for Subject {
    /// The subject as Rust: where it is in its set.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Collider(handle) => {
                let (index, generation) = handle.into_raw_parts();
                write!(f, "colliders[ColliderHandle::from_raw_parts({index}, {generation})]")
            }
            Self::Body(handle) => {
                let (index, generation) = handle.into_raw_parts();
                write!(f, "bodies[RigidBodyHandle::from_raw_parts({index}, {generation})]")
            }
        }
    }
}
