//! Values over time: `{ keyframes = { times = [0, 1], values = [2, 5], interpolation = "smooth" } }`.

use super::interval::Interval;
use super::value::Lookup;
use crate::Spanned;
use crate::diagnostic::{FileError, Source};
use aplomb_math::interpolation::{KeyPosition, place, rates_of_neighbours, smooth};
use serde::Deserialize;
use std::ops::{Add, Div, Mul, Sub};

/// Keyframes as a file gives them; `V` is a number or `[x, y, z]`. Before the first time the first value
/// holds, after the last the last.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Keyframes_{V}"))]
#[serde(deny_unknown_fields)]
pub struct Keyframes<V> {
    /// s, increasing.
    pub times: Spanned<Vec<f64>>,
    /// One value for each time: numbers, or `[x, y, z]` for a vector.
    pub values: Spanned<Vec<V>>,
    /// What happens between them.
    #[serde(default)]
    pub interpolation: Interpolation,
    /// Which time they are over.
    #[serde(default)]
    pub clock: Clock,
}

/// What happens between two keyframes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Interpolation {
    /// Straight lines.
    #[default]
    Linear,
    /// Starts and arrives with no rate: s² (3 − 2 s).
    Smooth,
    /// A curve whose rate has no jump: at rest at both ends, through each value between them as through its
    /// neighbours.
    Curve,
    /// Each value holds until the next time.
    Step,
}

/// Which time the keyframes are over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// Seconds since the run began.
    #[default]
    Run,
    /// Seconds since the controller's state was entered, on the controller's own clock.
    State,
}

/// Keyframes checked and ready.
#[derive(Clone, Debug)]
pub(super) struct Track<T> {
    times: Vec<f64>,
    values: Vec<T>,
    /// At each time, of a curve; none otherwise.
    rates: Vec<T>,
    interpolation: Interpolation,
    clock: Clock,
    /// Whose time in a state it is, where that is not the innermost.
    level: Option<usize>,
}

impl<V: Clone> Keyframes<V> {
    /// Checks the times and turns every value into a `T`; `None` means that a value is not finite.
    pub(super) fn bind<T>(
        &self,
        source: &Source,
        convert: impl Fn(&V) -> Option<T>,
    ) -> Result<Track<T>, FileError>
    where
        T: Copy + Default + Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T> + Div<f64, Output = T>,
    {
        let times = self.times.get_ref();
        let at_times = |message: String| FileError::new(source, self.times.span(), message);
        if times.is_empty() {
            return Err(at_times("keyframes need at least one time".into()));
        }
        if let Some(pair) = times.windows(2).find(|pair| pair[0].partial_cmp(&pair[1]) != Some(LESS)) {
            return Err(at_times(format!("times must increase, but {} follows {}", pair[1], pair[0])));
        }
        if times.iter().any(|time| !time.is_finite()) {
            return Err(at_times("times must be finite".into()));
        }
        let given = self.values.get_ref();
        let at_values = |message: String| FileError::new(source, self.values.span(), message);
        if given.len() != times.len() {
            return Err(at_values(format!("{} times need as many values, not {}", times.len(), given.len())));
        }
        let values: Option<Vec<T>> = given.iter().map(convert).collect();
        let values = values.ok_or_else(|| at_values("values must be finite".into()))?;
        let is_curve = self.interpolation == Interpolation::Curve;
        let rates = if is_curve { rates_of_neighbours(times, &values) } else { Vec::new() };
        Ok(Track {
            times: times.clone(),
            values,
            rates,
            interpolation: self.interpolation,
            clock: self.clock,
            level: source.namespace(self.times.span().start).and_then(|of_file| of_file.level),
        })
    }
}

const LESS: std::cmp::Ordering = std::cmp::Ordering::Less;

impl<T> Track<T>
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T> + Div<f64, Output = T>,
{
    pub(super) fn value(&self, lookup: &dyn Lookup) -> T {
        let time = match self.clock {
            Clock::Run => lookup.time(),
            Clock::State => match self.level {
                Some(level) => lookup.level_time(level),
                None => lookup.state_time(),
            },
        };
        let span = match place(&self.times, time) {
            KeyPosition::At(key) => return self.values[key],
            KeyPosition::Between(span) => span,
        };
        let share = match self.interpolation {
            Interpolation::Linear => span.share,
            Interpolation::Smooth => smooth(span.share),
            Interpolation::Curve => return span.cubic(&self.values, &self.rates)[0],
            Interpolation::Step => 0.0,
        };
        span.linear(&self.values, share)
    }

    pub(super) fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    pub(super) fn is_constant(&self) -> bool {
        self.times.len() == 1
    }
}

impl Track<f64> {
    /// From the least to the most of its values, which nothing goes beyond between two times but a curve:
    /// that stays within the control points of its cubics.
    pub(super) fn range(&self) -> Interval {
        let beside = (1..self.rates.len()).flat_map(|key| {
            let third = (self.times[key] - self.times[key - 1]) / 3.0;
            [self.values[key - 1] + self.rates[key - 1] * third, self.values[key] - self.rates[key] * third]
        });
        let all = self.values.iter().copied().chain(beside).map(Interval::of).reduce(Interval::join);
        all.unwrap_or(Interval::ANY)
    }
}
