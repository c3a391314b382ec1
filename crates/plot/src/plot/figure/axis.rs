//! Axes: the map from values to positions on the page, and ticks.

use serde::Deserialize;

/// Scale of the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// A linear axis.
    #[default]
    Linear,
    /// A logarithmic axis, at most eight decades below the largest value. Values of 0 or less are not drawn.
    Log,
}

/// Largest number of decades of a logarithmic axis.
const DECADES: f64 = 8.0;

/// Magnitude below which a value is round-off: results in metres, seconds and newtons have about twelve digits.
const NOISE: f64 = 1e-12;

/// Largest absolute value of an axis.
const FARTHEST: f64 = 1e300;

/// A map from `low`–`high` to an interval of the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AxisScale {
    pub scale: Scale,
    pub low: f64,
    pub high: f64,
    /// Positions of `low` and `high`, px.
    pub from: f64,
    pub to: f64,
}

/// A tick with its label.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub value: f64,
    pub label: String,
}

impl AxisScale {
    /// An axis exactly from `low` to `high`.
    pub(crate) fn new(low: f64, high: f64, from: f64, to: f64) -> Self {
        let (low, high) = (low.clamp(-FARTHEST, FARTHEST), high.clamp(-FARTHEST, FARTHEST));
        let high = if high > low { high } else { low + low.abs().max(1.0) };
        AxisScale { scale: Scale::Linear, low, high, from, to }
    }

    /// An axis with all finite values and a margin; `from_zero` puts 0 at an end if all values have one sign.
    pub(crate) fn fit(
        values: impl IntoIterator<Item = f64>,
        scale: Scale,
        from_zero: bool,
        [from, to]: [f64; 2],
    ) -> Self {
        let shown = |value: &f64| value.is_finite() && (scale == Scale::Linear || *value > 0.0);
        let (mut low, mut high) = values
            .into_iter()
            .filter(shown)
            // Values are clamped so that the length of the axis is finite.
            .map(|value| value.clamp(-FARTHEST, FARTHEST))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            (low, high) = match scale {
                Scale::Linear => (0.0, 1.0),
                Scale::Log => (0.1, 1.0),
            };
        }
        match scale {
            Scale::Log => {
                let high = 10f64.powf(high.log10().floor() + 1.0).min(high * 2.0);
                let low = (low / 1.5).max(high * 10f64.powf(-DECADES)).min(high / 10.0);
                AxisScale { scale, low, high, from, to }
            }
            Scale::Linear => {
                if from_zero {
                    (low, high) = (low.min(0.0), high.max(0.0));
                }
                // A constant gets an interval of its own magnitude, and round-off about 0 an interval of 1, so that
                // it does not fill the panel.
                let size = low.abs().max(high.abs());
                let is_noise = size < NOISE;
                let least = if is_noise { 1.0 } else { 1e-3 * size.max(1e-3) };
                if is_noise && from_zero {
                    (low, high) = (0.0, least);
                } else if high - low < least {
                    let middle = 0.5 * (low + high);
                    (low, high) = (middle - 0.5 * least, middle + 0.5 * least);
                }
                let air = 0.06 * (high - low);
                let keep = |limit: f64| from_zero && limit == 0.0;
                let low = if keep(low) { low } else { low - air };
                let high = if keep(high) { high } else { high + air };
                AxisScale { scale, low, high, from, to }
            }
        }
    }

    /// Position of a value, px; not finite if it has none.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log => (value / self.low).log10() / (self.high / self.low).log10(),
        };
        if share.is_finite() { self.from + share * (self.to - self.from) } else { f64::NAN }
    }

    /// Position of a value, clamped to the ends of a linear axis; values below a logarithmic axis have none.
    pub(crate) fn place_within(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Log if value < self.low => f64::NAN,
            _ => self.place(value.clamp(self.low, self.high)),
        }
    }

    /// Round values, about `wanted` of them.
    pub(crate) fn ticks(&self, wanted: usize) -> Vec<Tick> {
        match self.scale {
            // A single tick does not determine a scale.
            Scale::Linear => (wanted..wanted + 8)
                .map(|wanted| linear_ticks(self.low, self.high, wanted))
                .find(|ticks| ticks.len() != 1)
                .unwrap_or_default(),
            Scale::Log => log_ticks(self.low, self.high, wanted),
        }
    }
}

fn linear_ticks(low: f64, high: f64, wanted: usize) -> Vec<Tick> {
    let step = round_step((high - low) / wanted.max(1) as f64);
    let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
    let first = (low / step - 1e-9).ceil();
    let last = (high / step + 1e-9).floor();
    if !(first.is_finite() && last.is_finite()) || last - first > 1000.0 {
        return Vec::new();
    }
    (first as i64..=last as i64)
        .map(|number| {
            let value = number as f64 * step;
            Tick { value, label: number_text(value, decimals) }
        })
        .collect()
}

/// Powers of ten; with fewer than three of them also their multiples by 2 and 5, and with fewer than two of these,
/// round values as on a linear axis.
fn log_ticks(low: f64, high: f64, wanted: usize) -> Vec<Tick> {
    let (first, last) = (low.log10().ceil() as i32, high.log10().floor() as i32);
    if last - first >= 2 {
        let stride = ((last - first + 1) as f64 / wanted.max(1) as f64).ceil().max(1.0) as i32;
        return (first..=last).rev().step_by(stride as usize).map(|exponent| log_tick(1, exponent)).collect();
    }
    // The tolerance gives the ends of the axis ticks despite round-off in powers.
    let within = |tick: &Tick| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(&tick.value);
    let multiples = |exponent: i32| [1, 2, 5].map(|digit| log_tick(digit, exponent));
    let ticks: Vec<Tick> = (first - 1..=last).flat_map(multiples).filter(within).collect();
    if ticks.len() > 1 { ticks } else { linear_ticks(low, high, wanted.max(2)) }
}

/// The tick at `digit` × 10^`exponent`.
fn log_tick(digit: u8, exponent: i32) -> Tick {
    let value = f64::from(digit) * 10f64.powi(exponent);
    let label = match exponent {
        0..=4 => format!("{value:.0}"),
        -3..=-1 => format!("{value:.*}", -exponent as usize),
        _ => format!("{digit}e{exponent}").replace('-', "−"),
    };
    Tick { value, label }
}

/// The smallest of 1, 2, 5 × 10ⁿ that is not much below `step`.
pub(crate) fn round_step(step: f64) -> f64 {
    if !(step.is_finite() && step > 0.0) {
        return 1.0;
    }
    let power = 10f64.powf(step.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|s| *s >= 0.8 * step).unwrap_or(step)
}

fn number_text(value: f64, decimals: usize) -> String {
    let text = match value.abs() {
        size if size >= 1e6 => format!("{value:e}"),
        size if size < 1e-12 => format!("{:.decimals$}", 0.0),
        _ => format!("{value:.decimals$}"),
    };
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_and_all_have_the_same_decimals() {
        let axis = AxisScale::new(-0.13, 0.21, 0.0, 100.0);
        assert_eq!(labels(&axis.ticks(4)), ["−0.1", "0.0", "0.1", "0.2"]);
        assert_eq!(labels(&AxisScale::new(0.0, 10.0, 0.0, 1.0).ticks(5)), ["0", "2", "4", "6", "8", "10"]);
    }

    #[test]
    fn rounding_noise_does_not_fill_an_axis() {
        let axis = AxisScale::fit([2e-17, -1e-17, 0.0], Scale::Linear, false, [100.0, 0.0]);
        assert!(axis.low < -0.4 && axis.high > 0.4, "{axis:?}");
        assert!(labels(&axis.ticks(4)).iter().all(|label| label.chars().count() <= 4), "{axis:?}");
        let axis = AxisScale::fit([0.0, 3e-15], Scale::Linear, true, [100.0, 0.0]);
        assert!(axis.low == 0.0 && axis.high >= 1.0, "{axis:?}");
        // Small values above the round-off are shown.
        let axis = AxisScale::fit([1e-5, 3e-5], Scale::Linear, false, [100.0, 0.0]);
        assert!(axis.high < 1e-4, "{axis:?}");
    }

    #[test]
    fn an_axis_never_has_a_single_tick() {
        for k in 1..200 {
            let axis = AxisScale::new(-0.013 * f64::from(k), 0.017 * f64::from(k), 0.0, 100.0);
            for wanted in 1..5 {
                assert!(axis.ticks(wanted).len() > 1, "{axis:?} with {wanted}");
            }
        }
    }

    #[test]
    fn powers_of_ten_are_evenly_spaced_on_a_logarithmic_axis() {
        let axis = AxisScale { scale: Scale::Log, low: 0.01, high: 100.0, from: 0.0, to: 400.0 };
        assert!((axis.place(1.0) - 200.0).abs() < 1e-9);
        assert!(axis.place(0.0).is_nan());
        assert_eq!(labels(&axis.ticks(9)), ["100", "10", "1", "0.1", "0.01"]);
    }

    #[test]
    fn a_logarithmic_axis_within_a_decade_or_two_has_ticks_between_powers_of_ten() {
        let axis = |low, high| AxisScale { scale: Scale::Log, low, high, from: 0.0, to: 400.0 };
        assert_eq!(labels(&axis(0.38, 3.8).ticks(4)), ["0.5", "1", "2"]);
        assert_eq!(labels(&axis(1e-5, 3e-4).ticks(4)), ["1e−5", "2e−5", "5e−5", "1e−4", "2e−4"]);
        assert_eq!(labels(&axis(2.2, 4.6).ticks(4)), ["2.5", "3.0", "3.5", "4.0", "4.5"]);
        // For any range, a single tick would not determine the scale.
        for k in 1..2000 {
            let low = 10f64.powf(0.007 * f64::from(k) - 7.0);
            for high in [1.1 * low, 3.0 * low, 9.0 * low, 40.0 * low, 500.0 * low] {
                assert!((2..=8).contains(&axis(low, high).ticks(4).len()), "{low} to {high}");
            }
        }
        for value in [0.3, 1.0, 1.7, 4.0, 8e-5] {
            let fitted = AxisScale::fit([value, 1.2 * value], Scale::Log, false, [0.0, 400.0]);
            assert!(fitted.ticks(4).len() > 1, "{fitted:?}");
        }
    }

    #[test]
    fn an_axis_without_values_or_of_one_value_has_a_width() {
        for scale in [Scale::Linear, Scale::Log] {
            for values in [
                vec![],
                vec![1e308, -1e308],
                vec![f64::MAX],
                vec![5e-324],
                vec![f64::NAN],
                vec![3.0],
                vec![0.0],
                vec![f64::INFINITY, -1.0],
            ] {
                let axis = AxisScale::fit(values.clone(), scale, false, [0.0, 1.0]);
                assert!(axis.high > axis.low && axis.low.is_finite(), "{scale:?} {values:?} {axis:?}");
                assert!((axis.high - axis.low).is_finite(), "{axis:?}");
                assert!(values.iter().all(|value| !axis.place_within(*value).is_infinite()), "{axis:?}");
                assert!(axis.ticks(5).len() < 20, "{axis:?}");
            }
        }
    }

    #[test]
    fn values_of_one_sign_may_stand_on_zero() {
        let axis = AxisScale::fit([2.0, 7.0], Scale::Linear, true, [0.0, 1.0]);
        assert_eq!(axis.low, 0.0);
        assert!(axis.high > 7.0);
    }
}
