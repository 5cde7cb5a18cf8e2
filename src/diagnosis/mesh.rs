//! What can be wrong with one triangle mesh.

use super::fault::{Facing, Fault, SurfaceKind};
use super::finding::{Diagnosis, Subject};
use super::inspection::Inspection;
use super::surface::{Side, Surface};
use super::underside::{is_ceiling, is_fallen_onto, is_inhabited};
use super::winding::{Part, Winding, is_alike};
use rapier3d::parry::shape::TriMesh;
use rapier3d::prelude::*;

/// The cosine of the greatest fold that a body rides across: 30°, like the sweeps' face angle. Edges sharper than that are
/// real ones, with or without the flag.
pub(super) const RIDDEN_FOLD_COSINE: Real = 0.866_025_4;

/// Adds what is wrong with a mesh.
pub(super) fn diagnose(inspection: &Inspection, handle: ColliderHandle, findings: &mut Vec<Diagnosis>) {
    let collider = &inspection.colliders[handle];
    let Some(mesh) = collider.shape().as_trimesh() else { return };
    // The mesh of a soft body: Rapier's own, which counts on its numbers of vertices.
    if mesh.flags().contains(TriMeshFlags::DEFORMABLE) {
        return;
    }
    let surface = Surface::new(mesh);
    let winding = Winding::new(&surface);
    let mut findings = Findings { collider, subject: Subject::Collider(handle), findings };

    let triangles = surface.degenerate.len();
    findings.add_triangles(Fault::DegenerateTriangles { triangles }, &surface.degenerate);
    let triangles = surface.duplicate.len();
    let fault = Fault::DuplicateTriangles { triangles, back_to_back: surface.back_to_back };
    findings.add_triangles(fault, &surface.duplicate);

    let split = edges_where(&surface, is_split);
    let (vertices, are_exact) = split_vertices(mesh, &surface);
    findings.add(Fault::SplitVertices { vertices, edges: split.len(), are_exact }, split);

    let odd = edges_where(&surface, |edge| matches!(edge, [a, b] if !is_alike(a, b)));
    findings.add(Fault::InconsistentWinding { triangles: winding.odd_count(), edges: odd.len() }, odd);

    if !mesh.flags().contains(TriMeshFlags::FIX_INTERNAL_EDGES) {
        let ridden = edges_where(&surface, |edge| surface.continues(edge, RIDDEN_FOLD_COSINE));
        let fault = Fault::MissingEdgeFlag { surface: SurfaceKind::TriMesh, edges: ridden.len() };
        findings.add(fault, ridden);
    } else if !mesh.flags().contains(TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED) {
        wrong_winding(inspection, handle, (&surface, &winding), &mut findings);
    }
}

/// The findings of one mesh.
struct Findings<'a> {
    collider: &'a Collider,
    subject: Subject,
    findings: &'a mut Vec<Diagnosis>,
}

impl Findings<'_> {
    /// Adds a fault of these edges; none if there are none.
    fn add(&mut self, fault: Fault, mut edges: Vec<[Vector; 2]>) {
        if !edges.is_empty() {
            let pose = self.collider.position();
            edges.iter_mut().flatten().for_each(|end| *end = pose.transform_point(*end));
            self.findings.push(Diagnosis { subject: self.subject, fault, edges });
        }
    }

    fn add_triangles(&mut self, fault: Fault, triangles: &[[Vector; 3]]) {
        self.add(fault, triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]).collect());
    }
}

fn edges_where(surface: &Surface, mut is_concerned: impl FnMut(&[Side]) -> bool) -> Vec<[Vector; 2]> {
    surface.edges().filter(|edge| is_concerned(edge)).map(|edge| surface.ends(edge)).collect()
}

/// Do triangles that share an edge name different vertices there?
pub(super) fn is_split(edge: &[Side]) -> bool {
    edge.iter().any(|side| side.corners != edge[0].corners)
}

/// How many vertices at split edges are in the place of another one, and whether all of them are so to the bit.
fn split_vertices(mesh: &TriMesh, surface: &Surface) -> (usize, bool) {
    let split = surface.edges().filter(|edge| is_split(edge)).flatten();
    let mut named: Vec<(u32, u32)> =
        split.flat_map(|side| [0, 1].map(|end| (side.ends[end], side.corners[end]))).collect();
    named.sort_unstable();
    named.dedup();
    let at = |corner: u32| mesh.vertices()[corner as usize];
    let places = named.chunk_by(|a, b| a.0 == b.0);
    places.fold((0, true), |(count, are_exact), place| {
        let is_exact = place.iter().all(|(_, corner)| at(*corner) == at(place[0].1));
        (count + place.len() - 1, are_exact && is_exact)
    })
}

/// Adds the parts of a one-sided mesh that look away from what is there, as one finding for each way they look.
fn wrong_winding(
    inspection: &Inspection,
    handle: ColliderHandle,
    (surface, winding): (&Surface, &Winding),
    findings: &mut Findings,
) {
    let pose = findings.collider.position();
    // Asked at most once: it walks all bodies.
    let mut is_known_to_be_fallen_onto = None;
    let mut facing_of = |part: &Part| {
        let facing = if part.is_closed {
            // Furniture is enough to make a room of what looks inwards; what looks outwards is wrong only for what moves.
            let looks_outwards = winding.six_volumes(surface, part) > 0.0;
            match (looks_outwards, is_inhabited(inspection, handle, (surface, part), looks_outwards)) {
                (true, true) => Facing::Outwards,
                (false, false) => Facing::Inwards,
                _ => return None,
            }
        } else {
            let up = pose.rotation.inverse() * inspection.up()?;
            if !looks_down(surface, winding, part, up) {
                return None;
            }
            let is_floor = *is_known_to_be_fallen_onto.get_or_insert_with(|| is_fallen_onto(inspection, handle));
            if !is_floor && is_ceiling(inspection, pose, (surface, part)) {
                return None;
            }
            Facing::Down
        };
        Some(facing)
    };
    let parts: Vec<_> = winding.parts.iter().filter_map(|part| Some((facing_of(part)?, part))).collect();
    for facing in [Facing::Down, Facing::Inwards, Facing::Outwards] {
        let triangles: Vec<u32> =
            parts.iter().filter(|of| of.0 == facing).flat_map(|of| of.1.triangles.clone()).collect();
        let corners: Vec<_> =
            triangles.iter().map(|triangle| surface.corners(surface.triangles[*triangle as usize])).collect();
        findings.add_triangles(Fault::WrongWinding { facing, triangles: triangles.len() }, &corners);
    }
}

/// Is an open part ground that looks down along the unit vector `up`, which is in the mesh's frame?
pub(super) fn looks_down(surface: &Surface, winding: &Winding, part: &Part, up: Vector) -> bool {
    winding.facing(surface, part, up).is_some_and(|facing| facing < LOOKS_DOWN)
}

/// Ground looks down if this is its facing, or less: if three quarters of it do. Hills may overhang, and a tunnel has as much
/// of a ceiling as of a floor.
const LOOKS_DOWN: Real = -0.5;
