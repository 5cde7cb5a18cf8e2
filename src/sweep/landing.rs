//! Landings: the face on which a ball in free flight comes down.
//!
//! Flat ground of a mesh has several triangles in the way of a ball, of which it hits one, and that with its lowest point. The
//! rims of the others are in the same plane, and it cannot touch them before it touches the plane. So if the face is found
//! first, the others need no sweep; nor does the face itself, since the parabola meets a plane where a square root says.

use super::approach::{Approach, Strike};
use super::{Hit, PairSweep};
use crate::element::{Element, ElementShape};
use rapier3d::math::{Pose, Real, Vector};
use rapier3d::parry::shape::Triangle;

/// In touches, the separation at which a body in free flight bounces: triangles are in one plane if no corner is farther from
/// it than this, and a ball lands within a triangle if it comes down no farther beside it. So near a side, its distance from
/// the triangle is that from the plane but for the square of this, and where two triangles share the side one of them is hit.
const ONE_PLANE: Real = 0.1;

/// A triangle that a ball hits within its sides, and how.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Landing {
    pub strike: Strike,
    triangle: Triangle,
    /// Unit, in the target's frame, towards the ball.
    normal: Vector,
    /// \[length] How far a corner of another triangle may be from the plane.
    unevenness: Real,
}

impl PairSweep<'_> {
    /// Of these triangles of a fixed target, the one on which the part comes down first, if the part is a ball and lands
    /// within the triangle's sides.
    pub(super) fn landing(&self, triangles: &[Element], approach: &Approach) -> Option<Landing> {
        let radius = self.part.shape.as_ball()?.radius;
        if !self.motion.is_past_fixed() || !self.is_round() {
            return None;
        }
        let unevenness = ONE_PLANE * approach.touch;
        let fall = Fall::new(self, approach);
        let mut first: Option<Landing> = None;
        for element in triangles {
            let Some((triangle, normal)) = in_frame(element) else { continue };
            let normal = if normal.dot(fall.from - triangle.a) < 0.0 { -normal } else { normal };
            let Some(fraction) = fall.reaches(&triangle, normal, radius + approach.touch) else { continue };
            let center = fall.at(fraction);
            if !is_within(&triangle, center, -unevenness) {
                continue;
            }
            let foot = center - normal * normal.dot(center - triangle.a);
            let hit = Hit::new(fraction, element.id, self.motion.direction_in_world(normal));
            let Some(strike) = approach.strike(hit, self.motion.point_in_world(foot, fraction)) else { continue };
            if first.is_none_or(|first| (fraction, element.id) < (first.strike.hit.fraction, first.strike.hit.element))
            {
                first = Some(Landing { strike, triangle, normal, unevenness });
            }
        }
        first
    }
}

impl Landing {
    /// Is `element` in the plane of the triangle that was hit, and so not met before it? That triangle itself is.
    pub fn settles(&self, element: &Element) -> bool {
        let Some((other, _)) = in_frame(element) else { return false };
        let is_near = |corner: Vector| self.normal.dot(corner - self.triangle.a).abs() <= self.unevenness;
        is_near(other.a) && is_near(other.b) && is_near(other.c)
    }
}

/// The parabola of a ball's centre in the frame of a fixed target, over the window.
struct Fall {
    from: Vector,
    /// \[length per window] The velocity when the window begins.
    velocity: Vector,
    /// \[length per window²]
    acceleration: Vector,
}

impl Fall {
    fn new(sweep: &PairSweep, approach: &Approach) -> Self {
        let duration = approach.duration();
        let flight = approach.flight;
        let in_frame = |direction: Vector| sweep.motion.direction_in_frame(direction);
        Self {
            from: sweep.path.ends().0.translation,
            velocity: in_frame(flight.velocity_at(approach.window.0).linvel) * duration,
            acceleration: in_frame(flight.acceleration()) * (duration * duration),
        }
    }

    /// The centre at fraction `t` of the window.
    fn at(&self, t: Real) -> Vector {
        self.from + self.velocity * t + self.acceleration * (0.5 * t * t)
    }

    /// The fraction of the window at which the centre comes down to `height` above the triangle's plane. At once, if it is
    /// lower already and falls.
    fn reaches(&self, triangle: &Triangle, normal: Vector, height: Real) -> Option<Real> {
        let gap = normal.dot(self.from - triangle.a) - height;
        let (speed, acceleration) = (normal.dot(self.velocity), normal.dot(self.acceleration));
        if gap <= 0.0 {
            return (speed < 0.0).then_some(0.0);
        }
        // The smaller root of gap + speed·t + acceleration·t²/2, in the form that does not cancel. There is none if what is
        // under the square root is negative: NaN fails the comparison.
        let t = 2.0 * gap / ((speed * speed - 2.0 * acceleration * gap).sqrt() - speed);
        (0.0..=1.0).contains(&t).then_some(t)
    }
}

/// A triangle in the frame of the target, with its unit normal by the right-hand rule.
fn in_frame(element: &Element) -> Option<(Triangle, Vector)> {
    let ElementShape::Triangle(triangle, normal) = &element.shape else { return None };
    let local = element.local;
    if local == Pose::IDENTITY {
        return Some((*triangle, *normal));
    }
    Some((triangle.transformed(&local), local.rotation * *normal))
}

/// Is `point`, seen along the triangle's normal, inside of it, and at least `margin` from its sides?
pub(super) fn is_within(triangle: &Triangle, point: Vector, margin: Real) -> bool {
    let corners = [triangle.a, triangle.b, triangle.c];
    let normal = (triangle.b - triangle.a).cross(triangle.c - triangle.a);
    (0..3).all(|i| {
        let (from, to) = (corners[i], corners[(i + 1) % 3]);
        let inwards = normal.cross(to - from);
        inwards.dot(point - from) >= margin * inwards.length()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_within_a_triangle_at_its_distance_from_the_sides() {
        // The incircle of the right triangle with legs 3 and 4 has radius 1, about (1, 1): a point there is 1 from all sides.
        let triangle = Triangle::new(Vector::ZERO, Vector::X * 4.0, Vector::Z * 3.0);
        let middle = Vector::new(1.0, 7.0, 1.0);
        assert!(is_within(&triangle, middle, 0.99));
        assert!(!is_within(&triangle, middle, 1.01));
        assert!(!is_within(&triangle, Vector::new(4.0, 0.0, 3.0), 0.0));
        // Half a unit beside a side is within a margin of that, and no less.
        let beside = Vector::new(1.0, 0.0, -0.5);
        assert!(is_within(&triangle, beside, -0.51));
        assert!(!is_within(&triangle, beside, -0.49));
    }

    #[test]
    fn a_triangle_settles_another_only_in_its_plane() {
        let triangle = Triangle::new(Vector::ZERO, Vector::Z, Vector::X);
        let hit = Hit::new(0.5, 1, Vector::Y);
        let strike = Strike { hit, point: Vector::ZERO, parting_speed: -1.0, surface_velocity: Vector::ZERO };
        let landing = Landing { strike, triangle, normal: Vector::Y, unevenness: 1.0e-3 };
        let element = |triangle: Triangle| Element {
            id: 2,
            local: Pose::IDENTITY,
            shape: ElementShape::Triangle(triangle, Vector::Y),
        };
        let beside = |corner: Vector| element(Triangle::new(Vector::Z, corner, Vector::X));
        assert!(landing.settles(&beside(Vector::new(1.0, 0.0, 1.0))));
        assert!(!landing.settles(&beside(Vector::new(1.0, 0.01, 1.0))));
        assert!(landing.settles(&element(triangle)));
    }

    #[test]
    fn a_fall_reaches_a_plane_where_its_parabola_does() {
        let ground = Triangle::new(Vector::ZERO, Vector::Z, Vector::X);
        let fall = |height: Real, speed: Real, acceleration: Real| Fall {
            from: Vector::Y * height,
            velocity: Vector::Y * speed,
            acceleration: Vector::Y * acceleration,
        };
        let time = |fall: Fall| fall.reaches(&ground, Vector::Y, 1.0);
        // From 1 above the height: 1 = 4·t²; 1 = 2·t; and 1 = t + 6·t², which is solved by 1/3.
        assert_eq!(time(fall(2.0, 0.0, -8.0)), Some(0.5));
        assert_eq!(time(fall(2.0, -2.0, 0.0)), Some(0.5));
        assert!(time(fall(2.0, -1.0, -12.0)).is_some_and(|t| (t - 1.0 / 3.0).abs() < 1e-6));
        // Thrown up, it comes down again: 1 + t - 6·t² is 0 at 1/2.
        assert!(time(fall(2.0, 1.0, -12.0)).is_some_and(|t| (t - 0.5).abs() < 1e-6));
        // Braked, the first of two times counts: 1 - 4·t + 3·t² is 0 at 1/3 and at 1. Or it turns before: 1 - t + t² has no root.
        assert!(time(fall(2.0, -4.0, 6.0)).is_some_and(|t| (t - 1.0 / 3.0).abs() < 1e-6));
        assert_eq!(time(fall(2.0, -1.0, 2.0)), None);
        // Too slow for this window, or on its way up.
        assert_eq!(time(fall(2.0, -0.5, 0.0)), None);
        assert_eq!(time(fall(2.0, 1.0, 0.0)), None);
        assert_eq!(time(fall(2.0, 0.0, 0.0)), None);
        // Nearer than that already.
        assert_eq!(time(fall(0.9, -1.0, 0.0)), Some(0.0));
        assert_eq!(time(fall(0.9, 1.0, -8.0)), None);
    }
}
