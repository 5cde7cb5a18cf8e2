//! Places and rotations as a fixture writes them.

use crate::error::Fault;
use crate::number::{Num, Num3, Values, direction, up3, vector};
use rapier3d::math::{Pose, Rotation};
use serde::Deserialize;

/// A rotation: about an axis, by an angle.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// The axis; need not be of unit length.
    pub axis: Num3,
    /// \[degrees] The angle, by the right-hand rule.
    pub angle: Num,
}

impl Default for Turn {
    fn default() -> Self {
        Self { axis: up3(), angle: Num::new(0.0) }
    }
}

impl Turn {
    /// The rotation for these values.
    ///
    /// # Errors
    /// A number that cannot be computed, or an axis of no length.
    pub fn rotation(&self, values: &Values) -> Result<Rotation, Fault> {
        let axis = direction(&self.axis, values, "rotation.axis")?;
        Ok(Rotation::from_axis_angle(axis, self.angle.real(values)?.to_radians()))
    }
}

/// The pose of a translation and a rotation.
///
/// # Errors
/// A number that cannot be computed, or an axis of no length.
pub fn pose(translation: &Num3, rotation: &Turn, values: &Values) -> Result<Pose, Fault> {
    Ok(Pose::from_parts(vector(translation, values)?, rotation.rotation(values)?))
}
