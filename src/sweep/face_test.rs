//! The face test: is a hit on the face that carries the source already?

use super::PairSweep;
use crate::contact_query::{PosedShape, contact};
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
        let source_pose = self.source_pose(t);
        let source = PosedShape { shape: self.part.shape, pose: source_pose };
        let target = PosedShape { shape: element.shape(), pose: self.element_pose(element, t) };
        let touch = contact(self.rules.dispatcher, &source, &target, self.rules.tolerances.face_test())?;
        Some(ElementContact { normal: touch.source_normal, point: touch.target_point, source_pose })
    }

    /// The smallest angle between the hit's normal and the reference normals, and whether it is within the face angle: then
    /// the hit is on the face that carries the source.
    ///
    /// The seed document's rule, per element. (Projecting the normal into the triangle's pseudo-normal cone first is refused
    /// there: it lets a blade that hits the rim of an open wall pass for lying on the wall.)
    pub(super) fn face_test(&self, contact: Option<&ElementContact>, references: &[Reference]) -> FaceTest {
        // Nothing within the tolerance: not the face that carries the source, which is.
        let Some(contact) = contact else { return FaceTest { same_face: false, angle: None } };
        let normal = self.motion.direction_in_world(contact.normal);
        let cosine = references.iter().fold(-1.0, |best: Real, reference| best.max(reference.normal.dot(normal)));
        let angle = ComplexField::acos(cosine.clamp(-1.0, 1.0));
        FaceTest { same_face: cosine >= self.face_cosine(), angle: Some(angle) }
    }

    /// The cosine of the face angle.
    pub(super) fn face_cosine(&self) -> Real {
        ComplexField::cos(self.rules.settings.face_angle)
    }
}
