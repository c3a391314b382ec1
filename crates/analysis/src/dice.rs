//! Random numbers, the same on every machine: SplitMix64 (Steele, Lea and Flood 2014).

use aplomb_math::elementary::{cos, log};
use std::f64::consts::TAU;

/// A sequence of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    /// The sequence of a case for a seed.
    pub(crate) fn new(seed: u64, case: u64) -> Self {
        let mut dice = Dice(seed);
        let mixed = dice.next();
        Dice(mixed ^ case.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform from 0 to 1.
    pub(crate) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Normally distributed about 0 with variance 1 (Box and Muller 1958).
    pub(crate) fn normal(&mut self) -> f64 {
        // 0 has no logarithm; 1 − share is in (0, 1].
        let radius = (-2.0 * log(1.0 - self.share())).sqrt();
        radius * cos(TAU * self.share())
    }

    /// Uniform between two numbers.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    /// Log-uniform between two numbers.
    pub(crate) fn ratio(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.share())
    }

    /// True with this probability.
    pub(crate) fn is(&mut self, share: f64) -> bool {
        self.share() < share
    }

    /// A random element of a list that is not empty.
    pub(crate) fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        let index = (self.share() * list.len() as f64) as usize;
        &list[index.min(list.len() - 1)]
    }
}
