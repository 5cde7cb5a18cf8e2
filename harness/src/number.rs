//! Numbers of a fixture: written out, or computed from the scan's variables.

use crate::error::Fault;
use rapier3d::math::{Real, Vector};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use std::collections::BTreeMap;
use std::fmt;

mod expression;

use expression::Expression;

/// The named numbers of one run: scan variables, the variant's numbers, the fixture's numbers.
pub type Values = BTreeMap<String, f64>;

/// A number of a fixture: `0.2`, or an expression in quotes such as `"speed * dt + 2 * cos(30)"`.
///
/// Expressions know `+ - * / ^`, parentheses, the constant `pi`, the functions `sin cos tan asin acos atan` (in
/// degrees), `sqrt abs floor round min max`, and the run's named [`Values`].
#[derive(Clone, Debug)]
pub struct Num(Source);

#[derive(Clone, Debug)]
enum Source {
    Written(f64),
    Computed { text: String, expression: Expression },
}

/// Three numbers: x, y, z.
pub type Num3 = (Num, Num, Num);

impl Num {
    /// The number as written.
    pub const fn new(value: f64) -> Self {
        Self(Source::Written(value))
    }

    /// The number for these values.
    ///
    /// # Errors
    /// A name that is not among the values, or a result that is not finite.
    pub fn get(&self, values: &Values) -> Result<f64, Fault> {
        let value = match &self.0 {
            Source::Written(value) => *value,
            Source::Computed { text, expression } => expression
                .evaluate(values)
                .map_err(|name| self.fault(format!("`{text}` uses the unknown name `{name}`")))?,
        };
        if value.is_finite() { Ok(value) } else { Err(self.fault(format!("is not a finite number: {value}"))) }
    }

    /// The number in the engine's precision.
    ///
    /// # Errors
    /// As [`Num::get`].
    pub fn real(&self, values: &Values) -> Result<Real, Fault> {
        Ok(self.get(values)? as Real)
    }

    /// The number as a count, rounded to the nearest whole.
    ///
    /// # Errors
    /// As [`Num::get`], and below 0 or above 10 million, more than any fixture can mean.
    pub fn count(&self, values: &Values) -> Result<usize, Fault> {
        let value = self.get(values)?.round();
        if (0.0..=1.0e7).contains(&value) {
            Ok(value as usize)
        } else {
            Err(self.fault(format!("must be a count from 0 to 10 million, is {value}")))
        }
    }

    /// The number, refused unless above 0.
    ///
    /// # Errors
    /// As [`Num::get`], and a number that is 0 or below.
    pub fn positive(&self, values: &Values, field: &str) -> Result<Real, Fault> {
        let value = self.real(values)?;
        if value > 0.0 {
            return Ok(value);
        }
        let mut fault = self.fault(format!("must be above 0, is {value}"));
        fault.field = Some(field.to_owned());
        Err(fault)
    }

    /// A fault of this number.
    fn fault(&self, message: String) -> Fault {
        let text = match &self.0 {
            Source::Written(_) => String::new(),
            Source::Computed { text, .. } => format!("\"{text}\""),
        };
        Fault { text, field: None, message }
    }
}

impl From<f64> for Num {
    fn from(value: f64) -> Self {
        Self::new(value)
    }
}

/// The vector of three numbers.
///
/// # Errors
/// As [`Num::get`].
pub fn vector(numbers: &Num3, values: &Values) -> Result<Vector, Fault> {
    Ok(Vector::new(numbers.0.real(values)?, numbers.1.real(values)?, numbers.2.real(values)?))
}

/// The unit vector along three numbers.
///
/// # Errors
/// As [`Num::get`], and a vector of no length.
pub fn direction(numbers: &Num3, values: &Values, field: &str) -> Result<Vector, Fault> {
    vector(numbers, values)?.try_normalize().ok_or_else(|| Fault::in_field(field, "must not be the zero vector"))
}

/// Three zeroes.
pub fn zero3() -> Num3 {
    (0.0.into(), 0.0.into(), 0.0.into())
}

/// The unit vector along +Y, up in every fixture that does not say otherwise.
pub fn up3() -> Num3 {
    (0.0.into(), 1.0.into(), 0.0.into())
}

impl<'de> Deserialize<'de> for Num {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumVisitor;

        impl Visitor<'_> for NumVisitor {
            type Value = Num;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("a number, or an expression in quotes")
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Num, E> {
                Ok(Num::new(value as f64))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Num, E> {
                Ok(Num::new(value as f64))
            }

            fn visit_f32<E: de::Error>(self, value: f32) -> Result<Num, E> {
                Ok(Num::new(value.into()))
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Num, E> {
                Ok(Num::new(value))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Num, E> {
                let expression = Expression::parse(text).map_err(E::custom)?;
                Ok(Num(Source::Computed { text: text.to_owned(), expression }))
            }
        }

        deserializer.deserialize_any(NumVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Num {
        ron::from_str(text).expect("a number")
    }

    #[test]
    fn a_number_may_be_written_or_computed() {
        let values = Values::from([("speed".to_owned(), 30.0)]);
        for (text, expected) in [("3", 3.0), ("-0.37", -0.37), ("1e-3", 0.001), ("\"speed * 0.5 + 1\"", 16.0)] {
            let value = read(text).get(&values).expect(text);
            assert!((value - expected).abs() < 1.0e-12, "{text} gives {value}");
        }
    }

    #[test]
    fn faults_name_the_expression() {
        let fault = read("\"sped * 2\"").get(&Values::new()).expect_err("an unknown name");
        assert_eq!(fault.text, "\"sped * 2\"");
        assert!(fault.message.contains("`sped`"), "{}", fault.message);
        let fault = read("\"1 / 0\"").get(&Values::new()).expect_err("an infinite number");
        assert!(fault.message.contains("finite"), "{}", fault.message);
    }

    #[test]
    fn counts_and_positive_numbers_are_checked() {
        let none = Values::new();
        assert_eq!(read("59.6").count(&none), Ok(60));
        assert!(read("-1").count(&none).is_err());
        assert!(read("1e9").count(&none).is_err());
        assert!(read("0").positive(&none, "radius").is_err());
    }
}
