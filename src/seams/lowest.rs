//! The point of a source that touches a face, told from a contact with another face.

use crate::rolling::LYING;
use rapier3d::math::{Pose, Real, Vector};
use rapier3d::parry::shape::{Shape, TypedShape};
use smallvec::SmallVec;

/// \[1] A body that touches with normals nearer than this (6°) touches with the same of its sides: it leans a little.
const SAME_SIDE: Real = 0.1;

/// The convex part of a source that has a contact.
#[derive(Copy, Clone)]
pub(super) struct TouchingPart<'a> {
    pub shape: &'a dyn Shape,
    pub pose: Pose,
}

impl<'a> TouchingPart<'a> {
    /// The part of `shape` that is nearest to `point`: the shape itself, or a child of a compound.
    pub fn of(shape: &'a dyn Shape, pose: Pose, point: Vector) -> Self {
        let Some(compound) = shape.as_compound() else { return Self { shape, pose } };
        let mut nearest = (Real::MAX, Self { shape, pose });
        for (place, child) in compound.shapes() {
            let part = Self { shape: child.as_ref(), pose: pose * *place };
            let distance = child.distance_to_point(&part.pose, point, true);
            if distance < nearest.0 {
                nearest = (distance, part);
            }
        }
        nearest.1
    }

    /// A point well inside.
    pub fn middle(&self) -> Vector {
        self.pose * self.shape.compute_local_bounding_sphere().center()
    }

    /// \[length] The least coordinate along the unit vector `direction`.
    pub fn lowest(&self, direction: Vector) -> Real {
        match self.shape.as_support_map() {
            Some(map) => direction.dot(map.support_point(&self.pose, -direction)),
            None => {
                let aabb = self.shape.compute_aabb(&self.pose);
                direction.dot(aabb.center()) - direction.abs().dot(aabb.half_extents())
            }
        }
    }

    /// The point with which the part touches a face of normal `face`, given `point` with which it touches one of normal
    /// `normal`. Round shapes touch below the same point of their core; a flat underside touches where it did, unless the
    /// normals are those of different sides of the body and the point is farther than `level` above its lowest.
    pub fn touching(&self, face: Vector, (point, normal): (Vector, Vector), level: Real) -> Vector {
        let border = |radius: Real| point + (normal - face) * radius;
        match self.shape.as_typed_shape() {
            TypedShape::Ball(ball) => self.pose.translation - face * ball.radius,
            TypedShape::Capsule(capsule) => border(capsule.radius),
            TypedShape::RoundCuboid(round) => border(round.border_radius),
            TypedShape::RoundConvexPolyhedron(round) => border(round.border_radius),
            TypedShape::RoundTriangle(round) => border(round.border_radius),
            TypedShape::Cylinder(cylinder) => {
                let axis = self.pose.rotation * Vector::Y;
                let along = axis.dot(point - self.pose.translation).clamp(-cylinder.half_height, cylinder.half_height);
                match face.reject_from_normalized(axis).try_normalize() {
                    // On its side, or leaning: the line of its side that is lowest.
                    Some(across) if face.dot(axis).abs() < LYING => {
                        self.pose.translation + axis * along - across * cylinder.radius
                    }
                    _ => self.same_side_or_lowest(face, (point, normal), level),
                }
            }
            _ => self.same_side_or_lowest(face, (point, normal), level),
        }
    }

    /// Is it the same side of a body with flat faces that touches with either normal?
    pub fn is_same_side(face: Vector, normal: Vector) -> bool {
        normal.distance(face) < SAME_SIDE
    }

    /// The corners of a body with flat faces, or the points below the ends of a capsule's core, that are at most `level` above
    /// its lowest point along the unit vector `face`.
    pub fn underside(&self, face: Vector, level: Real) -> SmallVec<[Vector; 8]> {
        let lowest = self.lowest(face);
        let mut corners: SmallVec<[Vector; 8]> = SmallVec::new();
        let mut look_at = |corner: Vector| {
            let corner = self.pose * corner;
            if face.dot(corner) - lowest <= level {
                corners.push(corner);
            }
        };
        match self.shape.as_typed_shape() {
            TypedShape::Cuboid(cuboid) => {
                let half = cuboid.half_extents;
                let side = |bit: usize, half: Real, corner: usize| if corner & bit == 0 { half } else { -half };
                for i in 0..8 {
                    look_at(Vector::new(side(1, half.x, i), side(2, half.y, i), side(4, half.z, i)));
                }
            }
            TypedShape::ConvexPolyhedron(hull) => hull.points().iter().copied().for_each(look_at),
            TypedShape::Capsule(capsule) => {
                let below = self.pose.rotation.inverse() * -face * capsule.radius;
                [capsule.segment.a, capsule.segment.b].into_iter().for_each(|end| look_at(end + below));
            }
            _ => {}
        }
        corners
    }

    /// Can the part touch a face of normal `face` with its point `point`? Balls and capsules do so below their core only, to
    /// within `level`; of others it is not asked.
    pub fn may_touch_at(&self, point: Vector, face: Vector, level: Real) -> bool {
        let (from, to) = match self.shape.as_typed_shape() {
            TypedShape::Ball(_) => (Vector::ZERO, Vector::ZERO),
            TypedShape::Capsule(capsule) => (capsule.segment.a, capsule.segment.b),
            _ => return true,
        };
        let (from, to) = (self.pose * from, self.pose * to);
        let aside = (point - from).reject_from_normalized(face);
        let core = (to - from).reject_from_normalized(face);
        let share = aside.dot(core) / core.length_squared().max(Real::EPSILON);
        aside.distance(core * share.clamp(0.0, 1.0)) <= level
    }

    fn same_side_or_lowest(&self, face: Vector, (point, normal): (Vector, Vector), level: Real) -> Vector {
        if Self::is_same_side(face, normal) {
            return point;
        }
        let Some(map) = self.shape.as_support_map() else { return point };
        let lowest = map.support_point(&self.pose, -face);
        if face.dot(point - lowest) <= level { point } else { lowest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rapier3d::parry::shape::{Ball, Capsule, Cuboid};

    #[test]
    fn round_bodies_touch_below_their_core() {
        let level = 1.0e-3;
        let at = |shape: &dyn Shape, x: Real, z: Real| {
            let part = TouchingPart { shape, pose: Pose::translation(1.0, 0.2, 0.0) };
            part.may_touch_at(Vector::new(1.0 + x, 0.0, z), Vector::Y, level)
        };
        let ball = Ball::new(0.2);
        assert!(at(&ball, 0.0, 0.0) && !at(&ball, 0.009, 0.0) && !at(&ball, 0.0, -0.009));
        // Anywhere along its segment, which is 0.3 long to either side, and nowhere beside it.
        let capsule = Capsule::new_x(0.3, 0.2);
        assert!(at(&capsule, -0.3, 0.0) && at(&capsule, 0.1, 0.0) && at(&capsule, 0.3, 0.0));
        assert!(!at(&capsule, 0.309, 0.0) && !at(&capsule, 0.1, 0.009));
        // Upright, it has one point as a ball has.
        let upright = Capsule::new_y(0.3, 0.2);
        assert!(at(&upright, 0.0, 0.0) && !at(&upright, 0.009, 0.0));
        // A flat underside touches anywhere.
        assert!(at(&Cuboid::new(Vector::splat(0.2)), 0.15, -0.1));
    }
}
