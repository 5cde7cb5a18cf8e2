//! Glancing hits: a source that comes in at a shallow angle stays on what it hit instead of stopping there.
//!
//! A stop gives up the rest of the step, which a body that lands, or rides up a ramp, would have spent moving along the
//! surface: a hitch as long as the step is fast. Letting it sink instead leaves the solver a deep penetration to push out.
//! So the end of the motion is lifted along the normal of the hit until the source just touches, which is where a frictionless
//! contact without restitution would have taken it. Velocities stay: the next step's solver finds the contact and the
//! approach, and answers it.

use super::face_test::ElementContact;
use super::{PairSweep, Target};
use crate::contact_query::{PosedShape, contact};
use crate::element::Element;
use crate::settings::SweepPolicy;
use rapier3d::math::{ComplexField, Pose, Real, Vector};

/// How a source comes in to what it hits.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum Slant {
    /// Not at a shallow angle, or not so that the surface would carry it on.
    Steep,
    /// At a shallow angle, and the surface carries it on: lift the end of the motion by this length along the normal.
    Glancing(Real),
    /// At a shallow angle, over a crest that it has left again by the end of the motion.
    Grazing,
}

impl Slant {
    /// The lift of a glancing hit.
    pub fn lift(self) -> Option<Real> {
        if let Self::Glancing(lift) = self { Some(lift) } else { None }
    }
}

/// A body whose touching point moves more than this many times as far by its spin as its centre does turns rather than moves.
const TURNS: Real = 2.0;

impl PairSweep<'_> {
    /// What a hit with this contact is.
    ///
    /// A glance needs a target that stands still, and a path within the face angle of the plane of contact. The lift keeps
    /// the source beyond that plane for the whole step; where it takes the source, the target must be touched on a face like
    /// that one, so that the next step's solver is sure to find a contact. Without it a body would be lifted step after step,
    /// and fall faster and faster, without ever being turned by the ground. Where the ground falls away behind a crest there
    /// is no such touch, but the source has left the element by the end of the step: it has grazed it.
    pub(super) fn slant(&self, target: &Target, element: &Element, contact: Option<&ElementContact>) -> Slant {
        let Some(contact) = contact else { return Slant::Steep };
        if self.rules.settings.sweep_policy != SweepPolicy::FaceTested || !self.motion.is_past_fixed() {
            return Slant::Steep;
        }
        let source = &self.motion.source;
        let (from, to) = source.center_path();
        let path = to - from;
        // A body that turns rather than moves comes in with the point that touches: a spinning bar does not glance off what
        // it sweeps through. A rolling wheel moves as fast as it turns.
        let center = contact.source_pose * self.part.local.inverse_transform_point(source.local_center());
        let swept = source.spin().cross(contact.point - center);
        let turns = swept.length() > TURNS * path.length();
        let approach = -if turns { path + swept } else { path }.dot(contact.normal);
        let shallow = ComplexField::sin(self.rules.settings.face_angle);
        if approach > shallow * path.length() {
            return Slant::Steep;
        }
        // Nothing of a convex element is in front of a true plane of contact: where something is, the normal is off.
        let touched = contact.normal.dot(contact.point) + self.rules.tolerances.slop;
        let lift = element.highest(contact.normal).min(touched) - self.path.lowest(contact.normal);
        let Some(gap) = self.gap_after(lift, target, contact.normal) else {
            return if self.has_left(element) { Slant::Grazing } else { Slant::Steep };
        };
        if gap <= self.rules.tolerances.prediction {
            Slant::Glancing(lift)
        } else if self.has_left(element) {
            Slant::Grazing
        } else if lift - gap > self.rules.tolerances.slop {
            // Put down again on what lies behind the crest.
            Slant::Glancing(lift - gap)
        } else {
            Slant::Steep
        }
    }

    /// Is the source clear of the element at the end of the motion?
    fn has_left(&self, element: &Element) -> bool {
        self.depth_in(element, 1.0) <= self.rules.tolerances.slop
    }

    /// \[length] How deep the source is in the element at fraction `t`, at least 0.
    pub(super) fn depth_in(&self, element: &Element, t: Real) -> Real {
        let source = PosedShape { shape: self.part.shape, pose: self.source_pose(t) };
        let element = PosedShape { shape: element.shape(), pose: self.element_pose(element, t) };
        contact(self.rules.dispatcher, &source, &element, 0.0).map_or(0.0, |contact| (-contact.distance).max(0.0))
    }

    /// How far the source is from the target, on a face whose normal is like `normal`, when the end of its motion is lifted
    /// along `normal`. `None` if that is farther than it was lifted and a contact is seen from.
    fn gap_after(&self, lift: Real, target: &Target, normal: Vector) -> Option<Real> {
        let end = self.source_pose(1.0);
        let lifted = Pose::from_parts(end.translation + normal * lift, end.rotation);
        let source = PosedShape { shape: self.part.shape, pose: lifted };
        let target = PosedShape { shape: target.shape, pose: self.motion.target_pose(1.0) };
        let reach = lift + self.rules.tolerances.prediction;
        let contact = contact(self.rules.dispatcher, &source, &target, reach).filter(|_| lift.is_finite())?;
        (contact.source_normal.dot(normal) >= self.face_cosine()).then_some(contact.distance)
    }
}
