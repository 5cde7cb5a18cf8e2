//! Round bodies that turn fast ride at their radius.
//!
//! The solver takes a contact for a point of the body, and follows that point as the body turns during its substeps. The
//! lowest point of a wheel is another one at every moment: the one that the solver follows has risen from the ground, so to
//! the solver the wheel is in the air. It takes back the impulse that carries the wheel, and lets it down: a ball of 0.3 m that
//! rolls at 60 m/s sinks by 0.11 m.
//!
//! Before the solver, such contacts are made as much deeper as they will seem to rise ([`Grip`]). So all its impulses
//! are those of a wheel on the ground. What remains is that it pushes the wheel out of a depth that is none. After the solver
//! that is taken back: a wheel ends the step as deep as it began it ([`Rolling`]). Velocities are the solver's, but where the
//! engine lost the ground.

mod grip;
mod ground;
mod hidden;
mod line;
mod lost;
mod touch;

pub(crate) use grip::{Carriers, Grip};
pub(crate) use hidden::{is_round, turns_fast};
pub(crate) use line::LYING;

use crate::resolve::BodyEnd;
use crate::seams::Neighbourhoods;
use crate::step_start::StepStart;
use crate::world::WorldSets;
use ground::Ground;
use line::Lying;
use rapier3d::prelude::*;
use touch::{Ends, Touch};

/// Corrections below this are left to the solver, in slops: 5 µm for bodies of a metre, near the limit of single precision.
const MIN_SHIFT_SLOPS: Real = 0.001;

/// The cosine between the normals of two faces that both carry a body: 30°.
const CARRIES: Real = 0.866;

/// A face whose normal has no more than this of a direction is neither approached nor left along it (0.06°).
const ALONG: Real = 1.0e-3;

/// \[rad] A body that turns about an axis that is no farther from its own is one that rolls.
const ALIGNED: Real = 0.02;

/// A cylinder lies on the ground if that reaches up to it this part of its half height from the middle, on either side: then
/// the force that carries it can act right below its middle.
const BEARING: Real = 0.15;

/// Faces of different directions that may carry a body at once: floor, wall and one more.
const MAX_FACES: usize = 3;

/// The bodies whose height over the ground is mended, with the poses they should have. The buffers stay from step to step.
#[derive(Default)]
pub(crate) struct Rolling {
    touches: Vec<Touch>,
    /// Where they end the step.
    pub ends: Vec<BodyEnd>,
}

impl Rolling {
    /// Finds them among the awake bodies whose contacts were tightened.
    pub fn find(
        &mut self,
        (world, start): (&WorldSets, &StepStart),
        (grip, neighbourhoods): (Grip, &Neighbourhoods),
        hooks: &dyn PhysicsHooks,
    ) {
        self.ends.clear();
        for handle in world.islands.active_bodies() {
            let Some(body) = world.bodies.get(handle) else { continue };
            let rolls = body.colliders().iter().any(|collider| neighbourhoods.rolls_freely(*collider));
            let has_lost_ground =
                || body.colliders().iter().any(|one| neighbourhoods.slides(*one) && is_lost(world, *one));
            if !body.position().is_finite() || !rolls && !has_lost_ground() {
                continue;
            }
            let mut ends = Ends::of((handle, body), (world, start), grip);
            let ground = Ground::of(world, hooks);
            self.read(&ends, (&ground, neighbourhoods));
            let tilt = self.tilt(&ends, &ground);
            if let Some(rotation) = tilt {
                let local_com = body.mass_properties().local_mprops.local_com;
                ends.end = Pose::from_parts(ends.end * local_com - rotation * local_com, rotation);
                self.read(&ends, (&ground, neighbourhoods));
            }
            let shift = self.shift(&ends, &ground).filter(|shift| !is_locked(body, *shift));
            if tilt.is_some() || shift.is_some() {
                let place = ends.end.translation + shift.unwrap_or(Vector::ZERO);
                let pose = Pose::from_parts(place, ends.end.rotation);
                let velocity = shift.and_then(|_| self.caught(body));
                self.ends.push(BodyEnd { body: handle, pose, velocity });
            }
        }
    }

    /// The velocity of a body that is held on ground that the solver did not know of: that at which it would have fallen is
    /// taken from it.
    fn caught(&self, body: &RigidBody) -> Option<RigidBodyVelocity<Real>> {
        let lost = self.touches.iter().find(|touch| touch.is_lost && touch.leaving < 0.0)?;
        let velocity = *body.vels();
        let linvel = velocity.linvel - lost.normal * lost.normal.dot(velocity.linvel);
        Some(RigidBodyVelocity { linvel, ..velocity })
    }

    fn read(&mut self, ends: &Ends, (ground, around): (&Ground, &Neighbourhoods)) {
        self.touches.clear();
        ends.for_each_touch(&mut |touch| self.touches.push(touch));
        if self.touches.iter().all(|touch| touch.line.is_none()) {
            self.touches.extend(ends.lost_touch((ground, around), self.touches.is_empty()));
        }
    }

    /// The rotation at the end of the step of a cylinder that lay level on the ground all along. The solver holds both ends
    /// where they are, the higher one too, and may push one of them up.
    fn tilt(&self, ends: &Ends, ground: &Ground) -> Option<Rotation> {
        let touch = self.touches.iter().find(|touch| touch.is_gripped && touch.line.is_some())?;
        let line = touch.line?;
        let spin = ends.body.angvel();
        let turned = spin.reject_from_normalized(line.axis).reject_from_normalized(touch.normal).length();
        let (dt, grip) = (ends.world.integration_parameters.dt, ends.grip);
        let is_toppling = turned * dt * line.half_height > grip.touching() && turned > ALIGNED * spin.length();
        let tilt = line.tilt(touch.normal);
        if tilt == 0.0 || tilt > 2.0 * grip.max_push() || is_toppling {
            return None;
        }
        let flat = line.axis.reject_from_normalized(touch.normal).try_normalize()?;
        // By half of the sine of the angle: what makes a rotation of two directions takes small angles for none.
        let half = 0.5 * line.axis.cross(flat);
        let levelling = Rotation::from_xyzw(half.x, half.y, half.z, 1.0);
        lies(touch, ends, ground).then(|| (levelling * ends.end.rotation).normalize())
    }

    /// How the body has to be moved.
    fn shift(&mut self, ends: &Ends, ground: &Ground) -> Option<Vector> {
        let slop = ends.world.integration_parameters.allowed_linear_error();
        let mut shift = Vector::ZERO;
        for _ in 0..MAX_FACES {
            let size = |touch: &Touch| touch.correction(slop).abs();
            let worst = self.touches.iter().max_by(|a, b| size(a).total_cmp(&size(b)))?;
            let (worst, normal) = (*worst, worst.normal);
            let mut along = self.along(normal, slop);
            if along > 0.0 && !lies(&worst, ends, ground) {
                // Where the ground falls away, the body was let down with good reason.
                let gap = ground.gap_below(worst.collider, shift, (normal, along));
                along = gap.map_or(0.0, |gap| (along - gap.max(0.0)).max(0.0));
            }
            if along.abs() <= MIN_SHIFT_SLOPS * slop || !along.is_finite() {
                break;
            }
            shift += normal * along;
            for touch in &mut self.touches {
                touch.end += along * normal.dot(touch.normal);
            }
        }
        (shift != Vector::ZERO).then_some(shift)
    }

    /// \[length] How far the body has to be moved along `normal`, the normal of a face that carries it. Of all that stands on
    /// the ground, nothing is moved farther than it asks for.
    fn along(&self, normal: Vector, slop: Real) -> Real {
        let mut range: Option<(Real, Real)> = None;
        for touch in &self.touches {
            let cosine = touch.normal.dot(normal);
            if touch.is_fixed && cosine >= CARRIES && (touch.is_gripped || touch.correction(slop) > 0.0) {
                let correction = touch.correction(slop) / cosine;
                let (least, most) = range.unwrap_or((correction, correction));
                range = Some((least.min(correction), most.max(correction)));
            }
        }
        let (least, most) = range.unwrap_or((0.0, 0.0));
        let along = if least > 0.0 { least } else { most.min(0.0) };
        self.touches.iter().fold(along, |along, touch| {
            let cosine = touch.normal.dot(normal);
            if along > 0.0 && cosine < -ALONG {
                along.min(touch.room() / -cosine)
            } else if along < 0.0 && cosine > ALONG && !touch.is_gripped {
                along.max(-touch.room() / cosine)
            } else {
                along
            }
        })
    }
}

/// Does the engine know of something near a collider, but of no point of it?
fn is_lost(world: &WorldSets, collider: ColliderHandle) -> bool {
    let mut pairs = world.narrow_phase.contact_pairs_with(collider).peekable();
    pairs.peek().is_some() && pairs.all(|pair| pair.manifolds().iter().all(|manifold| manifold.points.is_empty()))
}

/// Does the ground reach up to the touched plane on both sides of a lying cylinder's middle, at the end of the step?
fn lies(touch: &Touch, ends: &Ends, ground: &Ground) -> bool {
    let Some(Lying { axis, half_height, .. }) = touch.line else { return false };
    let center = ends.end * ends.body.mass_properties().local_mprops.local_com;
    let below = center - touch.normal * (touch.normal.dot(center) - touch.plane);
    let Some(flat) = axis.reject_from_normalized(touch.normal).try_normalize() else { return false };
    [-1.0, 1.0]
        .iter()
        .all(|side| ground.reaches(touch.collider, below + flat * (side * BEARING * half_height), ends.grip.touching()))
}

/// Is the body kept from being moved by `shift`?
fn is_locked(body: &RigidBody, shift: Vector) -> bool {
    let along = ALONG * shift.length();
    let locked = body.locked_axes();
    let is_locked = |axis: LockedAxes, part: Real| locked.contains(axis) && part.abs() > along;
    is_locked(LockedAxes::TRANSLATION_LOCKED_X, shift.x)
        || is_locked(LockedAxes::TRANSLATION_LOCKED_Y, shift.y)
        || is_locked(LockedAxes::TRANSLATION_LOCKED_Z, shift.z)
}
