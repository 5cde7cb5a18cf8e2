//! Sensor crossings that only the sweep saw: a body was on neither end of the step inside a sensor it passed through.

use crate::encounter::Crossing;
use crate::resolve::Stop;
use crate::step_start::StepStart;
use crate::world::WorldSets;
use rapier3d::prelude::*;

/// Sends a started and a stopped event for each crossing that the narrow phase cannot see, and that lies before the stop of
/// its body. What an overlap at either end shows, the narrow phase reports itself, in this step or the next.
pub(crate) fn send_events(
    world: &WorldSets,
    start: &StepStart,
    stops: &[Stop],
    crossings: &[Crossing],
    events: &dyn EventHandler,
) {
    for crossing in crossings {
        let (Some(source), Some(target)) = (world.colliders.get(crossing.source), world.colliders.get(crossing.target))
        else {
            continue;
        };
        let wants_events = (source.active_events() | target.active_events()).contains(ActiveEvents::COLLISION_EVENTS);
        let stopped_before = stops.iter().any(|stop| stop.body == crossing.body && stop.fraction <= crossing.fraction);
        if !wants_events || stopped_before {
            continue;
        }
        let overlap = |place: &dyn Fn(&Collider) -> Pose| {
            world
                .narrow_phase
                .query_dispatcher()
                .intersection_test(&place(source).inv_mul(&place(target)), source.shape(), target.shape())
                .is_ok_and(|result| result.intersecting)
        };
        let at_start = |collider: &Collider| {
            let from = collider.parent().and_then(|body| start.pose(body));
            match (from, collider.position_wrt_parent()) {
                (Some(from), Some(place)) => *from * *place,
                _ => *collider.position(),
            }
        };
        if overlap(&at_start) || overlap(&|collider| *collider.position()) {
            continue;
        }
        let (a, b) = (crossing.source, crossing.target);
        for event in [
            CollisionEvent::Started(a, b, CollisionEventFlags::SENSOR),
            CollisionEvent::Stopped(a, b, CollisionEventFlags::SENSOR),
        ] {
            events.handle_collision_event(world.bodies, world.colliders, event, None);
        }
    }
}
