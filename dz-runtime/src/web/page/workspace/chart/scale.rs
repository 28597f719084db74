//! The scale of an axis: round steps from zero to beyond the largest value.

/// An axis with its steps.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::web::page::workspace) struct Scale {
    low: f64,
    high: f64,
    step: f64,
}

/// The number of steps of an axis, about.
const STEPS: f64 = 4.0;

impl Scale {
    /// The axis that contains zero and all values. An axis of whole numbers has whole steps.
    pub fn over(values: impl Iterator<Item = f64>) -> Scale {
        let (mut low, mut high, mut is_whole) = (0.0_f64, 0.0_f64, true);
        for value in values.filter(|value| value.is_finite()) {
            (low, high, is_whole) = (low.min(value), high.max(value), is_whole && value.fract() == 0.0);
        }
        if high - low <= 0.0 {
            return Scale { low: 0.0, high: 1.0, step: 1.0 };
        }
        let rough = (high - low) / STEPS;
        let unit = 10_f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|times| times * unit);
        let step = steps.filter(|step| !is_whole || *step >= 1.0 && step.fract() == 0.0).find(|step| *step >= rough);
        let step = step.unwrap_or(if is_whole { rough.ceil() } else { rough });
        Scale { low: (low / step).floor() * step, high: (high / step).ceil() * step, step }
    }

    /// The share of the axis below a value, from 0 to 1.
    pub fn share(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// The steps: the share of the axis, and the text.
    pub fn steps(&self) -> Vec<(f64, String)> {
        let count = ((self.high - self.low) / self.step).round();
        let mut steps = Vec::new();
        let mut at = 0.0;
        while at <= count {
            let value = self.low + at * self.step;
            steps.push((self.share(value), text(value)));
            at += 1.0;
        }
        steps
    }
}

/// A step as a short text: `1.5k`.
fn text(value: f64) -> String {
    let (divisor, unit) = match value.abs() {
        big if big >= 1e9 => (1e9, "bn"),
        big if big >= 1e6 => (1e6, "m"),
        big if big >= 1e4 => (1e3, "k"),
        _ => (1.0, ""),
    };
    let rounded = (value / divisor * 100.0).round() / 100.0;
    format!("{}{unit}", if rounded == 0.0 { 0.0 } else { rounded })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(values: &[f64], expected: &str) {
        let steps: Vec<String> = Scale::over(values.iter().copied()).steps().into_iter().map(|(_, text)| text).collect();
        assert_eq!(steps.join(" "), expected);
    }

    #[test]
    fn steps_are_round() {
        check(&[3.0, 7.0], "0 2 4 6 8");
        check(&[64.0], "0 20 40 60 80");
        check(&[184_000.0], "0 50k 100k 150k 200k");
        check(&[-3.0, 5.0], "-4 -2 0 2 4 6");
        check(&[0.4], "0 0.1 0.2 0.3 0.4");
        check(&[1.0, 2.0], "0 1 2");
        check(&[1.0], "0 1");
        check(&[1.0, 1.5], "0 0.5 1 1.5");
        check(&[10.0], "0 5 10");
        check(&[100.0, 37.0], "0 25 50 75 100");
        check(&[], "0 1");
        check(&[f64::NAN], "0 1");
    }
}
