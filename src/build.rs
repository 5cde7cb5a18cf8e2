//! What a body's colliders make of it.

use crate::source::inner_radius;
use rapier3d::prelude::*;

/// How thin a body is, and whether it bounces.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Build {
    /// \[length] The inner radius of its thinnest collider; `Real::MAX` if none is ever swept.
    pub inner_radius: Real,
    /// One of its colliders gives back something of a blow.
    pub is_bouncy: bool,
}

impl Build {
    /// The build of `body`.
    pub fn of(body: &RigidBody, colliders: &ColliderSet) -> Self {
        let none = Self { inner_radius: Real::MAX, is_bouncy: false };
        swept_colliders(body, colliders).fold(none, |build, collider| Self {
            inner_radius: build.inner_radius.min(inner_radius(collider.shape())),
            is_bouncy: build.is_bouncy || collider.material().restitution > 0.0,
        })
    }
}

/// The colliders of a body that may be swept.
pub(crate) fn swept_colliders<'a>(
    body: &'a RigidBody,
    colliders: &'a ColliderSet,
) -> impl Iterator<Item = &'a Collider> {
    body.colliders().iter().filter_map(|handle| colliders.get(*handle)).filter(|collider| collider.is_enabled())
}
