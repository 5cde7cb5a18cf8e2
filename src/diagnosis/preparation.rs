//! Mending what can be mended without knowing the game.

use super::collider::faces_between;
use super::fault::SurfaceKind;
use super::mesh::{RIDDEN_FOLD_COSINE, is_split, looks_down};
use super::repair::{Repair, RepairKind};
use super::surface::Surface;
use super::winding::Winding;
use rapier3d::parry::shape::{CompoundFlags, HeightFieldFlags, TriMesh, TypedShape};
use rapier3d::prelude::*;
use std::collections::HashMap;

/// Mends what can be mended safely in the colliders of a level whose y axis points up, and says what it did.
///
/// Call it once, when the level is loaded, before the first step; a second call does nothing. It changes shapes only:
///
/// - **Meshes**: vertices in the same place are merged, triangles without an area or there twice are taken out, those wound
///   against the rest of their part are turned round. What had no edge flag, and edges that a body rides across, gets
///   `FIX_INTERNAL_EDGES_TWO_SIDED`, since it has held bodies on both sides so far. What has the one-sided flag keeps it,
///   unless it is ground that looks down, a closed part that looks inwards, or had triangles back to back: then it gets
///   the two-sided flag as well.
/// - **Height fields** get `FIX_INTERNAL_EDGES`. They hold bodies on the side of their own y axis only from then on, which
///   is what a height field is for.
/// - **Compounds** with faces between cuboids or hulls get `CompoundFlags::FIX_INTERNAL_EDGES`. Round bodies no longer bump
///   on them then; boxes can still catch at the faces between the parts, which is Rapier's.
///
/// Where vertices or triangles went, those behind them have new numbers: a game that keeps a material for each triangle
/// assigns them afterwards. Shapes that several colliders share are still shared afterwards, each mended once. Sensors,
/// meshes of soft bodies, and meshes in which no triangle has an area are left alone.
///
/// What it cannot mend is in [`Diagnosis::is_mended_by_prepare_level`](crate::Diagnosis::is_mended_by_prepare_level).
pub fn prepare_level(colliders: &mut ColliderSet) -> Vec<Repair> {
    prepare_level_upright(colliders, Vector::Y)
}

/// [`prepare_level`] for a level in which `up` points up, in world space and of any length. With `Vector::ZERO`, where there
/// is no gravity, open ground is not asked which way it looks.
pub fn prepare_level_upright(colliders: &mut ColliderSet, up: Vector) -> Vec<Repair> {
    let up = up.normalize_or_zero();
    let handles: Vec<_> = colliders.iter().filter(|(_, collider)| !collider.is_sensor()).map(|(of, _)| of).collect();
    let mut workshop = Workshop::default();
    let mut repairs = Vec::new();
    for handle in handles {
        let collider = &colliders[handle];
        let local_up = collider.position().rotation.inverse() * up;
        // Only what changes is touched: whatever is handed out mutably has its contacts reckoned anew.
        if let Some(mended) = workshop.mend(collider.shared_shape(), local_up) {
            repairs.extend(mended.kinds.iter().map(|kind| Repair { collider: handle, kind: *kind }));
            colliders[handle].set_shape(mended.shape);
        }
    }
    repairs
}

/// What has been mended so far: shapes that colliders share are mended once.
#[derive(Default)]
struct Workshop {
    /// By the address of the shape. Each entry keeps its shape alive, so that the address stays its own.
    done: HashMap<*const (), Vec<Entry>>,
}

struct Entry {
    /// The shape as it was, and which way was up in its frame.
    before: (SharedShape, Vector),
    after: Option<Mended>,
}

/// A shape that was mended, and how.
#[derive(Clone)]
struct Mended {
    shape: SharedShape,
    kinds: Vec<RepairKind>,
}

impl Workshop {
    fn mend(&mut self, shape: &SharedShape, up: Vector) -> Option<Mended> {
        let entries = self.done.entry(std::sync::Arc::as_ptr(&shape.0).cast()).or_default();
        if let Some(entry) = entries.iter().find(|entry| entry.before.1 == up) {
            return entry.after.clone();
        }
        let after = mend(shape.as_ref(), up);
        entries.push(Entry { before: (shape.clone(), up), after: after.clone() });
        after
    }
}

fn mend(shape: &dyn Shape, up: Vector) -> Option<Mended> {
    match shape.as_typed_shape() {
        TypedShape::TriMesh(mesh) => {
            let (mesh, kinds) = mend_mesh(mesh, up)?;
            Some(Mended { shape: SharedShape::new(mesh), kinds })
        }
        TypedShape::HeightField(field) if !field.flags().contains(HeightFieldFlags::FIX_INTERNAL_EDGES) => {
            let mut field = field.clone();
            field.set_flags(field.flags() | HeightFieldFlags::FIX_INTERNAL_EDGES);
            let kinds = vec![RepairKind::EdgeFlag { surface: SurfaceKind::HeightField }];
            Some(Mended { shape: SharedShape::new(field), kinds })
        }
        TypedShape::Compound(compound)
            if !compound.flags().contains(CompoundFlags::FIX_INTERNAL_EDGES) && !faces_between(compound).is_empty() =>
        {
            let mut compound = compound.clone();
            compound.set_flags(compound.flags() | CompoundFlags::FIX_INTERNAL_EDGES, None);
            let kinds = vec![RepairKind::EdgeFlag { surface: SurfaceKind::Compound }];
            Some(Mended { shape: SharedShape::new(compound), kinds })
        }
        _ => None,
    }
}

/// A mesh mended, or `None` if there is nothing to mend. `up` is in its frame, of length one or zero.
fn mend_mesh(mesh: &TriMesh, up: Vector) -> Option<(TriMesh, Vec<RepairKind>)> {
    if mesh.flags().contains(TriMeshFlags::DEFORMABLE) {
        return None;
    }
    let surface = Surface::new(mesh);
    if surface.triangles.is_empty() {
        return None;
    }
    let winding = Winding::new(&surface);
    let mut kinds = Vec::new();
    let mut note = |kind: RepairKind, count: usize| {
        if count > 0 {
            kinds.push(kind);
        }
    };
    let merged = if surface.edges().any(is_split) { mesh.vertices().len() - surface.points.len() } else { 0 };
    note(RepairKind::MergedVertices { vertices: merged }, merged);
    let triangles = surface.degenerate.len();
    note(RepairKind::DeletedDegenerate { triangles }, triangles);
    let triangles = surface.duplicate.len();
    note(RepairKind::DeletedDuplicate { triangles }, triangles);
    let triangles = winding.odd_count();
    note(RepairKind::TurnedTriangles { triangles }, triangles);
    let are_buffers_changed = !kinds.is_empty();

    let flags = mesh.flags() | TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED;
    let flags = if mesh.flags().contains(TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED) {
        flags
    } else if !mesh.flags().contains(TriMeshFlags::FIX_INTERNAL_EDGES) {
        if surface.edges().any(|edge| surface.continues(edge, RIDDEN_FOLD_COSINE)) {
            kinds.push(RepairKind::TwoSidedEdgeFlag);
            flags
        } else {
            mesh.flags()
        }
    } else if surface.back_to_back > 0 || looks_away(&surface, &winding, up) {
        kinds.push(RepairKind::BothSides);
        flags
    } else {
        mesh.flags()
    };

    let mended = if are_buffers_changed {
        let turned = |(triangle, is_odd): (&[u32; 3], &bool)| {
            let [a, b, c] = *triangle;
            if *is_odd { [a, c, b] } else { [a, b, c] }
        };
        let triangles = surface.triangles.iter().zip(&winding.is_odd).map(turned).collect();
        TriMesh::with_flags(surface.points, triangles, flags).ok()?
    } else if flags != mesh.flags() {
        let mut mesh = mesh.clone();
        // An error would be that of a half-edge topology, which these flags do not ask for anew.
        let _ = mesh.set_flags(flags);
        mesh
    } else {
        return None;
    };
    Some((mended, kinds))
}

/// Is a part of a one-sided mesh open ground that looks down, or closed and wound inwards?
fn looks_away(surface: &Surface, winding: &Winding, up: Vector) -> bool {
    winding.parts.iter().any(|part| {
        if part.is_closed { winding.six_volumes(surface, part) < 0.0 } else { looks_down(surface, winding, part, up) }
    })
}
