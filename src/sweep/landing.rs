//! Landings: the face on which a ball in free flight comes down.
//!
//! Flat ground of a mesh has several triangles in the way of a ball, of which it hits one, and that with its lowest point. The
//! rims of the others are in the same plane, and it cannot touch them before it touches the plane. So if the face is found
//! first, which takes a division, the others need no sweep.

use super::PairSweep;
use crate::constants::{CHORD_IN_SLOPS, TOUCH_IN_SLOPS};
use crate::element::{Element, ElementShape};
use rapier3d::math::{Pose, Real, Vector};
use rapier3d::parry::shape::Triangle;

/// Triangles are in one plane if no corner is farther from it than this many touches: what the time of an impact is refined
/// to.
const ONE_PLANE: Real = 0.1;

/// A triangle that a ball hits within its sides.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Landing {
    /// The fraction of the window at which it does, on the chord.
    fraction: Real,
    element: u32,
    triangle: Triangle,
    /// Unit, in the target's frame, towards the ball.
    normal: Vector,
    /// \[length] How far a corner of another triangle may be from the plane.
    unevenness: Real,
}

/// How the triangle of a landing has to do with another element.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// It is the same.
    Same,
    /// The other is in its plane, and not met before it.
    Continues,
    /// The other is something else.
    Apart,
}

impl PairSweep<'_> {
    /// Of these triangles of a fixed target, the one on which the part comes down, if the part is a ball and lands clear of
    /// the triangle's sides.
    pub(super) fn landing(&self, triangles: &[Element]) -> Option<Landing> {
        let radius = self.part.shape.as_ball()?.radius;
        if !self.motion.is_past_fixed() || !self.is_round() {
            return None;
        }
        let touch = self.rules.tolerances.slop;
        let (start, end) = self.path.ends();
        let path = (start.translation, end.translation);
        let mut first: Option<Landing> = None;
        for element in triangles {
            let Some((triangle, normal)) = in_frame(element) else { continue };
            let normal = if normal.dot(path.0 - triangle.a) < 0.0 { -normal } else { normal };
            let (before, after) = (normal.dot(path.0 - triangle.a), normal.dot(path.1 - triangle.a));
            let touching = radius + touch;
            if after >= touching || after >= before {
                continue;
            }
            let fraction = ((before - touching) / (before - after)).max(0.0);
            let center = path.0.lerp(path.1, fraction);
            // The arc may come down this much beside its chord.
            if !is_within(&triangle, center, CHORD_IN_SLOPS / TOUCH_IN_SLOPS * touch) {
                continue;
            }
            let landing = Landing { fraction, element: element.id, triangle, normal, unevenness: ONE_PLANE * touch };
            if first.is_none_or(|first| (fraction, element.id) < (first.fraction, first.element)) {
                first = Some(landing);
            }
        }
        first
    }
}

impl Landing {
    /// What `element` is to the triangle of this landing.
    pub fn beside(&self, element: &Element) -> Beside {
        let Some((other, _)) = in_frame(element) else { return Beside::Apart };
        if element.id == self.element && other == self.triangle {
            return Beside::Same;
        }
        let is_near = |corner: Vector| self.normal.dot(corner - self.triangle.a).abs() <= self.unevenness;
        if is_near(other.a) && is_near(other.b) && is_near(other.c) { Beside::Continues } else { Beside::Apart }
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
fn is_within(triangle: &Triangle, point: Vector, margin: Real) -> bool {
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
    }

    #[test]
    fn a_triangle_continues_another_only_in_its_plane() {
        let triangle = Triangle::new(Vector::ZERO, Vector::Z, Vector::X);
        let landing = Landing { fraction: 0.5, element: 1, triangle, normal: Vector::Y, unevenness: 1.0e-3 };
        let element = |corner: Vector| Element {
            id: 2,
            local: Pose::IDENTITY,
            shape: ElementShape::Triangle(Triangle::new(Vector::Z, corner, Vector::X), Vector::Y),
        };
        assert_eq!(landing.beside(&element(Vector::new(1.0, 0.0, 1.0))), Beside::Continues);
        assert_eq!(landing.beside(&element(Vector::new(1.0, 0.01, 1.0))), Beside::Apart);
        let same = Element { id: 1, local: Pose::IDENTITY, shape: ElementShape::Triangle(triangle, Vector::Y) };
        assert_eq!(landing.beside(&same), Beside::Same);
    }
}
