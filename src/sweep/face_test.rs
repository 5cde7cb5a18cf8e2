//! The face test: is a hit on the face that carries the source already?

use super::PairSweep;
use crate::element::Element;
use crate::verdict::Reference;
use rapier3d::math::{ComplexField, Pose, Real, Vector};

/// The contact of the source with one element at the time of a hit, in the frame of the pair.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct ElementContact {
    /// Unit, from target to source: the source's own normal, reversed.
    pub normal: Vector,
    /// The contact point on the element.
    pub point: Vector,
    /// The source part's pose at the time.
    pub source_pose: Pose,
}

/// The outcome of a face test.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct FaceTest {
    /// The hit is on a face that carries the source.
    pub same_face: bool,
    /// \[rad] The smallest angle between the hit's normal and a reference normal, if the query found a normal.
    pub angle: Option<Real>,
}

impl PairSweep<'_> {
    /// The contact with `element` at fraction `t`, within the face test's tolerance.
    pub(super) fn contact(&self, element: &Element, t: Real) -> Option<ElementContact> {
        let source = self.source_pose(t);
        let target = self.element_pose(element, t);
        let reach = self.rules.tolerances.face_test();
        let contact =
            self.rules.dispatcher.contact(&source.inv_mul(&target), self.part.shape, element.shape(), reach).ok()??;
        let normal = -(source.rotation * contact.normal1);
        normal.is_finite().then(|| ElementContact { normal, point: target * contact.point2, source_pose: source })
    }

    /// Is the hit with this contact on the face that carries the source?
    ///
    /// The seed document's rule, per element: the contact's raw normal is within the face angle of a reference normal.
    /// (Projecting it into the triangle's pseudo-normal cone first is refused there: it lets a blade that hits the rim of
    /// an open wall pass for lying on the wall.) One element can also be met by its rim while its face carries the source:
    /// a box that rides a millimetre low meets the edge of the next triangle head on. There the contact point tells: if
    /// the element's face is like a reference, and the point is no higher above the source's lowest point than what the
    /// source already is inside the face, plus a slop, then the source is on top of that face, not in front of it.
    pub(super) fn face_test(
        &self,
        element: &Element,
        contact: Option<&ElementContact>,
        references: &[Reference],
    ) -> FaceTest {
        // Nothing within the tolerance: not the face that carries the source, which is.
        let Some(contact) = contact else { return FaceTest { same_face: false, angle: None } };
        let face_cosine = self.face_cosine();
        let mut cosine: Real = -1.0;
        let mut on_top = false;
        for reference in references {
            let normal = self.motion.direction_in_frame(reference.normal);
            cosine = cosine.max(normal.dot(contact.normal));
            on_top |= self.is_on_top(element, contact, (normal, reference.depth()));
        }
        let angle = ComplexField::acos(cosine.clamp(-1.0, 1.0));
        FaceTest { same_face: cosine >= face_cosine || on_top, angle: Some(angle) }
    }

    /// Is the element's face like the reference `(normal, depth)`, and the contact no higher than the source's underside?
    fn is_on_top(&self, element: &Element, contact: &ElementContact, reference: (Vector, Real)) -> bool {
        let (normal, depth) = reference;
        // The frame is the target's own where the target stands still; a turning target has no reference by its face.
        self.motion.target_is_still()
            && element.face_normal().is_some_and(|face| face.dot(normal).abs() >= self.face_cosine())
            && normal.dot(contact.point) - self.part.lowest(&contact.source_pose, normal)
                <= depth + self.rules.tolerances.slop
    }

    /// The cosine of the face angle.
    pub(super) fn face_cosine(&self) -> Real {
        ComplexField::cos(self.rules.settings.face_angle)
    }
}
