//! The restitution law: the fixed cases of its seed document, everything it refuses, and ten thousand random bounces in
//! two and three dimensions, in single and double precision. The largest errors are printed (`--nocapture`).

use nalgebra::{SVector, UnitQuaternion, Vector2, Vector3, convert, vector};
use rapier3d_persistent_contacts::restitution::{LawScalar, RestitutionError, point_velocity, resolve};

const WALL: Vector2<f64> = vector![2.0, 0.0];
const NORMAL: Vector2<f64> = vector![1.0, 0.0];
const INCOMING: Vector2<f64> = vector![-3.0, 4.0];

fn kinetic_energy(velocity: Vector2<f64>) -> f64 {
    velocity.norm_squared() / 2.0
}

#[test]
fn a_wall_that_comes_closer_adds_its_velocity() {
    assert_eq!(resolve(INCOMING, WALL, NORMAL, 0.5), Ok(vector![4.5, 4.0]));
    assert_eq!(resolve(vector![-3.0f32, 4.0], vector![2.0, 0.0], vector![1.0, 0.0], 0.5), Ok(vector![4.5, 4.0]));
    let in_space = resolve(vector![-3.0, 4.0, 7.0], vector![2.0, 0.0, 0.0], vector![1.0, 0.0, 0.0], 0.5);
    assert_eq!(in_space, Ok(vector![4.5, 4.0, 7.0]));
}

#[test]
fn a_wall_that_catches_up_is_approached_although_the_world_velocity_points_away() {
    assert_eq!(resolve(vector![1.0, 4.0], WALL, NORMAL, 0.5), Ok(vector![2.5, 4.0]));
}

#[test]
fn a_wall_that_gives_way_takes_velocity() {
    assert_eq!(resolve(INCOMING, vector![-1.0, 0.0], NORMAL, 0.5), Ok(vector![0.0, 4.0]));
    // Faster than the point: they separate, although the point flies towards the wall.
    assert_eq!(resolve(INCOMING, vector![-4.0, 0.0], NORMAL, 0.5), Ok(INCOMING));
}

#[test]
fn a_static_wall_reflects_and_damps() {
    assert_eq!(resolve(INCOMING, Vector2::zeros(), NORMAL, 0.5), Ok(vector![1.5, 4.0]));
}

#[test]
fn the_ends_of_the_range_of_restitution() {
    // At 0 the normal velocity is the wall's and the tangential one stays; at 1 the relative normal velocity is mirrored.
    assert_eq!(resolve(INCOMING, WALL, NORMAL, 0.0), Ok(vector![2.0, 4.0]));
    assert_eq!(resolve(INCOMING, WALL, NORMAL, 1.0), Ok(vector![7.0, 4.0]));
    assert_eq!(resolve(INCOMING, WALL, NORMAL, -0.0), Ok(vector![2.0, 4.0]));
}

#[test]
fn a_surface_that_moves_along_itself_does_not_drag() {
    for along in [-50.0, 0.0, 3.0, 50.0] {
        assert_eq!(resolve(INCOMING, vector![2.0, along], NORMAL, 0.5), Ok(vector![4.5, 4.0]));
    }
}

#[test]
fn what_separates_or_slides_keeps_its_bits() {
    // A third is not exact, and −0.0 shows whether anything was added.
    for velocity in [vector![2.0, 1.0 / 3.0], vector![2.0 + 1.0 / 3.0, -0.0], vector![2.0f64.next_up(), 0.1]] {
        let kept = resolve(velocity, WALL, NORMAL, 0.5).expect("the input is fine");
        assert_eq!(kept.map(f64::to_bits), velocity.map(f64::to_bits));
    }
}

#[test]
fn a_second_call_changes_nothing() {
    for restitution in [0.0, 0.5, 1.0] {
        let once = resolve(INCOMING, WALL, NORMAL, restitution).expect("the input is fine");
        assert_eq!(resolve(once, WALL, NORMAL, restitution), Ok(once));
    }
}

#[test]
fn kinetic_energy_may_grow() {
    let outgoing = resolve(INCOMING, WALL, NORMAL, 0.5).expect("the input is fine");
    assert_eq!(kinetic_energy(INCOMING), 12.5);
    assert_eq!(kinetic_energy(outgoing), 18.125);
    // Relative to the wall a quarter of the normal part is left: that is what e = 0.5 says.
    assert_eq!(kinetic_energy(outgoing - WALL) - 8.0, (kinetic_energy(INCOMING - WALL) - 8.0) / 4.0);
}

#[test]
fn each_argument_that_is_not_finite_is_named() {
    fn check<const D: usize>(unit_normal: SVector<f64, D>) {
        let still = SVector::zeros();
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let refused = |argument| Err(RestitutionError::NotFinite { argument });
            for axis in 0..D {
                let mut vector = unit_normal;
                vector[axis] = bad;
                assert_eq!(resolve(vector, still, unit_normal, 0.5), refused("velocity"));
                assert_eq!(resolve(still, vector, unit_normal, 0.5), refused("surface_velocity"));
                assert_eq!(resolve(still, still, vector, 0.5), refused("unit_normal"));
            }
            let error = resolve(still, still, unit_normal, bad);
            assert_eq!(error, refused("restitution"));
            assert!(error.is_err_and(|error| error.to_string().contains("`restitution`")));
        }
    }
    check(Vector2::x());
    check(Vector3::x());
}

#[test]
fn restitution_out_of_range_is_refused_even_without_a_bounce() {
    for restitution in [-0.1, 0.0f64.next_down(), 1.0f64.next_up(), 2.0] {
        let error = Err(RestitutionError::RestitutionOutOfRange { restitution });
        assert_eq!(resolve(INCOMING, WALL, NORMAL, restitution), error);
        assert_eq!(resolve(-INCOMING, WALL, NORMAL, restitution), error);
    }
}

#[test]
fn a_normal_that_is_not_a_unit_vector_is_refused_not_normalised() {
    let off = |length: f64| resolve(INCOMING, WALL, NORMAL * length, 0.5);
    // The squared length is off by twice as much as the length.
    assert!(off(1.0 + 0.4e-12).is_ok() && off(1.0 - 0.4e-12).is_ok());
    for length in [0.0, 0.5, 2.0, 1.0 + 0.6e-12, 1.0 - 0.6e-12] {
        assert!(matches!(off(length), Err(RestitutionError::NotUnitLength { .. })), "length {length}");
    }
    let error = off(2.0).expect_err("it is twice too long");
    assert_eq!(error, RestitutionError::NotUnitLength { squared_length: 4.0, tolerance: 1e-12 });
    assert!(error.to_string().contains("`unit_normal`"), "{error}");
    let error = off(f64::MAX).expect_err("its square overflows");
    assert_eq!(error, RestitutionError::NotUnitLength { squared_length: f64::INFINITY, tolerance: 1e-12 });

    let off = |length: f32| resolve(vector![-3.0, 4.0], Vector2::zeros(), vector![length, 0.0], 0.5);
    assert_eq!(f32::UNIT_TOLERANCE, 2.0f32.powi(-16));
    assert!(off(1.0 + 7e-6).is_ok() && off(1.0 - 7e-6).is_ok());
    assert!(off(1.0 + 9e-6).is_err() && off(1.0 - 9e-6).is_err());
}

#[test]
fn overflow_is_refused() {
    let most = f64::MAX;
    let relative = Err(RestitutionError::RelativeVelocityOverflow);
    assert_eq!(resolve(vector![-most, 0.0], vector![most, 0.0], NORMAL, 0.5), relative);
    // Overflow along the surface is refused too, and so is that of the dot product alone: 1.4 MAX.
    assert_eq!(resolve(vector![-1.0, -most], vector![0.0, most], NORMAL, 0.5), relative);
    let diagonal = vector![0.5f64.sqrt(), 0.5f64.sqrt()];
    assert_eq!(resolve(vector![-most, -most], Vector2::zeros(), diagonal, 0.5), relative);
    assert_eq!(resolve(vector![most, most], Vector2::zeros(), diagonal, 0.5), relative);

    // `(1 + e) · s` overflows on the way, though the bounce would not; then only the bounce does.
    let resolved = Err(RestitutionError::ResolvedVelocityOverflow);
    assert_eq!(resolve(vector![-most, 0.0], Vector2::zeros(), NORMAL, 1.0), resolved);
    assert_eq!(resolve(vector![0.4 * most, 0.0], vector![0.9 * most, 0.0], NORMAL, 1.0), resolved);
    // The largest bounce that is left: at rest before, twice the wall's velocity after.
    assert_eq!(resolve(Vector2::zeros(), vector![0.5 * most, 0.0], NORMAL, 1.0), Ok(vector![most, 0.0]));
    let resolved_f32 = resolve(vector![-f32::MAX, 0.0, 0.0], Vector3::zeros(), Vector3::x(), 1.0);
    assert_eq!(resolved_f32, Err(RestitutionError::ResolvedVelocityOverflow));
}

#[test]
fn a_turning_surface_bounces_with_the_velocity_of_the_contact_point() {
    // A flipper turns at 10 rad/s about (1, 0, 2); its point (1.5, 0, 2) comes at the ball with 5 m/s along +Y, and the
    // pivot moves along +Z, which the contact does not feel.
    let (pivot, contact) = (vector![1.0, 0.0, 2.0], vector![1.5, 0.0, 2.0]);
    let surface = point_velocity(vector![0.0, 0.0, 3.0], vector![0.0, 0.0, 10.0], pivot, contact);
    assert_eq!(surface, vector![0.0, 5.0, 3.0]);
    let bounced = resolve(vector![1.0, -2.0, 0.0], surface, Vector3::y(), 0.8);
    assert!((bounced.expect("the input is fine") - vector![1.0, 5.0 + 0.8 * 7.0, 0.0]).norm() < 1e-14);
    // The velocity of the pivot alone would have missed the flipper's.
    assert_ne!(bounced, resolve(vector![1.0, -2.0, 0.0], vector![0.0, 0.0, 3.0], Vector3::y(), 0.8));
}

#[test]
fn the_velocity_of_a_point_is_the_same_in_the_plane_and_in_space() {
    let mut random = Random(0x7165);
    for _ in 0..1000 {
        let [linear, centre, point] = [0; 3].map(|_| Vector2::from_fn(|_, _| random.between(-9.0, 9.0)));
        let spin = random.between(-90.0, 90.0);
        let flat = point_velocity(linear, spin, centre, point);
        let in_space = point_velocity(linear.push(0.0), Vector3::z() * spin, centre.push(0.0), point.push(0.0));
        assert_eq!(flat.push(0.0), in_space);
        // A body that turns about `point` gives it no velocity of its own.
        assert_eq!(point_velocity(linear, spin, point, point), linear);
    }
}

#[test]
fn a_point_velocity_that_overflows_is_refused_by_the_law() {
    let far = Vector2::repeat(f32::MAX);
    let surface = point_velocity(Vector2::zeros(), 10.0, Vector2::zeros(), far);
    let error = resolve(Vector2::zeros(), surface, Vector2::x(), 0.5);
    assert_eq!(error, Err(RestitutionError::NotFinite { argument: "surface_velocity" }));
}

/// Normals as an engine makes them in single precision: normalised from the cross product of two edges, turned by a body's
/// rotation times a collider's, or by one after the other, in both maths libraries.
#[test]
fn normals_made_in_single_precision_are_unit_vectors() {
    use rapier3d::math::{Rotation, Vector};
    let mut random = Random(0x5eed);
    let mut worst = 0.0f64;
    let mut check = |normal: Vector3<f32>| {
        assert!(resolve(-normal, Vector3::zeros(), normal, 1.0).is_ok(), "{normal:?}");
        worst = worst.max((normal.cast::<f64>().norm_squared() - 1.0).abs());
    };
    for _ in 0..25_000 {
        let [a, b, turn, turn_within] =
            [0; 4].map(|_| Vector3::<f32>::from_fn(|_, _| convert(random.between(-3.0, 3.0))));
        let (body, collider) = (UnitQuaternion::from_scaled_axis(turn), UnitQuaternion::from_scaled_axis(turn_within));
        let normal = a.cross(&b).normalize();
        check((body * collider) * normal);
        check(body * (collider * normal));

        let [a, b, turn, turn_within] = [a, b, turn, turn_within].map(|v| Vector::from_array(v.into()));
        let (body, collider) = (Rotation::from_scaled_axis(turn), Rotation::from_scaled_axis(turn_within));
        let normal = a.cross(b).normalize();
        check(Vector3::from(((body * collider) * normal).to_array()));
        check(Vector3::from((body * (collider * normal)).to_array()));
    }
    let epsilons = worst / f64::from(f32::EPSILON);
    println!("f32 normals: |n·n − 1| ≤ {worst:e} = {epsilons:.1} EPSILON, tolerance 128 EPSILON");
    assert!(epsilons < 24.0, "the docs of `UNIT_TOLERANCE` say less than 24 EPSILON, not {epsilons}");
}

/// SplitMix64: the same numbers on every platform.
struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + (high - low) * ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A vector as near to unit length as its digits allow, by square roots: sines differ between platforms.
    fn direction<const D: usize>(&mut self) -> SVector<f64, D> {
        let z = if D == 3 { self.between(-1.0, 1.0) } else { 0.0 };
        let x = self.between(-1.0, 1.0);
        let y = across(x).copysign(self.between(-1.0, 1.0));
        SVector::from_fn(|axis, _| [x * across(z), y * across(z), z][axis])
    }
}

/// `√(1 − along²)` to the last bit: the root is corrected by what its square and the product under it lost.
fn across(along: f64) -> f64 {
    let square = (1.0 - along) * (1.0 + along);
    let lost = (1.0 - along).mul_add(1.0 + along, -square);
    let root = square.sqrt();
    root + ((-root).mul_add(root, square) + lost) / (2.0 * root)
}

/// \[m/s] The largest speeds of a sample: approach, along the surface, and each component of the surface's own.
#[derive(Copy, Clone)]
struct Speeds {
    approach: f64,
    tangential: f64,
    surface: f64,
    /// The components of both velocities are multiples of this; 0 for as fine as the scalar type has them.
    step: f64,
}

impl Speeds {
    fn rounded<const D: usize>(self, velocity: SVector<f64, D>) -> SVector<f64, D> {
        velocity.map(|component| if self.step > 0.0 { (component / self.step).round() * self.step } else { component })
    }
}

/// One random bounce, rounded to the scalar type.
#[derive(Copy, Clone)]
struct Bounce<T, const D: usize> {
    velocity: SVector<T, D>,
    surface: SVector<T, D>,
    normal: SVector<T, D>,
    restitution: T,
}

/// \[m/s] How far a bounce is off the law, off its tangential velocity, and off itself in a frame that moves.
#[derive(Copy, Clone, Debug, Default)]
struct Errors {
    law: f64,
    tangent: f64,
    boost: f64,
}

impl Errors {
    fn merge(self, other: Self, pick: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            law: pick(self.law, other.law),
            tangent: pick(self.tangent, other.tangent),
            boost: pick(self.boost, other.boost),
        }
    }
}

/// \[m/s] The frame that moves: the seed's (17, −23), and a third component for space.
fn frame<T: LawScalar, const D: usize>() -> SVector<T, D> {
    SVector::from_fn(|axis, _| convert([17.0, -23.0, 11.0][axis]))
}

fn widened<T: LawScalar, const D: usize>(vector: SVector<T, D>) -> SVector<f64, D> {
    vector.map(Into::into)
}

impl<T: LawScalar, const D: usize> Bounce<T, D> {
    fn random(random: &mut Random, speeds: Speeds) -> Self {
        let normal = random.direction::<D>();
        let tangent = Self::tangent(normal, random.direction());
        let surface = SVector::from_fn(|_, _| random.between(-speeds.surface, speeds.surface));
        let velocity = surface - normal * random.between(0.0, speeds.approach)
            + tangent * random.between(-speeds.tangential, speeds.tangential);
        Self {
            velocity: speeds.rounded(velocity).map(convert),
            surface: speeds.rounded(surface).map(convert),
            normal: normal.map(convert),
            restitution: convert(random.between(0.0, 1.0)),
        }
    }

    /// A unit vector square to `normal`; squared up twice, since once leaves the rounding of a near-parallel `seed`.
    fn tangent(normal: SVector<f64, D>, seed: SVector<f64, D>) -> SVector<f64, D> {
        let squared = |vector: SVector<f64, D>| (vector - normal * vector.dot(&normal)).normalize();
        squared(squared(seed))
    }

    fn resolve(&self, velocity: SVector<T, D>, frame: SVector<T, D>) -> SVector<T, D> {
        resolve(velocity + frame, self.surface + frame, self.normal, self.restitution).expect("the input is fine")
            - frame
    }

    /// The errors of this bounce, in `f64`, and the bounds on them.
    ///
    /// With `ρ` the rounding error of `T` (half its `EPSILON`), `W` the relative speed, `V` the largest of the world speeds
    /// and `B = V + |frame|`, to first order: `s` is off by `(D+1)ρW`, its multiple `(1+e)s` by `2(D+3)ρW`, that times `n`
    /// by another `2ρW`, and the sum with `v` by `ρV`. On top, per error:
    /// - law: `n·n` is off 1 by at most `(D+7)ρ`, made of one or two square roots, times `2W`; measuring it in `f64` costs
    ///   `(2D+5)ρW` there. Sum: `(6D+27)ρW + ρV`.
    /// - tangent: no error of `s` counts, only those of the product and of the sum, that `n·t` is off 0 by at most `6ρ`,
    ///   times `2W`, and measuring, `2(D+1)ρW`. Sum: `(2D+16)ρW + ρV`.
    /// - boost: twice the error of a bounce; `v` and `u` shifted are off by `ρB` each, which counts once in `v` and four
    ///   times in `(1+e)s`, and the bounce once; shifting back, `ρV`. Sum: `(4D+16)ρW + 6ρB + 2ρV`.
    fn errors(&self, tangent: SVector<f64, D>) -> (Errors, Errors) {
        let bounced = self.resolve(self.velocity, SVector::zeros());
        let boosted = self.resolve(self.velocity, frame());
        let (velocity, surface, normal) = (widened(self.velocity), widened(self.surface), widened(self.normal));
        let (before, after) = (velocity - surface, widened(bounced) - surface);
        let errors = Errors {
            law: (after.dot(&normal) + self.restitution.into() * before.dot(&normal)).abs(),
            tangent: (after.dot(&tangent) - before.dot(&tangent)).abs(),
            boost: (widened(boosted) - widened(bounced)).amax(),
        };

        let rounding = T::default_epsilon().into() / 2.0;
        let relative = before.norm();
        let world = velocity.norm().max(surface.norm()).max(widened(bounced).norm());
        let shifted = world + frame::<f64, D>().norm();
        let dimensions = D as f64;
        let bounds = Errors {
            law: rounding * ((6.0 * dimensions + 27.0) * relative + world),
            tangent: rounding * ((2.0 * dimensions + 16.0) * relative + world),
            boost: rounding * ((4.0 * dimensions + 16.0) * relative + 6.0 * shifted + 2.0 * world),
        };
        (errors, bounds)
    }
}

/// The largest errors of ten thousand bounces, each of which is also checked against its own bounds.
fn largest_errors<T: LawScalar, const D: usize>(name: &str, speeds: Speeds) -> Errors {
    let mut random = Random(20_261_025);
    let (mut largest, mut largest_share) = (Errors::default(), Errors::default());
    for sample in 0..10_000 {
        let bounce = Bounce::<T, D>::random(&mut random, speeds);
        let tangent = Bounce::<T, D>::tangent(widened(bounce.normal), random.direction());
        let (errors, bounds) = bounce.errors(tangent);
        let share = errors.merge(bounds, |error, bound| error / bound);
        assert!(share.law <= 1.0 && share.tangent <= 1.0 && share.boost <= 1.0, "sample {sample}: {errors:?}");
        largest = largest.merge(errors, f64::max);
        largest_share = largest_share.merge(share, f64::max);

        // A second bounce is none; where the first leaves nothing but rounding, there is no more than that to change.
        for restitution in [bounce.restitution, T::zero()] {
            let bounce = Bounce { restitution, ..bounce };
            let once = bounce.resolve(bounce.velocity, SVector::zeros());
            let change = widened(bounce.resolve(once, SVector::zeros()) - once).norm();
            assert!(change <= 2.0 * bounds.law, "sample {sample}: {change}");
        }
        // Seen from the other side of the surface the same motion separates.
        let kept = resolve(bounce.velocity, bounce.surface, -bounce.normal, bounce.restitution);
        assert_eq!(kept, Ok(bounce.velocity));
    }
    println!("{name}: {largest:?}, of its bound {largest_share:.2?}");
    largest
}

/// The speeds of the seed's own cases: 5 m/s of approach, 4 m/s along the wall, a wall at 2 m/s.
const SEED_SPEEDS: Speeds = Speeds { approach: 5.0, tangential: 4.0, surface: 2.0, step: 0.0 };
const LARGE_SPEEDS: Speeds = Speeds { approach: 10.0, tangential: 10.0, surface: 10.0, step: 0.0 };

/// No error is larger than the seed's own, over as many samples. Its samples are not known but for their number; these have
/// the speeds of its fixed cases. They are on a grid of 2⁻⁴⁶ m/s, so fine that it changes no speed to speak of, and so
/// coarse that the shift to the other frame rounds nothing: what is left of the third error is that of the bounce.
#[test]
fn ten_thousand_bounces_are_no_worse_than_the_seed() {
    let speeds = Speeds { step: 2.0f64.powi(-46), ..SEED_SPEEDS };
    let errors = largest_errors::<f64, 2>("f64, 2D, the seed's speeds, exact shift", speeds);
    assert!(errors.law <= 3.552_713_678_800_501e-15, "{errors:?}");
    assert!(errors.tangent <= 2.664_535_259_100_375_7e-15, "{errors:?}");
    assert!(errors.boost <= 7.105_427_357_601_002e-15, "{errors:?}");
}

#[test]
fn ten_thousand_bounces_keep_the_law_in_every_inertial_frame() {
    largest_errors::<f64, 2>("f64, 2D, the seed's speeds", SEED_SPEEDS);
    largest_errors::<f64, 3>("f64, 3D, the seed's speeds", SEED_SPEEDS);
    largest_errors::<f64, 2>("f64, 2D, to 10 m/s each", LARGE_SPEEDS);
    largest_errors::<f64, 3>("f64, 3D, to 10 m/s each", LARGE_SPEEDS);
    largest_errors::<f32, 2>("f32, 2D, to 10 m/s each", LARGE_SPEEDS);
    largest_errors::<f32, 3>("f32, 3D, to 10 m/s each", LARGE_SPEEDS);
}
