//! The restitution law of a point that meets a kinematic surface, and the velocity of a point of that surface.
//!
//! The law speaks of the velocity *relative to the surface*: a wall that comes at a projectile gives it more than the
//! mirror image of its own velocity, and one that moves away gives it less. Mirroring the world velocity instead can
//! leave the projectile slower than the wall behind it, so that the same contact comes back at once.
//!
//! Source: the seed document of restitution (`000…`). Both functions are pure: sums and products in a fixed order and
//! nothing else, so the same input gives the same bits on every platform. They are written in `nalgebra`'s types for
//! `f32` and `f64`, in two and three dimensions; a `glam` vector converts with `Vector3::from(v.to_array())`.

use nalgebra::{RealField, SVector, Vector2, Vector3};

/// A scalar that the law is stated for: `f32` or `f64`.
///
/// Sealed, because the tolerance has to be derived for each type from how its normals are made.
pub trait LawScalar: RealField + Copy + Into<f64> + sealed::Sealed {
    /// The largest `|n·n − 1|`, dimensionless, at which a normal `n` counts as a unit vector.
    ///
    /// `f64`: `1e-12`, the figure of the seed document, 4500 `f64::EPSILON`.
    ///
    /// `f32`: `128 · f32::EPSILON = 2⁻¹⁶ ≈ 1.5e-5`. A contact normal is the normalised cross product of two edges, turned
    /// into world space by the rotation of a collider, which is itself that of a body times that of the collider within
    /// it. In units of the rounding error `u = EPSILON / 2`, to first order, the length is off by at most
    ///
    /// - 4.5 from normalising: the sum of three squares is off by 3, its root by 1.5 and one more, the reciprocal by one
    ///   more, the product by one more (an error of the cross product itself turns the normal but does not scale it);
    /// - 88 from the quaternion: each factor is made to within 7 (5 if it is normalised, as above with four squares; 6.5 if
    ///   it comes from an axis scaled by its angle), the product of the two adds 8 (four roundings per component, and the
    ///   moduli of a quaternion product sum to twice its norm), and `v + 2w(b×v) + 2b×(b×v)`, where `q = (b, w)`, scales
    ///   a vector by up to four times the error of `|q|`, which is 22; `(w² − b·b)v + 2(b·v)b + 2w(b×v)` by only twice;
    /// - 18 from the rounding of the rotation, by the worse of the two formulas.
    ///
    /// The squared length is off by twice that in `u`, so by the same figures in `EPSILON`; evaluating `n·n` adds 1.5 of
    /// those. Together 112 `EPSILON`, or 98 if the normal is turned twice by one quaternion each; rounded up to a
    /// power of two. Measured over 100 000 such normals, the worst is below 24 `EPSILON`, so nothing that was made this
    /// way is refused, while one that skipped its normalisation, or was scaled, is. A normal at the tolerance changes
    /// the velocity after the bounce by at most `2 · 2⁻¹⁶` of the approach speed: 0.6 mm/s at 20 m/s.
    const UNIT_TOLERANCE: Self;
}

impl LawScalar for f32 {
    const UNIT_TOLERANCE: Self = 128.0 * Self::EPSILON;
}

impl LawScalar for f64 {
    const UNIT_TOLERANCE: Self = 1e-12;
}

/// Why [`resolve`] refused its input. The values are widened to `f64`, which changes none of them.
#[derive(Copy, Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RestitutionError {
    /// An argument has a component that is NaN or infinite.
    #[error("`{argument}` is not finite")]
    NotFinite {
        /// The name of the parameter of [`resolve`].
        argument: &'static str,
    },
    /// `restitution` is outside `[0, 1]`.
    #[error("`restitution` is {restitution}, but must be from 0 to 1")]
    RestitutionOutOfRange {
        /// The value that was refused.
        restitution: f64,
    },
    /// `unit_normal` is not of unit length. It is not normalised here: its length would scale the bounce by its square,
    /// so whoever makes a normal that is off has a fault of their own.
    #[error("`unit_normal` has the squared length {squared_length}, which is off 1 by more than {tolerance:e}")]
    NotUnitLength {
        /// `n·n`; infinite if that overflows.
        squared_length: f64,
        /// [`LawScalar::UNIT_TOLERANCE`] of the scalar type.
        tolerance: f64,
    },
    /// `velocity − surface_velocity`, or its component along `unit_normal`, overflows the scalar type.
    #[error("relative velocity overflow: `velocity` − `surface_velocity` is not finite along `unit_normal`")]
    RelativeVelocityOverflow,
    /// The velocity after the bounce, or the change `(1 + e) · s` on the way to it, overflows the scalar type.
    #[error("resolved velocity overflow: the bounce of `velocity` is not finite")]
    ResolvedVelocityOverflow,
}

/// The velocity of a point after it meets a kinematic surface: `v' = v − (1 + e) · s · n`, where `w = v − u` is the
/// velocity relative to the surface and `s = w·n` its normal part, negative while the two approach.
///
/// Afterwards the normal part of the relative velocity is `−e · s`, and the tangential part is what it was: there is no
/// friction, so a surface that moves along itself does not drag. With `s ≥ 0` the two already separate, or slide, and
/// `velocity` is returned bit for bit; so a second call with the result changes nothing, unless `e · s` is so small that
/// rounding leaves the normal part just below 0, which the second call removes. It is the surface's own motion that
/// counts, not the world's: a point that moves along `n`, but slower than the surface behind it, is approaching.
///
/// The surface is driven from outside and is not pushed back. It does work on the point, whose kinetic energy in the
/// world may grow; nothing caps it. Between two bodies that both give way, the law would break momentum. At `e = 0` the
/// point takes on the normal velocity of the surface and keeps its tangential one: it is neither stopped nor glued.
///
/// - `velocity`: `v`, of the point. \[m/s]
/// - `surface_velocity`: `u`, of the surface where and when they meet, see [`point_velocity`]. \[m/s]
/// - `unit_normal`: `n`, from the surface to the point, of length 1 to within [`LawScalar::UNIT_TOLERANCE`].
/// - `restitution`: `e`, dimensionless, from 0 to 1, both included.
///
/// All vectors are in world space, or all in one other frame that does not accelerate: the law is the same in each.
/// Any finite speed is allowed.
///
/// # Errors
/// [`RestitutionError`], for the first of: an argument that is not finite, in the order of the parameters; `restitution`
/// out of range; `unit_normal` not of unit length; overflow of `w` or `s`; overflow of `(1 + e) · s` or `v'`. It does not
/// panic.
///
/// # Example
/// A projectile at (−3, 4) m/s meets a wall that comes at it with 2 m/s. Relative to the wall it arrives at 5 m/s and
/// leaves at half of that, so in the world at 4.5 m/s.
/// ```
/// use nalgebra::Vector2;
/// use rapier3d_persistent_contacts::restitution::{RestitutionError, resolve};
///
/// let (wall, normal) = (Vector2::new(2.0, 0.0), Vector2::new(1.0, 0.0));
/// assert_eq!(resolve(Vector2::new(-3.0, 4.0), wall, normal, 0.5), Ok(Vector2::new(4.5, 4.0)));
/// assert_eq!(resolve(Vector2::new(4.5, 4.0), wall, normal, 0.5), Ok(Vector2::new(4.5, 4.0)));
///
/// let refused = resolve(Vector2::new(-3.0, 4.0), wall, normal, 1.5);
/// assert_eq!(refused, Err(RestitutionError::RestitutionOutOfRange { restitution: 1.5 }));
/// ```
///
/// Source: the seed document of restitution, `Bounce.Resolve`.
pub fn resolve<T: LawScalar, const D: usize>(
    velocity: SVector<T, D>,
    surface_velocity: SVector<T, D>,
    unit_normal: SVector<T, D>,
    restitution: T,
) -> Result<SVector<T, D>, RestitutionError> {
    check_finite("velocity", &velocity)?;
    check_finite("surface_velocity", &surface_velocity)?;
    check_finite("unit_normal", &unit_normal)?;
    check_restitution(restitution)?;
    check_unit_length(&unit_normal)?;

    let relative = velocity - surface_velocity;
    let normal_speed = relative.dot(&unit_normal);
    if !is_finite(&relative) || !normal_speed.is_finite() {
        return Err(RestitutionError::RelativeVelocityOverflow);
    }
    if normal_speed >= T::zero() {
        return Ok(velocity);
    }
    // The surface's velocity is only in `normal_speed`: the change of velocity is the same in every inertial frame.
    let resolved = velocity - unit_normal * ((T::one() + restitution) * normal_speed);
    if is_finite(&resolved) { Ok(resolved) } else { Err(RestitutionError::ResolvedVelocityOverflow) }
}

fn is_finite<T: LawScalar, const D: usize>(vector: &SVector<T, D>) -> bool {
    vector.iter().all(|component| component.is_finite())
}

fn check_finite<T: LawScalar, const D: usize>(
    argument: &'static str,
    vector: &SVector<T, D>,
) -> Result<(), RestitutionError> {
    if is_finite(vector) { Ok(()) } else { Err(RestitutionError::NotFinite { argument }) }
}

fn check_restitution<T: LawScalar>(restitution: T) -> Result<(), RestitutionError> {
    if !restitution.is_finite() {
        return Err(RestitutionError::NotFinite { argument: "restitution" });
    }
    if restitution < T::zero() || restitution > T::one() {
        return Err(RestitutionError::RestitutionOutOfRange { restitution: restitution.into() });
    }
    Ok(())
}

fn check_unit_length<T: LawScalar, const D: usize>(unit_normal: &SVector<T, D>) -> Result<(), RestitutionError> {
    let squared_length = unit_normal.dot(unit_normal);
    // The components are finite, so this is at worst infinite, never NaN.
    if (squared_length - T::one()).abs() > T::UNIT_TOLERANCE {
        return Err(RestitutionError::NotUnitLength {
            squared_length: squared_length.into(),
            tolerance: T::UNIT_TOLERANCE.into(),
        });
    }
    Ok(())
}

/// An angular velocity in `D` dimensions: a `Vector3` in three, a scalar, positive counter-clockwise, in two. \[rad/s]
///
/// Sealed: there are no others.
pub trait AngularVelocity<T, const D: usize>: sealed::Sealed {
    /// `ω × arm`: the velocity that the spin gives the end of `arm`. \[m/s for an arm in metres]
    fn cross_arm(self, arm: SVector<T, D>) -> SVector<T, D>;
}

impl<T: LawScalar> AngularVelocity<T, 3> for Vector3<T> {
    fn cross_arm(self, arm: Vector3<T>) -> Vector3<T> {
        self.cross(&arm)
    }
}

impl<T: LawScalar> AngularVelocity<T, 2> for T {
    fn cross_arm(self, arm: Vector2<T>) -> Vector2<T> {
        Vector2::new(-self * arm.y, self * arm.x)
    }
}

/// The velocity of a point of a rigid body: `linear + angular × (point − centre)`. \[m/s]
///
/// - `linear`: the velocity of `centre`. \[m/s]
/// - `angular`: the body's angular velocity, a `Vector3` in three dimensions, a scalar in two. \[rad/s]
/// - `centre`: the point of the body that moves with `linear`: its centre of mass for a body of Rapier's. \[m]
/// - `point`: where the velocity is wanted, such as the contact point *at the time of impact*. \[m]
///
/// All in world space, at the same time and in the same unit of length.
///
/// There are no errors and no panics: what is not finite, or overflows, comes out as a velocity that is not finite, and
/// [`resolve`] refuses that by the name `surface_velocity`. The check is made once, where it counts.
///
/// # Example
/// The tip of a flipper of 0.3 m that turns at 20 rad/s, and the same in the plane.
/// ```
/// use nalgebra::{Vector2, Vector3};
/// use rapier3d_persistent_contacts::restitution::point_velocity;
///
/// let tip = point_velocity(Vector3::zeros(), Vector3::z() * 20.0, Vector3::zeros(), Vector3::x() * 0.3);
/// assert_eq!(tip, Vector3::new(0.0, 6.0, 0.0));
/// let tip = point_velocity(Vector2::zeros(), 20.0, Vector2::zeros(), Vector2::x() * 0.3);
/// assert_eq!(tip, Vector2::new(0.0, 6.0));
/// ```
///
/// Source: the seed document of restitution, `u = v_center + ω × r`.
pub fn point_velocity<T: LawScalar, const D: usize>(
    linear: SVector<T, D>,
    angular: impl AngularVelocity<T, D>,
    centre: SVector<T, D>,
    point: SVector<T, D>,
) -> SVector<T, D> {
    linear + angular.cross_arm(point - centre)
}

/// Keeps the traits of this module to the types it implements them for.
mod sealed {
    /// Named by no one outside.
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
    impl<T> Sealed for nalgebra::Vector3<T> {}
}
