//! Impacts: when does a source in free flight run into a target, and how?
//!
//! What rides on a surface is none of this: a source in free flight touches nothing, so every hit counts, also one at the
//! start of the window, if the two approach each other. Where they separate, a hit is none: it just left.

use super::face_test::ElementContact;
use super::part_path::PartPath;
use super::{Hit, Log, PairSweep, Rules, Target};
use crate::constants::FAST_FRACTION;
use crate::contact_query::{PosedShape, ShapeContact, contact};
use crate::element::Element;
use crate::flight::Flight;
use crate::motion::Motion;
use crate::report::SweptShape;
use crate::trace::{HitOutcome, HitTrace};
use rapier3d::geometry::ContactManifold;
use rapier3d::math::{Pose, Real, Vector};
use smallvec::SmallVec;

/// After a touch at which the two part, the window is looked at again at most this share of it later: another part of the
/// source may come down on the same element.
const SECOND_LOOK: Real = 0.25;

/// How often an element is looked at. After that only the core ball is swept, and the rest left to the next step.
const MAX_LOOKS: u32 = 16;

/// Points of a face that are nearer than this many touches touch.
const TOUCHES: Real = 5.0;

/// Newton's steps from the chord's time of impact to the parabola's. The first leaves less than the square of what the
/// chord was off.
const REFINEMENTS: u32 = 3;

/// How a source in free flight and a target move in the window that is swept.
#[derive(Copy, Clone)]
pub(crate) struct Approach<'a> {
    pub flight: &'a Flight,
    /// The target's body in the window.
    pub target: &'a Motion,
    /// The window, in fractions of the step.
    pub window: (Real, Real),
    /// \[length] How near is touching: the fine slop.
    pub touch: Real,
}

impl Approach<'_> {
    /// The fraction of the step at fraction `t` of the window.
    fn in_step(&self, t: Real) -> Real {
        let (from, to) = self.window;
        from + t * (to - from)
    }

    /// \[s] The window's length.
    pub fn duration(&self) -> Real {
        (self.window.1 - self.window.0) * self.flight.dt()
    }

    /// The velocity at fraction `t` of the window of the target's point that is at `point` then.
    pub fn surface_velocity(&self, point: Vector, t: Real) -> Vector {
        let duration = self.duration();
        if self.target.is_still() || duration <= 0.0 {
            return Vector::ZERO;
        }
        self.target.velocity_at(point, t) / duration
    }

    /// The speed at which source and target part at `point`, along `normal`; negative while they approach.
    fn parting_speed(&self, point: Vector, normal: Vector, t: Real) -> Real {
        let own = self.flight.velocity_at_point(point, self.in_step(t));
        (own - self.surface_velocity(point, t)).dot(normal)
    }

    /// The impact of a hit at `point`, if the two approach there.
    pub fn strike(&self, hit: Hit, point: Vector) -> Option<Strike> {
        let strike = self.meeting(hit, point);
        (strike.parting_speed < -self.rest_speed()).then_some(strike)
    }

    /// How the two move at a hit at `point`.
    fn meeting(&self, hit: Hit, point: Vector) -> Strike {
        Strike {
            hit,
            point,
            parting_speed: self.parting_speed(point, hit.normal, hit.fraction),
            surface_velocity: self.surface_velocity(point, hit.fraction),
        }
    }

    /// The speed below which nothing gets nearer than it touches within the step.
    fn rest_speed(&self) -> Real {
        self.touch / self.flight.dt()
    }
}

/// An impact: a hit, and where it was.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Strike {
    pub hit: Hit,
    /// The contact point on the target in world space.
    pub point: Vector,
    /// \[length/s] The speed at which the two part there: negative.
    pub parting_speed: Real,
    /// The velocity of the surface there.
    pub surface_velocity: Vector,
}

impl PairSweep<'_> {
    /// The earliest impact in the window.
    pub fn earliest_strike(&self, target: &Target, approach: &Approach, log: &mut Log) -> Option<Strike> {
        let mut earliest: Option<Strike> = None;
        let mut keep = |strike: Option<Strike>| {
            let key = |strike: &Strike| (strike.hit.fraction, strike.hit.element);
            if let Some(strike) = strike
                && earliest.as_ref().is_none_or(|earliest| key(&strike) < key(earliest))
            {
                earliest = Some(strike);
            }
        };
        let mut triangles: SmallVec<[Element; 16]> = SmallVec::new();
        self.for_each_near_element(target, log, &mut |element, log| {
            if self.departs(element, approach) {
                return;
            }
            match element.as_triangle() {
                Some(triangle) => triangles.push(triangle),
                None => keep(self.strike((target, element), approach, log)),
            }
        });
        let landing = self.landing(&triangles, approach);
        if let Some(landing) = landing {
            let (element, fraction) = (landing.strike.hit.element, landing.strike.hit.fraction);
            log.hit(HitTrace {
                element,
                shape: SweptShape::Full,
                fraction,
                face_angle: None,
                outcome: HitOutcome::Bounces,
            });
            keep(Some(landing.strike));
        }
        for triangle in triangles.iter().filter(|triangle| landing.is_none_or(|landing| !landing.settles(triangle))) {
            keep(self.strike((target, triangle), approach, log));
        }
        earliest
    }

    /// Does the part look the same however the body turns: is it a ball about the point it turns about, or does nothing turn?
    pub(super) fn is_round(&self) -> bool {
        self.motion.rotation() == 0.0
            || self.part.shape.as_ball().is_some() && self.part.local.translation == self.motion.source.local_center()
    }

    /// Does the source leave the plane of a triangle, from its start on? What has just bounced leaves all of the flat ground
    /// around it, and need not be swept past each triangle of it.
    fn departs(&self, element: &Element, approach: &Approach) -> bool {
        let Some(face) = element.face_normal().filter(|_| self.motion.is_past_fixed()) else { return false };
        // Another part of what turns may come down.
        if !self.is_round() {
            return false;
        }
        let normal = self.towards_source(element, face);
        let outward = self.motion.direction_in_world(normal);
        // The velocity of a flight changes evenly: if it leads away at both ends, it does in between.
        let leaves = |t: Real| approach.flight.velocity_at(approach.in_step(t)).linvel.dot(outward) >= 0.0;
        leaves(0.0)
            && leaves(1.0)
            && self.path.lowest_at_start(normal) >= element.highest(normal) - self.rules.tolerances.slop
    }

    fn strike(&self, on: (&Target, &Element), approach: &Approach, log: &mut Log) -> Option<Strike> {
        let tolerances = self.rules.tolerances.for_extent(on.1.extent());
        if tolerances == self.rules.tolerances {
            return self.strike_finely(on, approach, log);
        }
        let path = PartPath::new(self.part, &self.motion.source, tolerances.crossing(self.part.inner_radius));
        let sweep = PairSweep { rules: Rules { tolerances, ..self.rules }, path, ..*self };
        let approach = Approach { touch: tolerances.slop, ..*approach };
        sweep.strike_wide(on.1, &approach).or_else(|| sweep.strike_finely(on, &approach, log))
    }

    fn strike_finely(
        &self,
        (target, element): (&Target, &Element),
        approach: &Approach,
        log: &mut Log,
    ) -> Option<Strike> {
        let mut from = 0.0;
        let stride = self.stride();
        for look in 0..MAX_LOOKS {
            log.counters.full_sweeps += 1;
            let Some(touch) = self.time_of_impact_after(element, from) else { break };
            let Some((t, touch)) = self.refine((target, element), approach, touch) else { break };
            let strike = self.strike_at((target, element), &touch, approach, t);
            let outcome = if strike.is_some() { HitOutcome::Bounces } else { HitOutcome::NotApproaching };
            let (element, shape) = (element.id, SweptShape::Full);
            log.hit(HitTrace { element, shape, fraction: t, face_angle: None, outcome });
            if strike.is_some() {
                return strike;
            }
            from = t.max(from) + stride;
            if from >= 1.0 || look + 1 == MAX_LOOKS {
                break;
            }
        }
        // Whatever it did after it touched, it does not get through.
        if from > 0.0 { self.core_strike((target, element), log) } else { None }
    }

    /// After a touch at which the two part, how much later another part of the source may come down on the same element: not
    /// before a point of it has moved by half of its inner radius.
    fn stride(&self) -> Real {
        let (from, to) = self.motion.source.center_path();
        let moved =
            from.distance(to) + self.motion.rotation() * self.part.shape.compute_local_bounding_sphere().radius();
        (FAST_FRACTION * self.part.inner_radius / moved).clamp(1.0 / MAX_LOOKS as Real, SECOND_LOOK)
    }

    /// The hit of the core ball with an element that the source has touched before.
    fn core_strike(&self, (target, element): (&Target, &Element), log: &mut Log) -> Option<Strike> {
        let hit = self.sweep_core((target, element), log)?;
        Some(Strike { hit, point: Vector::ZERO, parting_speed: 0.0, surface_velocity: Vector::ZERO })
    }

    /// From the time at which the chord hits to the one at which the parabola does, with the contact there.
    ///
    /// Parry stops within a slop of the target, and the chord leaves the parabola by a little, so the gap that is left is
    /// closed at the speed of approach. `None` if it does not close in the window.
    fn refine(
        &self,
        (target, element): (&Target, &Element),
        approach: &Approach,
        mut t: Real,
    ) -> Option<(Real, ShapeContact)> {
        let mut touch = self.touch_at(element, approach, t)?;
        for _ in 0..REFINEMENTS {
            touch = self.mended((target, element), touch, t);
            let gap = touch.distance - approach.touch;
            let (point, normal) = self.in_world(&touch, t);
            let parting = approach.parting_speed(point, normal, t);
            if parting >= 0.0 || gap.abs() <= 0.1 * approach.touch {
                break;
            }
            let next = (t - gap / (parting * approach.duration())).max(0.0);
            if next > 1.0 {
                return None;
            }
            if next == t {
                break;
            }
            t = next;
            touch = self.touch_at(element, approach, t)?;
        }
        let touch = self.mended((target, element), touch, t);
        Some((t, touch))
    }

    /// When the two first touch from fraction `from` of the window on.
    fn time_of_impact_after(&self, element: &Element, from: Real) -> Option<Real> {
        if from == 0.0 {
            return self.time_of_impact(element).map(|hit| hit.fraction);
        }
        let rest = self.motion.from(from);
        let sweep = PairSweep { motion: &rest, path: PartPath::new(self.part, &rest.source, 0.0), ..*self };
        sweep.time_of_impact(element).map(|hit| from + hit.fraction * (1.0 - from))
    }

    /// The impact at a contact, if the two approach there.
    fn strike_at(
        &self,
        (target, element): (&Target, &Element),
        touch: &ShapeContact,
        approach: &Approach,
        t: Real,
    ) -> Option<Strike> {
        let mut fastest: Option<Strike> = None;
        self.for_each_touch((target, element), touch, (approach, t), &mut |touch| {
            let (point, normal) = self.in_world(touch, t);
            let strike = approach.meeting(Hit::new(t, element.id, normal), point);
            if fastest.is_none_or(|fastest| strike.parting_speed < fastest.parting_speed) {
                fastest = Some(strike);
            }
        });
        fastest.filter(|strike| strike.parting_speed < -approach.rest_speed())
    }

    /// Calls `visit` with the points in which source and element touch. A ball has one; the faces of other shapes may have
    /// several, of which one may part while another comes down, and their manifold's normal is steadier than that of two
    /// closest points a fraction of a millimetre apart.
    fn for_each_touch(
        &self,
        (target, element): (&Target, &Element),
        touch: &ShapeContact,
        (approach, t): (&Approach, Real),
        visit: &mut dyn FnMut(&ShapeContact),
    ) {
        let pose = self.element_pose(element, t);
        let source = self.parabola_pose(approach, t);
        let mut manifolds: Vec<ContactManifold> = Vec::new();
        let mut visited = false;
        if self.part.shape.as_ball().is_none() {
            // The workspace that composite shapes keep between queries is of one pair only.
            let _ = self.rules.manifolds.contact_manifolds(
                &pose.inv_mul(&source),
                element.shape(),
                self.part.shape,
                TOUCHES * approach.touch,
                &mut manifolds,
                &mut None,
            );
        }
        for manifold in &manifolds {
            let sub = manifold.subshape_pos1().map_or(pose, |sub| pose * *sub);
            let normal = sub.rotation * manifold.local_n1;
            for point in manifold.points.iter().filter(|point| point.dist <= TOUCHES * approach.touch) {
                let touch = ShapeContact {
                    source_normal: normal,
                    target_point: sub * point.local_p1,
                    distance: point.dist,
                    ..*touch
                };
                visit(&self.mended((target, element), touch, t));
                visited = true;
            }
        }
        if !visited {
            visit(touch);
        }
    }

    /// The part's pose on its parabola at fraction `t` of the window, in the pair's frame.
    fn parabola_pose(&self, approach: &Approach, t: Real) -> Pose {
        let in_world = approach.flight.pose_at(approach.in_step(t)) * self.part.local;
        self.motion.pose_in_frame(&in_world, t)
    }

    /// The contact at fraction `t` of the window, with the source on its parabola, in the pair's frame.
    fn touch_at(&self, element: &Element, approach: &Approach, t: Real) -> Option<ShapeContact> {
        let source = PosedShape { shape: self.part.shape, pose: self.parabola_pose(approach, t) };
        let target = PosedShape { shape: element.shape(), pose: self.element_pose(element, t) };
        contact(self.rules.dispatcher, &source, &target, self.rules.tolerances.face_test())
    }

    /// The contact, with the normal of the triangle's face where it is on a rim that is no obstacle.
    fn mended(&self, (target, element): (&Target, &Element), touch: ShapeContact, t: Real) -> ShapeContact {
        let source_pose = self.source_pose(t);
        let contact = ElementContact { normal: touch.source_normal, point: touch.target_point, source_pose };
        ShapeContact { source_normal: self.normal_at_rim((target, element), &contact), ..touch }
    }

    /// A contact's point and normal in world space, at fraction `t` of the window.
    fn in_world(&self, touch: &ShapeContact, t: Real) -> (Vector, Vector) {
        let normal = self.motion.direction_in_world(touch.source_normal).normalize();
        (self.motion.point_in_world(touch.target_point, t), normal)
    }
}
