//! What stands at a surface from the step's start, and would go on into it.

use crate::encounter::{Bounce, Response, View};
use crate::impact::Striker;
use crate::meeting::{Obstacle, Source, friction_of};
use crate::seams::user_asks_for_contacts;
use crate::surfaces::is_massless;
use crate::sweep::Hit;
use rapier3d::parry::shape::TypedShape;
use rapier3d::prelude::*;

impl View<'_> {
    /// What becomes of a source that is stopped, if it stands at its target from the start. The solver had its turn, and whatever it
    /// knows of the target did not keep the source from going on into it: there the law of restitution, without rebound, takes the
    /// velocity off. If the source was only stopped, it would fall on by its velocity, and stand there for ever.
    pub fn response_of_standing(
        &self,
        (source, obstacle): (&Source, &Obstacle),
        (hit, from): (&Hit, Real),
    ) -> Response {
        let Some(point) = hit.stands_at else { return Response::Stop };
        let Some(body) = self.filter.bodies.get(source.mover.handle) else { return Response::Stop };
        let is_games = user_asks_for_contacts(source.collider) || user_asks_for_contacts(obstacle.collider);
        if is_games || !is_massless(obstacle.collider, self.filter.bodies) || is_behind_sheet(obstacle, hit) {
            return Response::Stop;
        }
        let flight = self.flight(source.mover);
        let velocity = match flight {
            Some(flight) => flight.velocity_at_point(point, from),
            None => Striker::new(body, &source.mover.motion.pose_at(from), *body.vels()).velocity_at(point),
        };
        let bounce = Bounce {
            point,
            parting_speed: velocity.dot(hit.normal),
            surface_velocity: Vector::ZERO,
            restitution: 0.0,
            friction: friction_of(source.collider, obstacle.collider),
            stands: true,
        };
        let goes_on = bounce.parting_speed < 0.0;
        // What only tips over its contact lands too, once in a step: the sweep lets go of what has landed (`sweep/hold.rs`).
        if flight.is_some() && (goes_on || source.mover.impacts == 0) {
            Response::Bounce(bounce)
        } else if goes_on && self.owners.moves_alone(source.mover.handle, body) {
            Response::Settle(bounce)
        } else {
            Response::Stop
        }
    }
}

/// Is the source behind a sheet that the engine takes for one-sided? It has no contact for it, and never will. So the source has to
/// keep its velocity: what gets too slow to be swept would sink through.
fn is_behind_sheet(obstacle: &Obstacle, hit: &Hit) -> bool {
    let constraints = match obstacle.collider.shape().as_typed_shape() {
        TypedShape::TriMesh(mesh) => mesh.triangle_normal_constraints(hit.element),
        TypedShape::HeightField(field) => field.triangle_normal_constraints(hit.element),
        _ => None,
    };
    let face = constraints.filter(|constraints| !constraints.two_sided).map(|constraints| constraints.face);
    face.is_some_and(|face| (obstacle.start.rotation * face).dot(hit.normal) < 0.0)
}
