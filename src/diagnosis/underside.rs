//! Is a surface that looks down a ceiling, and is a closed one a room?

use super::inspection::Inspection;
use super::surface::Surface;
use super::winding::Part;
use rapier3d::parry::query::{Ray, RayCast};
use rapier3d::parry::shape::{FeatureId, Triangle};
use rapier3d::prelude::*;

/// From how many of its triangles a part is asked what is below.
const SAMPLES: usize = 8;

/// A surface that looks down may be a ceiling: it is one if there is something below it wherever it is looked at.
pub(super) fn is_ceiling(inspection: &Inspection, pose: &Pose, (surface, part): (&Surface, &Part)) -> bool {
    let Some(up) = inspection.up() else { return true };
    // A slop off, so as not to find itself.
    let slop = inspection.integration_parameters.allowed_linear_error();
    let step = part.triangles.len().div_ceil(SAMPLES).max(1);
    part.triangles.iter().step_by(step).all(|triangle| {
        let [a, b, c] = surface.corners(surface.triangles[*triangle as usize]);
        let middle = pose.transform_point((a + b + c) / 3.0);
        nearest(inspection, &Ray::new(middle - up * slop, -up)).is_some()
    })
}

/// Is there a dynamic body that would fall onto the back of a mesh? Then what it falls onto is no ceiling.
pub(super) fn is_fallen_onto(inspection: &Inspection, mesh: ColliderHandle) -> bool {
    let Some(up) = inspection.up() else { return false };
    let collider = &inspection.colliders[mesh];
    inspection.bodies.iter().filter(|(_, body)| body.is_dynamic() && body.translation().is_finite()).any(|(_, body)| {
        let ray = Ray::new(body.translation(), -up);
        let hit = collider.shape().cast_ray_and_get_normal(collider.position(), &ray, Real::MAX, false);
        // parry calls the front of a triangle its face 0, and the back its face 1.
        hit.is_some_and(|hit| hit.feature == FeatureId::Face(1))
            && nearest(inspection, &ray).is_some_and(|(nearest, _)| nearest == mesh)
    })
}

/// The first collider on the way that stays where it is, and how far it is.
fn nearest(inspection: &Inspection, ray: &Ray) -> Option<(ColliderHandle, Real)> {
    let stays =
        |collider: &Collider| !collider.is_sensor() && !inspection.body_of(collider).is_some_and(RigidBody::is_dynamic);
    let hits = inspection.colliders.iter().filter(|(_, collider)| stays(collider)).filter_map(|(handle, collider)| {
        Some((handle, collider.shape().cast_ray(collider.position(), ray, Real::MAX, true)?))
    });
    hits.reduce(|nearest, hit| if hit.1 < nearest.1 { hit } else { nearest })
}

/// Is the middle of another collider inside a closed part: of any, or of one on a dynamic body?
pub(super) fn is_inhabited(
    inspection: &Inspection,
    mesh: ColliderHandle,
    (surface, part): (&Surface, &Part),
    by_dynamic_bodies: bool,
) -> bool {
    let pose = inspection.colliders[mesh].position();
    let corners = part.triangles.iter().flat_map(|triangle| surface.triangles[*triangle as usize]);
    let bounds = Aabb::from_points(corners.map(|corner| surface.points[corner as usize]));
    let mut others = inspection.colliders.iter().filter(|(handle, other)| {
        let counts = !by_dynamic_bodies || inspection.body_of(other).is_some_and(RigidBody::is_dynamic);
        *handle != mesh && counts && !other.is_sensor()
    });
    others.any(|(_, other)| {
        let middle = pose.inverse_transform_point(other.position().translation);
        middle.is_finite() && bounds.contains_local_point(middle) && is_within(middle, surface, part)
    })
}

/// Is a point of the mesh's frame inside a closed part? A ray from inside leaves it an odd number of times.
fn is_within(point: Vector, surface: &Surface, part: &Part) -> bool {
    // Askew, so that it meets no edge of a level laid out along the axes.
    let ray = Ray::new(point, Vector::new(0.267, 0.802, 0.535));
    let crossed = part.triangles.iter().filter(|triangle| {
        let [a, b, c] = surface.corners(surface.triangles[**triangle as usize]);
        Triangle::new(a, b, c).cast_local_ray(&ray, Real::MAX, false).is_some()
    });
    crossed.count() % 2 == 1
}
