//! Interval arithmetic. Unknown ranges are [`Interval::ANY`]; NaN is in no interval.

/// All numbers from `least` to `most`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end, included.
    pub least: f64,
    /// Upper end, included.
    pub most: f64,
}

impl Interval {
    /// All numbers.
    pub const ANY: Interval = Interval { least: f64::NEG_INFINITY, most: f64::INFINITY };
    /// All numbers from 0.
    pub const NEVER_NEGATIVE: Interval = Interval { least: 0.0, most: f64::INFINITY };

    /// All numbers from `least` to `most`.
    pub const fn new(least: f64, most: f64) -> Self {
        Interval { least, most }
    }

    /// One number alone.
    pub const fn of(value: f64) -> Self {
        Interval { least: value, most: value }
    }

    /// Whether the interval contains no negative number.
    pub fn is_never_negative(&self) -> bool {
        self.least >= 0.0
    }

    /// The smallest interval that holds all of `values`; [`Interval::ANY`] if they are not numbers.
    pub(super) fn around(values: &[f64]) -> Self {
        if values.is_empty() || values.iter().any(|value| value.is_nan()) {
            return Interval::ANY;
        }
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        Interval { least, most: values.iter().copied().fold(f64::NEG_INFINITY, f64::max) }
    }

    /// The smallest interval that holds both.
    pub fn join(self, other: Interval) -> Self {
        Interval { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    pub(super) fn is_within(&self, least: f64, most: f64) -> bool {
        self.least >= least && self.most <= most
    }

    /// The image of the interval under a non-decreasing function.
    pub(super) fn rising(self, function: impl Fn(f64) -> f64) -> Self {
        Interval::around(&[function(self.least), function(self.most)])
    }

    pub(super) fn negated(self) -> Self {
        Interval { least: -self.most, most: -self.least }
    }

    pub(super) fn plus(self, other: Interval) -> Self {
        Interval::around(&[self.least + other.least, self.most + other.most])
    }

    pub(super) fn times(self, other: Interval) -> Self {
        // 0 × ∞ is the limit of 0 times ever larger numbers, which is 0.
        let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let [a, b] = [self, other];
        Interval::around(&[
            product(a.least, b.least),
            product(a.least, b.most),
            product(a.most, b.least),
            product(a.most, b.most),
        ])
    }

    pub(super) fn reciprocal(self) -> Self {
        if self.least > 0.0 || self.most < 0.0 {
            Interval { least: 1.0 / self.most, most: 1.0 / self.least }
        } else if self.least == 0.0 {
            Interval { least: 1.0 / self.most, most: f64::INFINITY }
        } else {
            Interval::ANY
        }
    }

    pub(super) fn power(self, exponent: Interval) -> Self {
        let is_even = exponent.least == exponent.most && exponent.least % 2.0 == 0.0;
        if is_even || self.is_never_negative() { Interval::NEVER_NEGATIVE } else { Interval::ANY }
    }

    pub(super) fn smaller(self, other: Interval) -> Self {
        Interval { least: self.least.min(other.least), most: self.most.min(other.most) }
    }

    pub(super) fn larger(self, other: Interval) -> Self {
        Interval { least: self.least.max(other.least), most: self.most.max(other.most) }
    }
}
