//! Collision events that only the sweep can tell of: a body was on neither end of the step inside a sensor it passed through,
//! or near a surface it bounced off.

use crate::constants::Tolerances;
use crate::contact_query::{PosedShape, contact};
use crate::encounter::Crossing;
use crate::report::Impact;
use crate::resolve::{Resolution, Stop};
use crate::step_start::StepStart;
use crate::world::WorldSets;
use rapier3d::prelude::*;

/// Sends a started and a stopped event for each crossing that the narrow phase cannot see, and that lies before the stop of
/// its body. What an overlap at either end shows, the narrow phase reports itself, in this step or the next.
pub(crate) fn send_events(
    (world, start): (&WorldSets, &StepStart),
    resolution: &Resolution,
    crossings: &[Crossing],
    events: &dyn EventHandler,
) {
    for crossing in crossings {
        let (Some(source), Some(target)) = (world.colliders.get(crossing.source), world.colliders.get(crossing.target))
        else {
            continue;
        };
        let wants_events = (source.active_events() | target.active_events()).contains(ActiveEvents::COLLISION_EVENTS);
        if !wants_events || never_gets_there(world, resolution, crossing) {
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

/// Does the body stop or bounce before it comes to the sensor?
fn never_gets_there(world: &WorldSets, resolution: &Resolution, crossing: &Crossing) -> bool {
    let stops = |stop: &Stop| stop.body == crossing.body && stop.fraction <= crossing.fraction;
    let mut bounces = resolution.impacts.iter().filter(|impact| impact.body == crossing.body);
    let next = bounces.nth(crossing.bounces as usize);
    next.is_some_and(|impact| impact.time <= crossing.fraction * world.integration_parameters.dt)
        || resolution.stops.iter().any(stops)
}

/// Sends a started and a stopped event for each pair that bounced, if the narrow phase saw nothing of it: neither was it in
/// contact at the step's start, nor is it near enough at the end for the next step to find it so.
pub(crate) fn send_bounces(world: &WorldSets, impacts: &[Impact], events: &dyn EventHandler) {
    for (index, impact) in impacts.iter().enumerate() {
        let (a, b) = (impact.source, impact.target);
        let (Some(source), Some(target)) = (world.colliders.get(a), world.colliders.get(b)) else { continue };
        let wants_events = (source.active_events() | target.active_events()).contains(ActiveEvents::COLLISION_EVENTS);
        let is_repeated = impacts[..index].iter().any(|earlier| (earlier.source, earlier.target) == (a, b));
        if !wants_events || is_repeated {
            continue;
        }
        let was_seen = world.narrow_phase.contact_pair(a, b).is_some_and(ContactPair::has_any_active_contact);
        let source = PosedShape { shape: source.shape(), pose: *source.position() };
        let target = PosedShape { shape: target.shape(), pose: *target.position() };
        let prediction = Tolerances::new(world.integration_parameters).prediction;
        let dispatcher = world.narrow_phase.query_dispatcher();
        if was_seen || contact(dispatcher, &source, &target, prediction).is_some() {
            continue;
        }
        for event in [
            CollisionEvent::Started(a, b, CollisionEventFlags::empty()),
            CollisionEvent::Stopped(a, b, CollisionEventFlags::empty()),
        ] {
            events.handle_collision_event(world.bodies, world.colliders, event, None);
        }
    }
}
