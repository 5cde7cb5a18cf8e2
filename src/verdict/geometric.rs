//! Third question: are the shapes within reach of each other, although the engine dropped the points?

use super::Reference;
use crate::contact_query::{PosedShape, contact};
use crate::normal_cone::persistent_target_normal;
use rapier3d::math::{Real, Vector};
use rapier3d::parry::query::QueryDispatcher;

/// The normal of a pair whose manifold has no points, if the shapes are within `prediction` of each other.
///
/// The internal-edge rule of the narrow phase drops the points of a step now and then, while the body rides on. One
/// contact query at the given poses decides. The result is a unit vector in world space from target to source: the
/// normal of the target's side, projected by [`persistent_target_normal`].
///
/// Returns `None` where the shapes are farther apart, where the dispatcher knows no contact query for them, and where the
/// query's normal is not finite. Source: seed document of the verdict, decision 1.
pub fn geometric_contact_normal(
    dispatcher: &dyn QueryDispatcher,
    source: &PosedShape,
    target: &PosedShape,
    prediction: Real,
) -> Option<Vector> {
    reference(dispatcher, source, target, prediction).map(|reference| reference.normal)
}

/// Like [`geometric_contact_normal`], with the face's point and distance.
pub(super) fn reference(
    dispatcher: &dyn QueryDispatcher,
    source: &PosedShape,
    target: &PosedShape,
    prediction: Real,
) -> Option<Reference> {
    let contact = contact(dispatcher, source, target, prediction)?;
    Some(Reference {
        normal: persistent_target_normal(target, contact.target_part, contact.target_normal),
        point: contact.target_point,
        distance: contact.distance,
    })
}
