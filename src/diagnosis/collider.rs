//! What can be wrong with one collider.

use super::fault::{Fault, SurfaceKind};
use super::finding::{Diagnosis, Subject};
use super::inspection::Inspection;
use super::mesh;
use crate::source::inner_radius;
use rapier3d::parry::shape::{Compound, CompoundFlags, HeightFieldFlags, TypedShape};
use rapier3d::prelude::*;

/// Adds what is wrong with a collider. Sensors touch nothing, so nothing is wrong with them.
pub(super) fn diagnose(inspection: &Inspection, handle: ColliderHandle, findings: &mut Vec<Diagnosis>) {
    let collider = &inspection.colliders[handle];
    if collider.is_sensor() {
        return;
    }
    let subject = Subject::Collider(handle);
    match collider.shape().as_typed_shape() {
        TypedShape::TriMesh(_) => mesh::diagnose(inspection, handle, findings),
        TypedShape::HeightField(field) if !field.flags().contains(HeightFieldFlags::FIX_INTERNAL_EDGES) => {
            // A diagonal a cell, and the sides that two cells share. Cells may have holes; none has more.
            let (rows, columns) = (field.nrows(), field.ncols());
            let edges = rows * columns + rows * columns.saturating_sub(1) + columns * rows.saturating_sub(1);
            let fault = Fault::MissingEdgeFlag { surface: SurfaceKind::HeightField, edges };
            findings.push(Diagnosis { subject, fault, edges: Vec::new() });
        }
        TypedShape::Compound(compound) if !compound.flags().contains(CompoundFlags::FIX_INTERNAL_EDGES) => {
            let faces = faces_between(compound);
            if !faces.is_empty() {
                let fault = Fault::MissingEdgeFlag { surface: SurfaceKind::Compound, edges: faces.len() };
                let pose = collider.position();
                let edges = faces.into_iter().flatten().map(|edge| edge.map(|end| pose.transform_point(end)));
                findings.push(Diagnosis { subject, fault, edges: edges.collect() });
            }
        }
        _ => {}
    }
    if let Some(fault) = thinness(inspection, collider) {
        findings.push(Diagnosis { subject, fault, edges: Vec::new() });
    }
}

/// A face that lies between two parts of a compound, as its edges.
pub(super) type FaceBetween = Vec<[Vector; 2]>;

/// The faces that two parts of a compound share, in its frame. Faces that overlap in part are none: the compound's flag
/// does not see those either.
pub(super) fn faces_between(compound: &Compound) -> Vec<FaceBetween> {
    let faces: Vec<_> = compound.shapes().iter().flat_map(|(pose, part)| part_faces(pose, part.as_ref())).collect();
    let corners: Vec<Vector> = faces.iter().flatten().copied().collect();
    let places = super::weld::Weld::new(&corners).place;
    let mut next = 0;
    let mut keyed: Vec<(Vec<u32>, usize)> = Vec::with_capacity(faces.len());
    for (number, face) in faces.iter().enumerate() {
        let mut key = places[next..next + face.len()].to_vec();
        next += face.len();
        key.sort_unstable();
        keyed.push((key, number));
    }
    keyed.sort_unstable();
    let shared = keyed.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1);
    shared.map(|same| outline(&faces[same[0].1])).collect()
}

fn outline(corners: &[Vector]) -> FaceBetween {
    (0..corners.len()).map(|from| [corners[from], corners[(from + 1) % corners.len()]]).collect()
}

/// The corners of a part's faces, in the compound's frame. Round parts have none.
fn part_faces(pose: &Pose, part: &dyn Shape) -> Vec<Vec<Vector>> {
    let mut faces: Vec<Vec<Vector>> = match part.as_typed_shape() {
        TypedShape::ConvexPolyhedron(hull) => {
            let corners = hull.vertices_adj_to_face();
            let of_face = hull.faces().iter().map(|face| {
                let first = face.first_vertex_or_edge as usize;
                let numbers = &corners[first..first + face.num_vertices_or_edges as usize];
                numbers.iter().map(|number| hull.points()[*number as usize]).collect()
            });
            of_face.collect()
        }
        TypedShape::Cuboid(cuboid) => cuboid_faces(cuboid.half_extents),
        _ => Vec::new(),
    };
    faces.iter_mut().flatten().for_each(|corner| *corner = pose.transform_point(*corner));
    faces
}

fn cuboid_faces(half: Vector) -> Vec<Vec<Vector>> {
    let sides = [Vector::X, Vector::Y, Vector::Z];
    let mut faces = Vec::with_capacity(6);
    for axis in 0..3 {
        let (normal, u, v) = (sides[axis] * half, sides[(axis + 1) % 3] * half, sides[(axis + 2) % 3] * half);
        for middle in [normal, -normal] {
            faces.push(vec![middle + u + v, middle - u + v, middle - u - v, middle + u - v]);
        }
    }
    faces
}

/// Is the shape too thin? Dynamic bodies need a thickness in every shape; what they meet, only where it is a solid: a mesh
/// or a triangle is a surface on purpose.
fn thinness(inspection: &Inspection, collider: &Collider) -> Option<Fault> {
    let is_dynamic = inspection.body_of(collider).is_some_and(RigidBody::is_dynamic);
    let slop = inspection.integration_parameters.allowed_linear_error();
    let thickness = thickness(collider.shape(), is_dynamic)?;
    // Two bodies may overlap by the slop; what is thinner than that can be all the way in. NaN is no thickness.
    let is_thick = thickness >= slop;
    (!is_thick).then_some(Fault::NoThickness { thickness, is_dynamic })
}

/// How thick a shape is at its thinnest; `None` for surfaces, where those are in order, and for what has no end.
fn thickness(shape: &dyn Shape, is_dynamic: bool) -> Option<Real> {
    match shape.as_typed_shape() {
        TypedShape::TriMesh(_)
        | TypedShape::HeightField(_)
        | TypedShape::Polyline(_)
        | TypedShape::Triangle(_)
        | TypedShape::Segment(_) => is_dynamic.then_some(0.0),
        TypedShape::HalfSpace(_) => None,
        TypedShape::Voxels(voxels) => Some(voxels.voxel_size().min_element()),
        TypedShape::Compound(compound) => {
            let parts = compound.shapes().iter().filter_map(|(_, part)| thickness(part.as_ref(), is_dynamic));
            parts.reduce(Real::min)
        }
        _ => Some(2.0 * inner_radius(shape)),
    }
}
