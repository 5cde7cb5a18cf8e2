//! One step's decisions, in words.

use crate::case::{Case, Run};
use crate::check::judge::shown;
use crate::engine::Engine;
use crate::error::Fault;
use crate::scene::Scene;
use rapier3d::prelude::*;
use rapier3d_persistent_contacts::{Clamp, Evidence, HitOutcome, HitTrace, Impact, PairTrace, SweptShape, Verdict};
use std::fmt::Write;

/// Runs a case with the library's engine up to a step, and tells what that step decided about a body.
///
/// # Errors
/// A fixture at fault, a body that is not there, or a step that the fixture does not have.
pub fn explain(case: &Case, run: &Run, body: &str, step: usize) -> Result<String, Fault> {
    let mut scene = Scene::build(case, run, Engine::Persistent)?;
    let handle = scene.bodies[scene.body(body, 0)?].handle;
    if step == 0 || step > scene.steps {
        return Err(Fault::in_field("step", format!("must be from 1 to {}, is {step}", scene.steps)));
    }
    for earlier in 1..step {
        scene.step(earlier, &());
    }
    let before = motion(&scene, handle);
    scene.stepper.contacts().set_tracing(true);
    scene.step(step, &());
    let after = motion(&scene, handle);
    let mut text = String::new();
    let label = run.label();
    let run_label = if label.is_empty() { String::new() } else { format!(", {label}") };
    line(&mut text, &format!("{}{run_label}: step {step} of {}, body `{body}`", case.name(), scene.steps));
    line(&mut text, &travelled(before, after, scene.world.integration_parameters.dt));
    let contacts = scene.stepper.contacts();
    let (pairs, stops) = (contacts.trace().pairs.clone(), contacts.trace().stops.clone());
    let report = contacts.last_step().clone();
    let names = Names(&scene);
    let about: Vec<_> = pairs.iter().filter(|pair| names.is_about(pair, handle)).collect();
    if about.is_empty() {
        line(&mut text, "\nNo pair of this body was swept: it is too slow to pass through anything in one step.");
    }
    for pair in about {
        names.pair(&mut text, pair);
    }
    line(&mut text, "\nWhat was done");
    let mut idle = true;
    for clamp in report.clamps().iter().filter(|clamp| clamp.body == handle) {
        line(&mut text, &names.clamp(clamp));
        idle = false;
    }
    for impact in report.impacts().iter().filter(|impact| impact.body == handle) {
        line(&mut text, &names.impact(impact));
        idle = false;
    }
    for stop in stops.iter().filter(|stop| stop.body == handle && stop.hit_by != handle) {
        let (percent, by) = (percent(stop.fraction), names.body(stop.hit_by));
        line(
            &mut text,
            &format!("  stopped at {percent} of the step, because `{by}` is tied to it by joints and was hit"),
        );
        idle = false;
    }
    if idle {
        line(&mut text, "  nothing: the body played the whole step");
    }
    Ok(text)
}

/// Place and velocity of a body; `None` once it is removed.
type Motion = Option<(Vector, Vector)>;

fn motion(scene: &Scene, handle: RigidBodyHandle) -> Motion {
    scene.world.bodies.get(handle).map(|body| (body.translation(), body.linvel()))
}

fn travelled(before: Motion, after: Motion, dt: Real) -> String {
    let (Some((start, velocity)), Some((end, new_velocity))) = (before, after) else {
        return "The body is not in the world in this step.".into();
    };
    let (way, wanted) = (start.distance(end), velocity.length() * dt);
    let share = if wanted > 0.0 { format!(", {} of it", percent(way / wanted)) } else { String::new() };
    format!(
        "  from {} to {} m\n  advanced {} m where speed·dt is {} m{share}\n  velocity {} m/s, then {} m/s",
        triple(start),
        triple(end),
        shown(way.into()),
        shown(wanted.into()),
        triple(velocity),
        triple(new_velocity)
    )
}

/// Names what the trace has handles of.
struct Names<'a>(&'a Scene);

impl Names<'_> {
    fn collider(&self, handle: ColliderHandle) -> String {
        match self.0.colliders.iter().find(|collider| collider.handle == handle) {
            Some(collider) if collider.number.1 > 1 => format!("{} #{}", collider.name, collider.number.0),
            Some(collider) => collider.name.clone(),
            None => "?".into(),
        }
    }

    fn body(&self, handle: RigidBodyHandle) -> &str {
        self.0.bodies.iter().find(|body| body.handle == handle).map_or("?", |body| &body.name)
    }

    fn is_about(&self, pair: &PairTrace, body: RigidBodyHandle) -> bool {
        let parent = self.0.world.colliders.get(pair.target).and_then(Collider::parent);
        pair.body == body || parent == Some(body)
    }

    fn pair(&self, text: &mut String, pair: &PairTrace) {
        let (source, target) = (self.collider(pair.source), self.collider(pair.target));
        line(text, &format!("\n`{source}` against `{target}`"));
        line(text, &format!("  verdict: {}", self.verdict(pair.verdict.as_ref())));
        if let Some(Verdict::Persistent { references, .. }) = &pair.verdict {
            for reference in references {
                let depth = match reference.depth() {
                    depth if depth > 0.0 => format!("{} m deep in it", shown(depth.into())),
                    _ => "not deep in it".into(),
                };
                line(text, &format!("  carried by a face with normal {}, {depth}", triple(reference.normal)));
            }
        }
        let reached = pair.elements.saturating_sub(pair.rejected);
        line(text, &format!("  {} elements in its way, {reached} of them within reach", pair.elements));
        for hit in &pair.hits {
            line(text, &self.hit(hit));
        }
    }

    fn verdict(&self, verdict: Option<&Verdict>) -> String {
        match verdict {
            None => "not asked for, because nothing was within reach".into(),
            Some(Verdict::Loose) => "loose: it does not ride on this, so its full shape stops at any hit".into(),
            Some(Verdict::Persistent { evidence, .. }) => match evidence {
                Evidence::Direct => "persistent, by the pair's own contact points".into(),
                Evidence::Neighbour(piece) => {
                    format!("persistent, by the contact points of the neighbouring piece `{}`", self.collider(*piece))
                }
                Evidence::Geometric => {
                    "persistent, by a contact query: the engine dropped the pair's contact points".into()
                }
            },
        }
    }

    fn hit(&self, hit: &HitTrace) -> String {
        let shape = match hit.shape {
            SweptShape::Full => "full shape",
            SweptShape::Core => "core ball",
        };
        let angle = hit
            .face_angle
            .map_or_else(String::new, |angle| format!(", {:.1}° from the face that carries it", angle.to_degrees()));
        let outcome = match hit.outcome {
            HitOutcome::Stops => "a reason to stop",
            HitOutcome::SameFace => "the face it rides on, so only the core ball is swept against it",
            HitOutcome::Glances => {
                "it comes in at a shallow angle, and is kept on the surface for the rest of the step"
            }
            HitOutcome::Grazes => {
                "it comes in at a shallow angle over a crest that it leaves again, so only the core ball is swept"
            }
            HitOutcome::Bounces => "in free flight, so it bounces",
            HitOutcome::NotApproaching => "it does not go deeper, so no reason to stop",
            HitOutcome::Passes => "a sensor or a pair without forces: reported only",
        };
        format!("  hit: element {} with the {shape} at {}{angle}: {outcome}", hit.element, percent(hit.fraction))
    }

    fn clamp(&self, clamp: &Clamp) -> String {
        let shape = match clamp.shape {
            SweptShape::Full => "full shape",
            SweptShape::Core => "core ball",
        };
        format!(
            "  stopped at {} of the step: the {shape} of `{}` hit element {} of `{}`, normal {}",
            percent(clamp.fraction),
            self.collider(clamp.source),
            clamp.element,
            self.collider(clamp.target),
            triple(clamp.normal)
        )
    }

    fn impact(&self, impact: &Impact) -> String {
        format!(
            "  bounced after {} s: `{}` met `{}` at {} with {} m/s along {}",
            shown(impact.time.into()),
            self.collider(impact.source),
            self.collider(impact.target),
            triple(impact.point),
            shown(impact.approach_speed.into()),
            triple(impact.normal)
        )
    }
}

fn line(text: &mut String, content: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{content}");
}

fn percent(fraction: Real) -> String {
    format!("{:.1} %", fraction * 100.0)
}

fn triple(vector: Vector) -> String {
    // Adding zero turns a negative zero into a plain one.
    let [x, y, z] = vector.to_array().map(|component| (component * 1.0e4).round() / 1.0e4 + 0.0);
    format!("({x}, {y}, {z})")
}
