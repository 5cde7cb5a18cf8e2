//! The convex parts of a collider that is swept.

use crate::motion::Motion;
use rapier3d::math::{Pose, Real, Vector};
use rapier3d::parry::query::sweep_toi::ToiProxy;
use rapier3d::parry::shape::{Ball, Shape, TypedShape};

/// One convex part of the collider that is swept: its shape, or one child of its compound.
pub(crate) struct SourcePart<'a> {
    /// The part's shape.
    pub shape: &'a dyn Shape,
    /// The part in its body's frame.
    pub local: Pose,
    /// The shape as a cloud of points with a radius, where it is one.
    pub proxy: Option<ToiProxy<'a>>,
    /// The radius of a ball that fits inside around the centroid.
    pub inner_radius: Real,
    /// The radius of the part itself, if it is a ball.
    ball_radius: Option<Real>,
}

impl<'a> SourcePart<'a> {
    /// Calls `visit` with every part of `shape`, which sits at `local` in its body's frame.
    ///
    /// Shapes that Rapier never sweeps (`dynamics/ccd/sweeps.rs`: triangle meshes, height fields, polylines, voxels, and
    /// half-spaces, which have no bounds) have none.
    pub fn for_each(shape: &'a dyn Shape, local: &Pose, visit: &mut impl FnMut(&Self)) {
        match shape.as_typed_shape() {
            TypedShape::TriMesh(_)
            | TypedShape::HeightField(_)
            | TypedShape::Polyline(_)
            | TypedShape::Voxels(_)
            | TypedShape::HalfSpace(_) => {}
            TypedShape::Compound(compound) => {
                for (child_pose, child) in compound.shapes() {
                    Self::for_each(child.as_ref(), &(*local * *child_pose), visit);
                }
            }
            _ => visit(&Self {
                shape,
                local: *local,
                proxy: ToiProxy::from_shape(shape),
                inner_radius: inner_radius(shape),
                ball_radius: shape.as_ball().map(|ball| ball.radius),
            }),
        }
    }

    /// The ball `ball` around the part's centroid, as a part of its own.
    pub fn core<'b>(&self, ball: &'b Ball) -> SourcePart<'b> {
        SourcePart {
            shape: ball,
            local: self.local.prepend_translation(self.centroid()),
            proxy: ToiProxy::from_shape(ball),
            inner_radius: ball.radius,
            ball_radius: Some(ball.radius),
        }
    }

    /// The least coordinate along the unit vector `direction` of the part at `pose`.
    pub fn lowest(&self, pose: &Pose, direction: Vector) -> Real {
        // However a ball is turned.
        if let Some(radius) = self.ball_radius {
            return direction.dot(pose.translation) - radius;
        }
        let local = pose.rotation.inverse() * direction;
        direction.dot(pose.translation) + self.local_lowest(local)
    }

    fn local_lowest(&self, direction: Vector) -> Real {
        if let Some(proxy) = &self.proxy {
            let [first, rest @ ..] = proxy.points() else { return 0.0 };
            let least = rest.iter().fold(direction.dot(*first), |least, p| least.min(direction.dot(*p)));
            least - proxy.radius
        } else if let Some(map) = self.shape.as_support_map() {
            direction.dot(map.local_support_point(-direction))
        } else {
            // A user's shape without a support map: its box bounds it.
            let aabb = self.shape.compute_local_aabb();
            direction.dot(aabb.center()) - direction.abs().dot(aabb.half_extents())
        }
    }

    /// The largest distance of any of the part's points from the line through `center` along the unit vector `axis`,
    /// both in the part's frame: the radius of the smallest cylinder about that line that holds the part.
    fn radius_about(&self, center: Vector, axis: Vector) -> Real {
        let off_axis = |p: Vector| (p - center).reject_from_normalized(axis).length();
        match (&self.proxy, self.shape.as_typed_shape()) {
            (Some(proxy), _) => proxy.points().iter().fold(0.0, |r: Real, p| r.max(off_axis(*p))) + proxy.radius,
            (None, TypedShape::Cylinder(cylinder)) => {
                // A point of the rim is off the axis by at most its share along the cylinder plus the rim's radius.
                let tilt = Vector::Y.reject_from_normalized(axis).length();
                off_axis(Vector::ZERO) + cylinder.half_height * tilt + cylinder.radius
            }
            _ => {
                let sphere = self.shape.compute_local_bounding_sphere();
                off_axis(sphere.center()) + sphere.radius
            }
        }
    }

    /// How the part's lowest points may dip while it follows `motion`.
    pub fn spin(&self, motion: &Motion) -> Option<Spin> {
        let (rotation, axis) = (motion.rotation(), motion.axis());
        if rotation == 0.0 {
            return None;
        }
        let pose = motion.pose_at(0.0) * self.local;
        let center = self.local.inverse_transform_point(motion.local_center());
        let local_axis = pose.rotation.inverse() * axis;
        let radius = self.radius_about(center, local_axis);
        let lowest = self.local_lowest(local_axis) - center.dot(local_axis);
        let highest = -self.local_lowest(-local_axis) - center.dot(local_axis);
        Some(Spin { axis, radius, rotation, lowest, highest })
    }

    /// The centroid, in the part's frame.
    fn centroid(&self) -> Vector {
        match self.shape.as_typed_shape() {
            TypedShape::Ball(_)
            | TypedShape::Cuboid(_)
            | TypedShape::RoundCuboid(_)
            | TypedShape::Cylinder(_)
            | TypedShape::RoundCylinder(_) => Vector::ZERO,
            _ => self.shape.mass_properties(1.0).local_com,
        }
    }
}

/// A part's rotation during a step, with what bounds its dip: see [`Spin::dip`].
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Spin {
    axis: Vector,
    /// The radius of the cylinder about the axis that holds the part.
    radius: Real,
    /// \[rad] The whole rotation.
    rotation: Real,
    /// The part's extent along the axis, from the centre of mass.
    lowest: Real,
    highest: Real,
}

impl Spin {
    /// A lower bound of the part's coordinate along `direction` during the step, given its lowest coordinates at the two
    /// ends (`at_ends`) and the centre of mass's (`center`).
    ///
    /// Two bounds hold, and the better one is returned. A point at distance ρ from the axis describes an arc, which dips
    /// below its chord by at most ρ·(1 − cos(θ/2)) ≤ ρ·θ²/8. And no point is ever lower than the cylinder that the part
    /// turns in, which is exact for wheels.
    pub fn lowest(&self, direction: Vector, at_ends: (Real, Real), center: (Real, Real)) -> Real {
        let along = direction.dot(self.axis);
        let across = self.radius * (1.0 - along * along).max(0.0).sqrt();
        // 1 − cos never exceeds 2, however far the part turns.
        let sagitta = across * (self.rotation * self.rotation / 8.0).min(2.0);
        let by_arc = at_ends.0.min(at_ends.1) - sagitta;
        let by_cylinder = center.0.min(center.1) + (along * self.lowest).min(along * self.highest) - across;
        by_arc.max(by_cylinder)
    }
}

/// The radius of the largest ball around a convex shape's centroid that is sure to fit inside; zero for flat shapes.
///
/// Unlike parry's `ccd_thickness` it sees that a disc is thin, and that a blade lies askew in its box.
pub(crate) fn inner_radius(shape: &dyn Shape) -> Real {
    match shape.as_typed_shape() {
        TypedShape::Ball(ball) => ball.radius,
        TypedShape::Cuboid(cuboid) => cuboid.half_extents.min_element(),
        TypedShape::RoundCuboid(round) => round.inner_shape.half_extents.min_element() + round.border_radius,
        TypedShape::Capsule(capsule) => capsule.radius,
        TypedShape::Cylinder(cylinder) => cylinder.radius.min(cylinder.half_height),
        TypedShape::RoundCylinder(round) => {
            round.inner_shape.radius.min(round.inner_shape.half_height) + round.border_radius
        }
        TypedShape::Cone(cone) => cone_inner_radius(cone.radius, cone.half_height),
        TypedShape::RoundCone(round) => {
            cone_inner_radius(round.inner_shape.radius, round.inner_shape.half_height) + round.border_radius
        }
        TypedShape::ConvexPolyhedron(hull) => hull_inner_radius(hull),
        TypedShape::RoundConvexPolyhedron(round) => hull_inner_radius(&round.inner_shape) + round.border_radius,
        TypedShape::Triangle(_) | TypedShape::Segment(_) => 0.0,
        TypedShape::RoundTriangle(round) => round.border_radius,
        TypedShape::Compound(compound) => {
            compound.shapes().iter().fold(Real::MAX, |least, (_, child)| least.min(inner_radius(child.as_ref())))
        }
        // Never swept as a source.
        TypedShape::TriMesh(_)
        | TypedShape::HeightField(_)
        | TypedShape::Polyline(_)
        | TypedShape::Voxels(_)
        | TypedShape::HalfSpace(_) => Real::MAX,
        _ => shape.ccd_thickness(),
    }
}

/// A cone's centroid lies a quarter of its height above the base; its side is as far from there as half its distance
/// from the base's centre, times three.
fn cone_inner_radius(radius: Real, half_height: Real) -> Real {
    let height = 2.0 * half_height;
    let slant = (height * height + radius * radius).sqrt();
    if slant == 0.0 { 0.0 } else { (0.25 * height).min(0.75 * height * radius / slant) }
}

/// The distance from the mean of a hull's corners to the nearest of its faces: the mean lies inside, and costs less than
/// the centroid.
fn hull_inner_radius(hull: &rapier3d::parry::shape::ConvexPolyhedron) -> Real {
    let points = hull.points();
    let middle = points.iter().fold(Vector::ZERO, |sum, p| sum + *p) / points.len() as Real;
    let nearest = hull.faces().iter().fold(Real::MAX, |nearest, face| {
        let corner = hull.vertices_adj_to_face()[face.first_vertex_or_edge as usize];
        nearest.min(face.normal.dot(points[corner as usize] - middle))
    });
    nearest.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use rapier3d::parry::shape::{Cone, ConvexPolyhedron, Cuboid, Cylinder};

    fn blade(tilt: Real) -> ConvexPolyhedron {
        let turn = rapier3d::math::Rotation::from_rotation_y(tilt);
        let (half, thin) = (0.5, 0.01);
        let points: Vec<_> = (0..8)
            .map(|i| {
                let sign = |bit: u32| if i & (1 << bit) == 0 { -1.0 } else { 1.0 };
                turn * Vector::new(half * sign(0), half * sign(1), thin * sign(2))
            })
            .collect();
        ConvexPolyhedron::from_convex_hull(&points).expect("a blade is convex")
    }

    #[test]
    fn the_inner_radius_of_a_blade_is_its_thickness_however_it_lies() {
        for tilt in [0.0, 0.3, 0.8] {
            assert_relative_eq!(inner_radius(&blade(tilt)), 0.01, max_relative = 1e-3);
        }
    }

    #[test]
    fn the_inner_radius_of_a_disc_is_its_half_height() {
        assert_eq!(inner_radius(&Cylinder::new(0.02, 0.5)), 0.02);
    }

    #[test]
    fn the_inner_ball_of_a_cone_touches_its_base() {
        // Height 0.8, radius 0.6: a quarter of the height is 0.2; the side is 0.75·0.8·0.6/1 = 0.36 away.
        assert_relative_eq!(inner_radius(&Cone::new(0.4, 0.6)), 0.2, max_relative = 1e-6);
    }

    #[test]
    fn a_wheel_does_not_dip_when_it_turns() {
        let wheel = Cylinder::new(0.1, 0.3);
        let end = Pose::from_parts(Vector::X, rapier3d::math::Rotation::from_rotation_y(2.0));
        let motion = Motion::between(&Pose::IDENTITY, &end, Vector::ZERO, Vector::Y * 2.0);
        SourcePart::for_each(&wheel, &Pose::IDENTITY, &mut |part| {
            let spin = part.spin(&motion).expect("it turns");
            assert_relative_eq!(spin.lowest(Vector::Z, (-0.3, -0.3), (0.0, 0.0)), -0.3, epsilon = 1e-5);
        });
    }

    #[test]
    fn a_turning_box_dips_to_its_corner() {
        let cube = Cuboid::new(Vector::splat(0.5));
        let angle = std::f64::consts::FRAC_PI_2 as Real;
        let end = Pose::from_parts(Vector::ZERO, rapier3d::math::Rotation::from_rotation_z(angle));
        let motion = Motion::between(&Pose::IDENTITY, &end, Vector::ZERO, Vector::Z * angle);
        SourcePart::for_each(&cube, &Pose::IDENTITY, &mut |part| {
            let spin = part.spin(&motion).expect("it turns");
            // Half way, the corner at 0.5·√2 points down.
            let lowest = spin.lowest(Vector::Y, (-0.5, -0.5), (0.0, 0.0));
            assert!(lowest <= -0.5 * Real::sqrt(2.0) + 1e-6 && lowest > -0.72);
        });
    }

    #[test]
    fn a_ball_is_one_point_with_a_radius() {
        SourcePart::for_each(&Ball::new(0.2), &Pose::translation(0.0, 1.0, 0.0), &mut |part| {
            let pose = Pose::translation(0.0, 5.0, 0.0) * part.local;
            assert_relative_eq!(part.lowest(&pose, Vector::Y), 5.8, max_relative = 1e-6);
        });
    }
}
