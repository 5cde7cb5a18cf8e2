//! Comparing samples with limits.

use super::evaluate::{Figure, Finding, Worse};
use super::measure::Sample;

/// What is measured: name and unit.
#[derive(Copy, Clone, Debug)]
pub(super) struct Quantity {
    pub(super) name: &'static str,
    pub(super) unit: &'static str,
}

/// All samples are at least `min`.
pub(super) fn at_least(quantity: Quantity, samples: &[Sample], min: f64) -> Finding {
    limited(quantity, samples, (Some(min), None))
}

/// All samples are at most `max`.
pub(super) fn at_most(quantity: Quantity, samples: &[Sample], max: f64) -> Finding {
    limited(quantity, samples, (None, Some(max)))
}

/// All samples are within the limits that are given. The figure is the sample that is worst by them.
pub(super) fn limited(quantity: Quantity, samples: &[Sample], limits: (Option<f64>, Option<f64>)) -> Finding {
    let Quantity { name, unit } = quantity;
    let mut finding = Finding::passed();
    // A check that looks at nothing must not pass.
    if samples.is_empty() {
        return Finding::failed(format!("there is no step to measure the {name} of"));
    }
    let extreme = |worse: Worse| {
        samples.iter().copied().reduce(|worst, sample| if worse.than(sample.1, worst.1) { sample } else { worst })
    };
    for (limit, worse, word) in [(limits.0, Worse::Low, "at least"), (limits.1, Worse::High, "at most")] {
        let (Some(limit), Some((step, value))) = (limit, extreme(worse)) else { continue };
        finding.figures.push(Figure { name, unit, value, worse });
        // Written so that a value that is not a number fails.
        let holds = match worse {
            Worse::Low => value >= limit,
            Worse::High => value <= limit,
        };
        if !holds {
            let bad = samples.iter().filter(|(_, sample)| worse.than(*sample, limit)).count();
            finding.fail(format!(
                "{name} {} {unit} in step {step} ({bad} of {} steps), {word} {} wanted",
                shown(value),
                samples.len(),
                shown(limit)
            ));
        }
    }
    finding
}

/// Four significant digits.
pub(crate) fn shown(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let digits = (3.0 - value.abs().log10().floor()).clamp(0.0, 12.0) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATIO: Quantity = Quantity { name: "ratio", unit: "" };

    #[test]
    fn the_worst_sample_is_the_figure() {
        let finding = at_least(RATIO, &[(1, 1.0), (2, 0.5), (3, 0.8)], 0.9);
        assert!(!finding.is_passed());
        assert_eq!(finding.figures[0].value, 0.5);
        assert!(finding.message().contains("step 2 (2 of 3 steps)"), "{}", finding.message());
        assert!(at_most(RATIO, &[(1, 1.0)], 1.0).is_passed());
    }

    #[test]
    fn nothing_to_measure_and_not_a_number_fail() {
        assert!(!at_least(RATIO, &[], 0.9).is_passed());
        assert!(!at_least(RATIO, &[(1, f64::NAN)], 0.9).is_passed());
        assert!(!at_most(RATIO, &[(1, 0.0), (2, f64::NAN)], 0.9).is_passed());
    }

    #[test]
    fn numbers_are_shown_with_four_digits() {
        let cases =
            [(0.004321, "0.004321"), (12.3456, "12.35"), (9.0, "9"), (0.0, "0"), (123456.0, "123456"), (-0.5, "-0.5")];
        for (value, text) in cases {
            assert_eq!(shown(value), text);
        }
    }
}
