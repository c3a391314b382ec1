//! Interpolation between keys: the position of a time among them, linear and cubic; rates of a value.

use nalgebra::Vector3;
use std::ops::{Add, Div, Mul, Sub};

/// Position of a time among keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeyPosition {
    /// Before the first key or from the last on: at that key.
    At(usize),
    /// Between two consecutive keys.
    Between(KeyInterval),
}

/// Position within the span between two keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyInterval {
    /// Index of the key at which the span begins; it ends at the next.
    pub key: usize,
    /// Elapsed share of the span, from 0 to less than 1.
    pub share: f64,
    /// Length of the span.
    pub width: f64,
}

/// Position of a time among `keys`, which must increase; there must be at least one.
pub fn place(keys: &[f64], time: f64) -> KeyPosition {
    let next = keys.partition_point(|key| *key <= time);
    if next == 0 || next == keys.len() {
        return KeyPosition::At(next.saturating_sub(1));
    }
    let (from, to) = (keys[next - 1], keys[next]);
    KeyPosition::Between(KeyInterval { key: next - 1, share: (time - from) / (to - from), width: to - from })
}

/// The time between the first and the last of `keys` that corresponds to a later time of a periodic motion.
pub fn wrapped(keys: &[f64], time: f64) -> f64 {
    match keys {
        [first, .., last] if time >= *last && last > first => first + (time - first) % (last - first),
        _ => time,
    }
}

/// From 0 to 1 with zero rate at both ends: s² (3 − 2 s).
#[doc(alias = "smoothstep")]
pub fn smooth(share: f64) -> f64 {
    share * share * (3.0 - 2.0 * share)
}

/// Rates at increasing keys of a curve through these values, with zero rate at both ends: between them, the
/// rate of the parabola through a value and its two neighbours.
#[doc(alias = "finite differences")]
pub fn rates_of_neighbours<T>(keys: &[f64], values: &[T]) -> Vec<T>
where
    T: Copy + Default + Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T> + Div<f64, Output = T>,
{
    let slope = |key: usize| (values[key + 1] - values[key]) / (keys[key + 1] - keys[key]);
    let rate = |key: usize| {
        if key == 0 || key + 1 == keys.len() {
            return T::default();
        }
        let [before, after] = [keys[key] - keys[key - 1], keys[key + 1] - keys[key]];
        (slope(key - 1) * after + slope(key) * before) / (before + after)
    };
    (0..keys.len()).map(rate).collect()
}

impl KeyInterval {
    /// Linear interpolation between the ends of the span.
    #[doc(alias = "lerp")]
    pub fn linear<T: Copy + Add<Output = T> + Mul<f64, Output = T>>(&self, values: &[T], share: f64) -> T {
        values[self.key] * (1.0 - share) + values[self.key + 1] * share
    }

    /// Value, rate and second rate of the cubic with these values and rates at the keys.
    #[doc(alias = "Hermite")]
    pub fn cubic<T>(&self, values: &[T], rates: &[T]) -> [T; 3]
    where
        T: Copy + Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T> + Div<f64, Output = T>,
    {
        let KeyInterval { key, share: s, width } = *self;
        let (y0, y1) = (values[key], values[key + 1]);
        let (m0, m1) = (rates[key] * width, rates[key + 1] * width);
        // y = y0 + m0 s + b s² + a s³
        let b = (y1 - y0) * 3.0 - m0 * 2.0 - m1;
        let a = (y0 - y1) * 2.0 + m0 + m1;
        [
            y0 + (m0 + (b + a * s) * s) * s,
            (m0 + (b * 2.0 + a * (3.0 * s)) * s) / width,
            (b * 2.0 + a * (6.0 * s)) / (width * width),
        ]
    }
}

/// First and second rate of a value, as differences over one frame.
///
/// The velocity is the difference since the previous frame, like the velocities of a state; the acceleration is the
/// second difference to the next frame. A body that has both reaches the value of the next frame exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates<T> {
    /// Rate since the previous frame, per s.
    pub velocity: T,
    /// Change of that rate to the next frame, per s².
    pub acceleration: T,
}

impl Rates<Vector3<f64>> {
    /// Rates of one component.
    pub fn row(&self, row: usize) -> Rates<f64> {
        Rates { velocity: self.velocity[row], acceleration: self.acceleration[row] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [f64; 3] = [1.0, 2.0, 4.0];

    #[test]
    fn a_curve_through_values_of_a_parabola_has_its_rates_between_the_ends() {
        let keys = [0.0, 1.0, 1.5, 4.0];
        let values = keys.map(|t: f64| 3.0 + 2.0 * t - t * t);
        assert_eq!(rates_of_neighbours(&keys, &values), [0.0, 0.0, -1.0, 0.0]);
    }

    #[test]
    fn a_time_is_before_between_or_after_the_keys() {
        assert_eq!(place(&KEYS, 0.0), KeyPosition::At(0));
        assert_eq!(place(&KEYS, 4.0), KeyPosition::At(2));
        assert_eq!(place(&KEYS, 3.0), KeyPosition::Between(KeyInterval { key: 1, share: 0.5, width: 2.0 }));
        assert_eq!(place(&KEYS[..1], 3.0), KeyPosition::At(0));
        assert_eq!(wrapped(&KEYS, 5.0), 2.0);
        assert_eq!(wrapped(&KEYS, 4.0), 1.0);
        assert_eq!(wrapped(&KEYS, 3.0), 3.0);
    }

    #[test]
    fn a_cubic_is_met_exactly_with_its_rates() {
        let cubic = |t: f64| [1.0 - t + 0.5 * t * t * t, -1.0 + 1.5 * t * t, 3.0 * t];
        let [values, rates] = [0, 1].map(|order| KEYS.map(|key| cubic(key)[order]));
        for k in 0..30 {
            let time = 1.0 + 0.1 * f64::from(k);
            let KeyPosition::Between(span) = place(&KEYS, time) else { unreachable!("it is between") };
            for (found, wanted) in span.cubic(&values, &rates).iter().zip(cubic(time)) {
                assert!((found - wanted).abs() < 1e-12, "{found} {wanted} at {time}");
            }
        }
    }
}
