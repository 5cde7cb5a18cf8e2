//! The cone of normals that a triangle of a mesh may have.

use crate::verdict::PosedShape;
use rapier3d::math::Vector;
use rapier3d::parry::query::details::NormalConstraints;
use rapier3d::parry::shape::TrianglePseudoNormals;

/// The normal that the surface around triangle `triangle` of `target` would give a contact whose raw normal is `raw`.
///
/// `raw` and the result are unit vectors in world space that point away from the target. Where the target is a triangle
/// mesh with `FIX_INTERNAL_EDGES`, `raw` is projected into the cone of the triangle's pseudo-normals, the rule of the
/// narrow phase (parry, `shape/triangle_pseudo_normals.rs`): inside the cone it stays as it is, outside it is turned to
/// the cone's rim. The triangle's normals are first oriented along `raw`, so ground that is wound downwards still gives
/// an upward normal; and where the cone rejects `raw`, the result is the face's normal. Any other target, or a triangle
/// that the mesh does not have, returns `raw` unchanged. Source: seed document of the verdict, decision 1.
pub fn persistent_target_normal(target: &PosedShape, triangle: u32, raw: Vector) -> Vector {
    let Some(mesh) = target.shape.as_trimesh() else { return raw };
    if triangle as usize >= mesh.indices().len() {
        return raw;
    }
    let Some(cone) = mesh.triangle_normal_constraints(triangle) else { return raw };

    let mut local = target.pose.rotation.inverse() * raw;
    let away = cone.face.dot(local) < 0.0;
    let cone = if away { flipped(&cone) } else { cone };
    let kept = TrianglePseudoNormals { two_sided: false, ..cone.clone() }.project_local_normal_mut(&mut local);
    let local = if kept && local.is_finite() { local } else { cone.face };
    (target.pose.rotation * local).try_normalize().unwrap_or(raw)
}

/// The same triangle seen from its other side.
fn flipped(cone: &TrianglePseudoNormals) -> TrianglePseudoNormals {
    TrianglePseudoNormals { face: -cone.face, edges: cone.edges.map(|edge| -edge), two_sided: cone.two_sided }
}
