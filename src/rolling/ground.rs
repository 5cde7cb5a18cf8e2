//! What is below a body after the step.

use super::CARRIES;
use crate::contact_query::{PosedShape, contact};
use crate::element::for_each_element;
use crate::filter::{Filter, PairKind};
use crate::world::WorldSets;
use rapier3d::parry::bounding_volume::BoundingVolume;
use rapier3d::parry::query::QueryDispatcher;
use rapier3d::prelude::*;

/// The fixed colliders of the world, after the step.
pub(super) struct Ground<'a> {
    filter: Filter<'a>,
    dispatcher: &'a dyn QueryDispatcher,
    broad_phase: &'a BroadPhaseBvh,
}

impl<'a> Ground<'a> {
    /// That of this world.
    pub fn of(world: &'a WorldSets, hooks: &'a dyn PhysicsHooks) -> Self {
        let filter = Filter {
            bodies: world.bodies,
            colliders: world.colliders,
            impulse_joints: world.impulse_joints,
            multibody_joints: world.multibody_joints,
            hooks,
        };
        Self { filter, dispatcher: world.narrow_phase.query_dispatcher(), broad_phase: world.broad_phase }
    }

    /// Does a fixed collider that is solid for `source` come within `distance` of `point`?
    pub fn reaches(&self, source: ColliderHandle, point: Vector, distance: Real) -> bool {
        let Some(collider) = self.filter.colliders.get(source) else { return false };
        let bounds = Aabb::new(point, point).loosened(distance);
        self.query().intersect_aabb_conservative(bounds).any(|(handle, target)| {
            self.filter.kind((source, collider), (handle, target)) == Some(PairKind::Solid)
                && PosedShape { shape: target.shape(), pose: *target.position() }.reaches(point, distance)
        })
    }

    fn query(&self) -> QueryPipeline<'_> {
        self.broad_phase.as_query_pipeline(
            self.dispatcher,
            self.filter.bodies,
            self.filter.colliders,
            QueryFilter::only_fixed(),
        )
    }

    /// \[length] How far `source`, moved by `shift` and lifted by `lift` along `normal`, is above a fixed face of about that normal: negative if it
    /// is deep in it, `None` if there is no such face within the lift.
    pub fn gap_below(&self, source: ColliderHandle, shift: Vector, (normal, lift): (Vector, Real)) -> Option<Real> {
        let collider = self.filter.colliders.get(source)?;
        let parent = self.filter.bodies.get(collider.parent()?)?;
        let place = collider.position_wrt_parent().copied().unwrap_or(Pose::IDENTITY);
        let pose = *parent.position() * place;
        let pose = Pose::from_parts(pose.translation + shift + normal * lift, pose.rotation);
        let bounds = collider.shape().compute_aabb(&pose).loosened(lift + collider.contact_skin());
        let mut least: Option<Real> = None;
        for (handle, target) in self.query().intersect_aabb_conservative(bounds) {
            if self.filter.kind((source, collider), (handle, target)) != Some(PairKind::Solid) {
                continue;
            }
            let skins = collider.contact_skin() + target.contact_skin();
            let local = bounds.loosened(target.contact_skin()).transform_by(&target.position().inverse());
            let source = PosedShape { shape: collider.shape(), pose };
            for_each_element(target.shape(), &local, &mut |element| {
                let target = PosedShape { shape: element.shape(), pose: *target.position() * element.local };
                let Some(touch) = contact(self.dispatcher, &source, &target, lift + skins) else { return };
                let cosine = touch.target_normal.dot(normal);
                if cosine >= CARRIES {
                    let gap = (touch.distance - skins) / cosine;
                    least = Some(least.map_or(gap, |least| least.min(gap)));
                }
            });
        }
        least
    }
}
