//! Hits on edges that are not there: what a triangle's rim means where the surface goes on beyond it.

use super::face_test::ElementContact;
use super::time_of_impact::TimeOfImpact;
use super::{PairSweep, Target};
use crate::element::{Element, ElementShape, for_each_element};
use crate::verdict::Reference;
use rapier3d::math::{Real, Vector};
use rapier3d::parry::bounding_volume::Aabb;
use rapier3d::parry::query::PointQuery;

/// A contact normal whose cosine with the triangle's own is above this (2.6°) is a hit on its face, not on its rim.
const FACE_COSINE: Real = 0.999;

/// A probe above the contact point that another triangle is nearer to than this share of its height lies over that
/// triangle: the surface goes on there. Where the normal is one that the edge really has, the nearest point of the other
/// triangle is on the edge, and the share is 1.
const COVERED: Real = 0.99;

/// In slops: how near a triangle must be to the contact point to share it. Generous to rounding, and to T-junctions.
const SHARED_POINT: Real = 0.1;

impl PairSweep<'_> {
    /// Mends a hit on the rim of a triangle where that rim is no obstacle.
    ///
    /// A box that rides a millimetre low meets the near edge of the next triangle head on, whatever way that triangle faces,
    /// and a wheel on a ridge meets it sideways. What the source can really hit is the triangle's face: the hit gets that
    /// normal, and the time at which the source crosses the face's plane. Returns `None` if it never does. A rim where the
    /// surface ends is left alone: the edge of an open wall stops a blade.
    pub(super) fn mend_at_rim(
        &self,
        (target, element): (&Target, &Element),
        references: &[Reference],
        (hit, contact): (TimeOfImpact, ElementContact),
    ) -> Option<(TimeOfImpact, ElementContact)> {
        let Some(face) = element.face_normal().filter(|_| self.motion.target_is_still()) else {
            return Some((hit, contact));
        };
        let cosine = face.dot(contact.normal);
        if cosine.abs() >= FACE_COSINE {
            // On the face itself. The closest points of two shapes that all but touch leave the normal uncertain by degrees,
            // which a wide slab multiplies: the plane is what it is.
            let normal = if cosine < 0.0 { -face } else { face };
            return Some((hit, ElementContact { normal, ..contact }));
        }
        if !self.is_on_top(&contact, references) && !self.is_covered((target, element), &contact) {
            return Some((hit, contact));
        }
        let normal = self.towards_source(element, face);
        let fraction = self.path.crosses(normal, element.highest(normal))?;
        let hit = TimeOfImpact { fraction: fraction.max(hit.fraction), overlapped: false };
        Some((hit, ElementContact { normal, ..contact }))
    }

    /// The normal of a hit of a source in free flight: that of the triangle's face where the hit is on a rim beyond which the
    /// surface goes on.
    pub(super) fn normal_at_rim(&self, (target, element): (&Target, &Element), contact: &ElementContact) -> Vector {
        match element.face_normal() {
            Some(face)
                if self.motion.target_is_still()
                    && face.dot(contact.normal).abs() < FACE_COSINE
                    && self.is_covered((target, element), contact) =>
            {
                self.towards_source(element, face)
            }
            _ => contact.normal,
        }
    }

    /// The normal of a triangle's plane, towards the side on which the source starts.
    pub(super) fn towards_source(&self, element: &Element, face: Vector) -> Vector {
        let (from, _) = self.motion.source.center_path();
        if face.dot(from) < element.highest(face) { -face } else { face }
    }

    /// Is the contact point no higher above the source's lowest point, along a reference, than the source is deep in that
    /// face, plus a slop? Then the source is on top of it, not in front of it.
    fn is_on_top(&self, contact: &ElementContact, references: &[Reference]) -> bool {
        references.iter().any(|reference| {
            let up = self.motion.direction_in_frame(reference.normal);
            let height = up.dot(contact.point) - self.part.lowest(&contact.source_pose, up);
            height <= reference.depth() + self.rules.tolerances.slop
        })
    }

    /// Does another triangle of the target, with the contact point on it, cover the place that the contact's normal points
    /// to? Then the surface goes on there, and that triangle is what the source meets.
    fn is_covered(&self, (target, element): (&Target, &Element), contact: &ElementContact) -> bool {
        let slop = self.rules.tolerances.slop;
        let place = self.motion.target_pose(0.0);
        let point = place.inverse_transform_point(contact.point);
        let probe = point + place.rotation.inverse() * contact.normal * slop;
        let near = Aabb::new(point - Vector::splat(slop), point + Vector::splat(slop));
        let mut covered = false;
        for_each_element(target.shape, &near, &mut |other| {
            if let ElementShape::Triangle(triangle, _) = &other.shape
                && (other.id != element.id)
                && triangle.distance_to_point(&other.local, point, true) <= SHARED_POINT * slop
            {
                covered |= triangle.distance_to_point(&other.local, probe, true) <= COVERED * slop;
            }
        });
        covered
    }
}
