//! The convex elements of a target: the triangles of a mesh, the children of a compound, the shape itself.

use rapier3d::math::{Pose, Real, Vector};
use rapier3d::parry::bounding_volume::Aabb;
use rapier3d::parry::query::sweep_toi::ToiProxy;
use rapier3d::parry::shape::{Cuboid, Segment, Shape, SupportMap, Triangle, TypedShape};

/// One convex element of a target.
pub(crate) struct Element<'a> {
    /// Which one: the triangle of a mesh or height field, the child of a compound, the voxel; 0 for a convex shape.
    pub id: u32,
    /// Its place in the target's frame.
    pub local: Pose,
    /// Its shape.
    pub shape: ElementShape<'a>,
}

/// The shape of an [`Element`].
pub(crate) enum ElementShape<'a> {
    /// A triangle with its unit normal, by the right-hand rule.
    Triangle(Triangle, Vector),
    /// One edge of a polyline.
    Segment(Segment),
    /// A voxel.
    Voxel(Cuboid),
    /// A whole convex shape, or a half-space.
    Whole(&'a dyn Shape),
}

impl Element<'_> {
    /// The element as one that outlives the target, if it is a triangle.
    pub fn as_triangle(&self) -> Option<Element<'static>> {
        let ElementShape::Triangle(triangle, normal) = self.shape else { return None };
        Some(Element { id: self.id, local: self.local, shape: ElementShape::Triangle(triangle, normal) })
    }

    /// The element as a parry shape.
    pub fn shape(&self) -> &dyn Shape {
        match &self.shape {
            ElementShape::Triangle(triangle, _) => triangle,
            ElementShape::Segment(segment) => segment,
            ElementShape::Voxel(cuboid) => cuboid,
            ElementShape::Whole(shape) => *shape,
        }
    }

    /// \[length] How far it extends along an axis from the middle of its box, at most.
    pub fn extent(&self) -> Real {
        self.shape().compute_local_aabb().half_extents().max_element()
    }

    /// The element as a point cloud with a radius, where it is one.
    pub fn proxy(&self) -> Option<ToiProxy<'_>> {
        ToiProxy::from_shape(self.shape())
    }

    /// The greatest coordinate along the unit vector `direction`, in the target's frame; infinite for a half-space seen
    /// from aside.
    pub fn highest(&self, direction: Vector) -> Real {
        match &self.shape {
            ElementShape::Triangle(triangle, _) => {
                // One turned direction instead of three turned corners.
                let local = self.local.rotation.inverse() * direction;
                let highest = local.dot(triangle.a).max(local.dot(triangle.b)).max(local.dot(triangle.c));
                direction.dot(self.local.translation) + highest
            }
            ElementShape::Segment(segment) => {
                direction.dot(self.local * segment.a).max(direction.dot(self.local * segment.b))
            }
            ElementShape::Voxel(cuboid) => self.highest_of(cuboid, direction),
            ElementShape::Whole(shape) => match (shape.as_typed_shape(), shape.as_support_map()) {
                (TypedShape::HalfSpace(half), _) => {
                    // Rounding turns the normal a little: along it, the space ends at its own plane.
                    const ALIGNED: Real = 1.0 - 1.0e-6;
                    let normal = self.local.rotation * half.normal;
                    if normal.dot(direction) >= ALIGNED {
                        direction.dot(self.local.translation)
                    } else {
                        Real::INFINITY
                    }
                }
                (_, Some(map)) => self.highest_of(map, direction),
                _ => {
                    let aabb = shape.compute_local_aabb().transform_by(&self.local);
                    direction.dot(aabb.center()) + direction.abs().dot(aabb.half_extents())
                }
            },
        }
    }

    fn highest_of(&self, map: &(impl SupportMap + ?Sized), direction: Vector) -> Real {
        let local = self.local.rotation.inverse() * direction;
        direction.dot(self.local.translation) + local.dot(map.local_support_point(local))
    }

    /// The normal of the element's face, if it has only one.
    pub fn face_normal(&self) -> Option<Vector> {
        match &self.shape {
            ElementShape::Triangle(_, normal) => Some(self.local.rotation * *normal),
            _ => None,
        }
    }

    /// Is there a plane with the element on one side, and everything `is_beyond` says yes to on the other? Tries the
    /// planes of the element's faces, or of its box, and stops at the first that does. `is_beyond(normal, offset)` must
    /// tell whether the source stays in the half-space `normal · x ≥ offset`, in the target's frame.
    pub fn has_separating_face(&self, is_beyond: &mut impl FnMut(Vector, Real) -> bool) -> bool {
        match &self.shape {
            ElementShape::Triangle(triangle, normal) => {
                let normal = self.local.rotation * *normal;
                let offset = normal.dot(self.local * triangle.a);
                is_beyond(normal, offset) || is_beyond(-normal, -offset)
            }
            ElementShape::Segment(_) => false,
            ElementShape::Voxel(cuboid) => self.has_separating_side(cuboid.half_extents, Vector::ZERO, is_beyond),
            ElementShape::Whole(shape) => match shape.as_typed_shape() {
                TypedShape::HalfSpace(half) => {
                    let normal = self.local.rotation * half.normal;
                    is_beyond(normal, normal.dot(self.local.translation))
                }
                TypedShape::Ball(_) => false,
                TypedShape::Cuboid(cuboid) => self.has_separating_side(cuboid.half_extents, Vector::ZERO, is_beyond),
                _ => {
                    let aabb = shape.compute_local_aabb();
                    self.has_separating_side(aabb.half_extents(), aabb.center(), is_beyond)
                }
            },
        }
    }

    /// [`Self::has_separating_face`] for a box.
    fn has_separating_side(
        &self,
        half_extents: Vector,
        center: Vector,
        is_beyond: &mut impl FnMut(Vector, Real) -> bool,
    ) -> bool {
        let center = self.local * center;
        let axes = [(Vector::Y, half_extents.y), (Vector::X, half_extents.x), (Vector::Z, half_extents.z)];
        axes.iter().any(|(axis, half_extent)| {
            let normal = self.local.rotation * *axis;
            let middle = normal.dot(center);
            is_beyond(normal, middle + half_extent) || is_beyond(-normal, half_extent - middle)
        })
    }
}

/// Calls `visit` with every element of `shape` that may touch `reach`, a box in the target's frame. Triangles without
/// area are left out: they have no side to be on.
pub(crate) fn for_each_element(shape: &dyn Shape, reach: &Aabb, visit: &mut dyn FnMut(&Element)) {
    visit_elements(shape, &Place { local: Pose::IDENTITY, child: None }, reach, visit);
}

/// Where a shape sits in the target.
struct Place {
    local: Pose,
    /// The child of a compound that the shape is, or is part of.
    child: Option<u32>,
}

fn visit_elements(shape: &dyn Shape, place: &Place, reach: &Aabb, visit: &mut dyn FnMut(&Element)) {
    let local = place.local;
    let in_shape = || if local == Pose::IDENTITY { *reach } else { reach.transform_by(&local.inverse()) };
    let mut visit_triangle = |id: u32, triangle: Triangle| {
        if let Some(normal) = triangle.normal() {
            let id = place.child.unwrap_or(id);
            visit(&Element { id, local, shape: ElementShape::Triangle(triangle, normal) });
        }
    };
    match shape.as_typed_shape() {
        TypedShape::TriMesh(mesh) => {
            for id in mesh.bvh().intersect_aabb(&in_shape()) {
                visit_triangle(id, mesh.triangle(id));
            }
        }
        TypedShape::Triangle(triangle) => visit_triangle(0, *triangle),
        TypedShape::HeightField(field) => {
            field.map_elements_in_local_aabb(&in_shape(), &mut |id, triangle| visit_triangle(id, *triangle));
        }
        TypedShape::Polyline(polyline) => {
            for id in polyline.bvh().intersect_aabb(&in_shape()) {
                let id_in_target = place.child.unwrap_or(id);
                visit(&Element { id: id_in_target, local, shape: ElementShape::Segment(polyline.segment(id)) });
            }
        }
        TypedShape::Voxels(voxels) => {
            let half_extents = voxels.voxel_size() / 2.0;
            for voxel in voxels.voxels_intersecting_local_aabb(&in_shape()) {
                if !voxel.state.is_empty() {
                    visit(&Element {
                        id: place.child.unwrap_or(voxel.linear_id.flat_id() as u32),
                        local: local.prepend_translation(voxel.center),
                        shape: ElementShape::Voxel(Cuboid::new(half_extents)),
                    });
                }
            }
        }
        TypedShape::Compound(compound) => {
            for id in compound.bvh().intersect_aabb(&in_shape()) {
                let (child_pose, child) = &compound.shapes()[id as usize];
                let place = Place { local: local * *child_pose, child: place.child.or(Some(id)) };
                visit_elements(child.as_ref(), &place, reach, visit);
            }
        }
        _ => visit(&Element { id: place.child.unwrap_or(0), local, shape: ElementShape::Whole(shape) }),
    }
}
