//! Glancing hits: a source that comes in at a shallow angle stays on what it hit instead of stopping there.
//!
//! A stop gives up the rest of the step, which a body that lands, or rides up a ramp, would have spent moving along the
//! surface: a hitch as long as the step is fast. Letting it sink instead leaves the solver a deep penetration to push out.
//! So the end of the motion is lifted along the normal of the hit until the source just touches, which is where a frictionless
//! contact without restitution would have taken it. Velocities stay: the next step's solver finds the contact and the
//! approach, and answers it.

use super::face_test::ElementContact;
use super::{PairSweep, Target};
use crate::element::Element;
use crate::settings::SweepPolicy;
use rapier3d::math::{ComplexField, Pose, Real};

impl PairSweep<'_> {
    /// How far to lift the end of the motion after a hit with this contact; `None` if the hit is no glance.
    ///
    /// It is one if the target stands still, the source's path is within the face angle of the plane of contact, and the
    /// target, on a face like that one, is still near where the lift takes the source: no farther below than it was
    /// lifted, or than contacts are seen. Otherwise the body would leave the surface without ever being turned by it.
    pub(super) fn glance(&self, target: &Target, element: &Element, contact: Option<&ElementContact>) -> Option<Real> {
        let contact = contact?;
        if self.rules.settings.sweep_policy != SweepPolicy::FaceTested || !self.motion.is_past_fixed() {
            return None;
        }
        let (from, to) = self.motion.source.center_path();
        let path = to - from;
        let shallow = ComplexField::sin(self.rules.settings.face_angle);
        if -path.dot(contact.normal) > shallow * path.length() {
            return None;
        }
        let end = self.source_pose(1.0);
        let lift = element.highest(contact.normal) - self.part.lowest(&end, contact.normal);
        if !(lift.is_finite() && lift > 0.0) {
            return None;
        }
        let lifted = Pose::from_parts(end.translation + contact.normal * lift, end.rotation);
        let to_target = lifted.inv_mul(&self.motion.target_pose(1.0));
        let touch = self
            .rules
            .dispatcher
            .contact(&to_target, self.part.shape, target.shape, lift + self.rules.tolerances.prediction)
            .ok()??;
        let cosine = -(lifted.rotation * touch.normal1).dot(contact.normal);
        (cosine >= self.face_cosine()).then_some(lift)
    }
}
