//! Every tunable of the step, checked once when the step object is made.

use rapier3d::math::Real;

/// How the pair of a body and the surface it touches is swept. Numbered as in the seed document of the verdict.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum SweepPolicy {
    /// No verdict: the full shape stops at every hit, as if nothing were ever touching.
    FullShape = 0,
    /// A persistent contact sweeps the core ball only.
    CoreBall = 1,
    /// A persistent contact sweeps the full shape, and falls back to the core ball where the hit is on the face that
    /// carries the body already.
    #[default]
    FaceTested = 2,
}

/// The tunables of [`PersistentContacts`](crate::PersistentContacts).
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Settings {
    /// How persistent contacts are swept. Default: [`SweepPolicy::FaceTested`].
    pub sweep_policy: SweepPolicy,
    /// \[rad] The largest angle between a hit's normal and a reference normal at which the hit is still on the face
    /// that carries the body. Default: 30°, the seed document's figure: walls and curbs are steeper, the facets of
    /// hilly ground are flatter. Range: `0 < face_angle < π/2`.
    pub face_angle: Real,
    /// The radius of the core ball as a fraction of the source's inner radius. Default: 0.25, parry's
    /// `CORE_FRACTION` (`query/sweep_toi/composite.rs`): a body can sink by the rest, three quarters of its half
    /// thickness, into ground that rises ahead of it before the core stops it. Range: `0 < core_fraction ≤ 1`.
    pub core_fraction: Real,
    /// \[rad] The largest rotation swept in one piece; longer ones are cut into intervals. Default: 30°, where the
    /// normalised interpolation of parry's `Sweep` is within 0.1 % of the true rotation.
    /// Range: `0.01 ≤ max_interval_rotation ≤ π/2`; the lower bound caps the work per step.
    pub max_interval_rotation: Real,
    /// How often one body may bounce in one step; what it hits after that stops it. Default: 16, enough for a ball of 0.1 m
    /// at 150 m/s in a box of 0.4 m. `0` leaves every bounce to the solver. Range: at most 256, which caps the work per step.
    pub max_impacts_per_step: u32,
    /// \[length units/s] The least speed of approach at which a body bounces; a slower one is a soft landing, which is the
    /// solver's. Default: 0.25, a drop of 3 mm: bounces of a body that comes to rest get too short to be worth a sweep, and too
    /// low to be seen. It is scaled by the world's `length_unit`. Range: `0 < min_bounce_speed`.
    pub min_bounce_speed: Real,
    /// Takes fixed colliders that touch and continue each other for one surface: contacts at their seams get the normals
    /// that one surface would give, and a body that rides on one of them is not stopped by the next. Default: true. Off,
    /// only explicit piece groups count, and the solver's contacts are left as they are.
    pub joins_pieces: bool,
    /// \[slops] The largest gap, overlap or difference in height at which two colliders still continue each other.
    /// Default: 0.5, so 2.5 mm with Rapier's defaults: half of what the solver lets bodies sink in, and several times the
    /// rounding of coordinates a kilometre from the origin. Range: `0.01 ≤ seam_unevenness ≤ 1`; from 2 slops on a
    /// difference in height is always a step.
    pub seam_unevenness: Real,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            sweep_policy: SweepPolicy::default(),
            face_angle: 30.0 * DEGREE,
            core_fraction: 0.25,
            max_interval_rotation: 30.0 * DEGREE,
            max_impacts_per_step: 16,
            min_bounce_speed: 0.25,
            joins_pieces: true,
            seam_unevenness: 0.5,
        }
    }
}

/// \[rad] One degree.
const DEGREE: Real = std::f64::consts::PI as Real / 180.0;

/// \[rad] A quarter turn.
const QUARTER_TURN: Real = 90.0 * DEGREE;

/// A setting outside its range.
#[derive(Copy, Clone, Debug, PartialEq, thiserror::Error)]
#[error("setting `{field}` is {value}, but must be {allowed}")]
pub struct SettingsError {
    /// The name of the field of [`Settings`].
    pub field: &'static str,
    /// The value that was refused.
    pub value: Real,
    /// The values that are allowed, in words.
    pub allowed: &'static str,
}

impl Settings {
    /// Checks every field.
    ///
    /// # Errors
    /// The first field that is not finite or outside the range its documentation states.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let check = |field, value: Real, allowed, is_allowed: bool| {
            // A comparison with NaN is false, so NaN is refused with the rest.
            if is_allowed { Ok(()) } else { Err(SettingsError { field, value, allowed }) }
        };
        let Self {
            sweep_policy: _,
            face_angle,
            core_fraction,
            max_interval_rotation,
            max_impacts_per_step,
            min_bounce_speed,
            joins_pieces: _,
            seam_unevenness,
        } = *self;
        check(
            "face_angle",
            face_angle,
            "above 0 and below π/2 radians",
            face_angle > 0.0 && face_angle < QUARTER_TURN,
        )?;
        check("core_fraction", core_fraction, "above 0 and at most 1", core_fraction > 0.0 && core_fraction <= 1.0)?;
        check(
            "max_interval_rotation",
            max_interval_rotation,
            "from 0.01 to π/2 radians",
            (0.01..=QUARTER_TURN).contains(&max_interval_rotation),
        )?;
        check("max_impacts_per_step", max_impacts_per_step as Real, "at most 256", max_impacts_per_step <= 256)?;
        check(
            "min_bounce_speed",
            min_bounce_speed,
            "above 0 and finite",
            min_bounce_speed > 0.0 && min_bounce_speed.is_finite(),
        )?;
        check("seam_unevenness", seam_unevenness, "from 0.01 to 1 slops", (0.01..=1.0).contains(&seam_unevenness))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_valid() {
        assert_eq!(Settings::default().validate(), Ok(()));
    }

    #[test]
    fn a_setting_out_of_range_is_named() {
        let cases: [(&str, Settings); 11] = [
            ("face_angle", Settings { face_angle: 0.0, ..Default::default() }),
            ("face_angle", Settings { face_angle: Real::NAN, ..Default::default() }),
            ("face_angle", Settings { face_angle: 2.0, ..Default::default() }),
            ("core_fraction", Settings { core_fraction: 1.5, ..Default::default() }),
            ("core_fraction", Settings { core_fraction: Real::INFINITY, ..Default::default() }),
            ("max_interval_rotation", Settings { max_interval_rotation: 1e-9, ..Default::default() }),
            ("max_impacts_per_step", Settings { max_impacts_per_step: 257, ..Default::default() }),
            ("min_bounce_speed", Settings { min_bounce_speed: 0.0, ..Default::default() }),
            ("min_bounce_speed", Settings { min_bounce_speed: Real::INFINITY, ..Default::default() }),
            ("seam_unevenness", Settings { seam_unevenness: 0.0, ..Default::default() }),
            ("seam_unevenness", Settings { seam_unevenness: Real::NAN, ..Default::default() }),
        ];
        for (field, settings) in cases {
            let error = settings.validate().expect_err(field);
            assert_eq!(error.field, field);
            assert!(error.to_string().contains(field), "{error}");
        }
    }
}
