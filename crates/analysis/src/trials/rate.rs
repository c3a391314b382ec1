//! The confidence interval of a share of trials.

use serde::Serialize;

/// Quantile of the normal distribution above which 2.5 % lie.
const NORMAL_QUANTILE: f64 = 1.959_963_984_540_054;

/// A share of trials, with its 95 % interval ([Wilson 1927]).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rate {
    /// Number of trials that passed.
    pub passed: usize,
    /// Number of trials.
    pub trials: usize,
    /// Share of the trials that passed; 0 without trials.
    pub rate: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// Comparison of a measured rate with a required one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RateVerdict {
    /// The whole interval is at the promised rate or above.
    Shown,
    /// The promised rate is within the interval: neither shown nor missed with this number of trials.
    Open,
    /// The whole interval is below the promised rate.
    Missed,
}

impl Rate {
    /// The rate for this number of passed trials.
    pub(crate) fn of(passed: usize, trials: usize) -> Self {
        if trials == 0 {
            return Rate { passed, trials, rate: 0.0, low: 0.0, high: 1.0 };
        }
        let (count, rate) = (trials as f64, passed as f64 / trials as f64);
        let z2 = NORMAL_QUANTILE * NORMAL_QUANTILE;
        let scale = 1.0 / (1.0 + z2 / count);
        let middle = scale * (rate + z2 / (2.0 * count));
        let half =
            scale * NORMAL_QUANTILE * (rate * (1.0 - rate) / count + z2 / (4.0 * count * count)).sqrt();
        // At the ends, the formula gives 0 and 1 up to round-off.
        let low = if passed == 0 { 0.0 } else { middle - half };
        let high = if passed == trials { 1.0 } else { middle + half };
        Rate { passed, trials, rate, low, high }
    }

    /// Comparison with a required rate.
    pub(crate) fn against(&self, promised: f64) -> RateVerdict {
        if self.high < promised {
            RateVerdict::Missed
        } else if self.low >= promised {
            RateVerdict::Shown
        } else {
            RateVerdict::Open
        }
    }
}
