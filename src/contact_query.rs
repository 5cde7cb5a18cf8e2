//! One contact query between two shapes at their places.

use crate::source::SourcePart;
use rapier3d::math::{Pose, Real, Vector};
use rapier3d::parry::query::QueryDispatcher;
use rapier3d::parry::shape::{HalfSpace, Shape};

/// A shape at a place.
#[derive(Copy, Clone)]
pub struct PosedShape<'a> {
    /// The shape.
    pub shape: &'a dyn Shape,
    /// Where it is.
    pub pose: Pose,
}

impl PosedShape<'_> {
    /// Is a point of the shape, or its surface if it is a mesh, within `distance` of `point`? Of a mesh only what is near is looked at.
    pub(crate) fn reaches(&self, point: Vector, distance: Real) -> bool {
        self.shape.project_point_with_max_dist(&self.pose, point, true, distance).is_some()
    }
}

/// The contact of a source with a target, in the frame of their poses. Both normals are unit and point from target to
/// source; they differ by rounding, and where one side is a sharp corner.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct ShapeContact {
    /// The source's own normal, reversed.
    pub source_normal: Vector,
    /// The target's normal.
    pub target_normal: Vector,
    /// The contact point on the target.
    pub target_point: Vector,
    /// \[length] The distance; negative where the shapes overlap.
    pub distance: Real,
    /// The part of a composite target that was touched.
    pub target_part: u32,
}

/// The deepest contact between the shapes within the distance `reach`; `None` if there is none, if the dispatcher does not
/// know the shapes, or if the result is not finite.
pub(crate) fn contact(
    dispatcher: &dyn QueryDispatcher,
    source: &PosedShape,
    target: &PosedShape,
    reach: Real,
) -> Option<ShapeContact> {
    let answer = match target.shape.as_halfspace() {
        Some(half_space) => contact_with_half_space(source, half_space, &target.pose)?,
        None => {
            let to_source = target.pose.inv_mul(&source.pose);
            let contact = dispatcher.contact(&to_source, target.shape, source.shape, reach).ok()??;
            ShapeContact {
                source_normal: -(source.pose.rotation * contact.normal2),
                target_normal: target.pose.rotation * contact.normal1,
                target_point: target.pose * contact.point1,
                distance: contact.dist,
                target_part: contact.subshape1,
            }
        }
    };
    let is_finite = answer.source_normal.is_finite() && answer.target_normal.is_finite() && answer.distance.is_finite();
    (is_finite && answer.distance <= reach).then_some(answer)
}

/// The contact with a half-space, by the source's lowest point.
///
/// Parry 0.31 forgets to invert the relative pose where the half-space comes second
/// (`query/contact/contact_halfspace_support_map.rs`), which a compound makes it do in either order.
fn contact_with_half_space(source: &PosedShape, half_space: &HalfSpace, pose: &Pose) -> Option<ShapeContact> {
    let normal = pose.rotation * half_space.normal;
    let mut lowest = Real::MAX;
    SourcePart::for_each(source.shape, &Pose::IDENTITY, &mut |part| {
        lowest = lowest.min(part.lowest(&(source.pose * part.local), normal));
    });
    if lowest == Real::MAX {
        return None;
    }
    let distance = lowest - normal.dot(pose.translation);
    let height = normal.dot(source.pose.translation - pose.translation);
    Some(ShapeContact {
        source_normal: normal,
        target_normal: normal,
        target_point: source.pose.translation - normal * height,
        distance,
        target_part: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rapier3d::parry::query::DefaultQueryDispatcher;
    use rapier3d::parry::shape::Capsule;

    #[test]
    fn a_capsule_over_a_half_space_touches_it_below_itself() {
        let capsule = Capsule::new_y(0.5, 0.25);
        let turned = Pose::new(Vector::new(3.0, 0.5, 8.0), Vector::new(0.0, 0.7, 1.2));
        let ground = HalfSpace::new(Vector::Y);
        let source = PosedShape { shape: &capsule, pose: turned };
        let target = PosedShape { shape: &ground, pose: Pose::IDENTITY };
        let touch = contact(&DefaultQueryDispatcher, &source, &target, 0.1).expect("it is half buried");
        // The lower end of the axis is at 0.5 − 0.5·cos(tilt), and the surface a radius below it.
        let axis = turned.rotation * Vector::Y;
        assert!((touch.distance - (0.5 - 0.5 * axis.y - 0.25)).abs() < 1e-5);
        assert!(touch.source_normal.distance(Vector::Y) < 1e-5 && touch.target_normal.distance(Vector::Y) < 1e-5);
        assert!(touch.target_point.y.abs() < 1e-5);
    }
}
