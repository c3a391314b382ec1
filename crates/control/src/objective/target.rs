//! Target of a goal, as plain numbers.

use super::{Marker, Rates};
use aplomb_math::affine::Affine;
use nalgebra::Vector3;
use std::ops::Range;

/// The current target, with its motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target<T> {
    /// Target in this frame.
    pub value: T,
    /// Rates of the target for a goal that follows it; `None` for a goal that uses its position alone.
    pub rates: Option<Rates<T>>,
}

impl<T> Target<T> {
    /// A target without motion.
    pub fn fixed(value: T) -> Self {
        Target { value, rates: None }
    }

    /// A target that is followed: `velocity` is its rate since the previous frame, `acceleration` the change
    /// of that rate to the next frame, per s².
    pub fn moving(value: T, velocity: T, acceleration: T) -> Self {
        Target { value, rates: Some(Rates { velocity, acceleration }) }
    }

    /// Whether the goal follows the motion of the target.
    pub fn is_followed(&self) -> bool {
        self.rates.is_some()
    }
}

impl Target<f64> {
    /// This target, with its rates, multiplied by a factor.
    pub fn times(&self, factor: f64) -> Self {
        let rates = self.rates.map(|Rates { velocity, acceleration }| Rates {
            velocity: factor * velocity,
            acceleration: factor * acceleration,
        });
        Target { value: factor * self.value, rates }
    }
}

/// The world components of a point that a goal controls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axes {
    /// x, y and z.
    #[default]
    All,
    /// x and y; the height is free.
    Horizontal,
    /// Only z.
    Vertical,
}

impl Axes {
    /// These components of three rows.
    pub(super) fn of(self, error: Affine<'_>) -> Affine<'_> {
        match self {
            Axes::All => error,
            Axes::Horizontal => error.horizontal(),
            Axes::Vertical => error.component(2),
        }
    }

    /// Rates of these components, one by one.
    pub(super) fn rates(self, rates: Rates<Vector3<f64>>) -> impl Iterator<Item = Rates<f64>> {
        self.rows().map(move |row| rates.row(row))
    }

    /// Appends these components of a target and of the actual value as pairs.
    pub(super) fn compare(self, target: Vector3<f64>, actual: Vector3<f64>, pairs: &mut Vec<[f64; 2]>) {
        pairs.extend(self.rows().map(|row| [target[row], actual[row]]));
    }

    /// A marker whose target has these components of `target`, and otherwise those of the actual point.
    pub(super) fn towards(
        self,
        actual: Vector3<f64>,
        target: Vector3<f64>,
        key: Option<&'static str>,
    ) -> Marker {
        let mut wanted = actual;
        self.rows().for_each(|row| wanted[row] = target[row]);
        Marker { actual, wanted, key }
    }

    pub(super) fn rows(self) -> Range<usize> {
        match self {
            Axes::All => 0..3,
            Axes::Horizontal => 0..2,
            Axes::Vertical => 2..3,
        }
    }
}
