//! Values over time: `{ keyframes = { times = [0, 1], values = [2, 5], interpolation = "smooth" } }`.

use super::bind::number;
use super::field::bind_text;
use super::interval::Interval;
use super::names::Names;
use super::nesting::Nesting;
use super::rates::Dependence;
use super::tree::Number;
use super::value::Lookup;
use crate::Spanned;
use crate::diagnostic::{FileError, Source};
use aplomb_math::interpolation::{KeyPosition, place, rates_of_neighbours, smooth};
use serde::Deserialize;
use std::ops::{Add, Div, Mul, Sub};

/// Keyframes as written in a file; `V` is a number or `[x, y, z]`. The first and last values hold before and
/// after the given times.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Keyframes_{V}"))]
#[serde(deny_unknown_fields)]
pub(crate) struct Keyframes<V> {
    /// Times, s, increasing.
    pub(crate) times: Spanned<Vec<f64>>,
    /// One value for each time: numbers, or `[x, y, z]` for a vector.
    pub(crate) values: Spanned<Vec<V>>,
    /// Interpolation between them.
    #[serde(default)]
    pub(crate) interpolation: Interpolation,
    /// Clock of `times`.
    #[serde(default)]
    pub(crate) clock: Clock,
    /// Numeric expression that `times` refers to instead of a clock, for example the time in a clip that can
    /// be paused.
    #[serde(default)]
    pub(crate) over: Option<Spanned<String>>,
}

/// Interpolation between two keyframes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Interpolation {
    /// Linear interpolation.
    #[default]
    Linear,
    /// Zero rate at each keyframe: s² (3 − 2 s).
    Smooth,
    /// Curve with a continuous rate, at rest at both ends; the rate at each value between them follows from
    /// its neighbours.
    Curve,
    /// Each value holds until the next time.
    Step,
}

/// Clock of the keyframes.
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

/// Keyframes that are bound and checked.
#[derive(Clone, Debug)]
pub(super) struct Track<T> {
    times: Vec<f64>,
    values: Vec<T>,
    /// Rates at the times, for a curve; otherwise empty.
    rates: Vec<T>,
    interpolation: Interpolation,
    argument: Argument,
}

/// The argument of keyframes.
#[derive(Clone, Debug)]
enum Argument {
    /// Time of the run.
    Run,
    /// Time in the innermost state.
    State,
    /// Time in a state that contains other states.
    Level(usize),
    Expression(Box<Number>),
}

impl<V: Clone> Keyframes<V> {
    /// Checks the times and turns every value into a `T`; `None` means that a value is not finite.
    pub(super) fn bind<T>(
        &self,
        source: &Source,
        names: &dyn Names,
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
            argument: self.argument(source, names)?,
        })
    }

    fn argument(&self, source: &Source, names: &dyn Names) -> Result<Argument, FileError> {
        let level = source.namespace(self.times.span().start).and_then(|of_file| of_file.level);
        match (&self.over, self.clock, level) {
            (Some(over), Clock::State, _) => {
                let message = "these keyframes are over an expression and over the time in a state";
                Err(FileError::new(source, over.span(), message).help("leave out `clock`, or `over`"))
            }
            (Some(over), Clock::Run, _) => {
                let tree = bind_text(source, over.span(), over.get_ref(), names, |node| number(node, names))?;
                Ok(Argument::Expression(Box::new(tree)))
            }
            (None, Clock::Run, _) => Ok(Argument::Run),
            (None, Clock::State, Some(level)) => Ok(Argument::Level(level)),
            (None, Clock::State, None) => Ok(Argument::State),
        }
    }
}

const LESS: std::cmp::Ordering = std::cmp::Ordering::Less;

impl<T> Track<T>
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T> + Div<f64, Output = T>,
{
    pub(super) fn value(&self, lookup: &dyn Lookup) -> T {
        let time = match &self.argument {
            Argument::Run => lookup.time(),
            Argument::State => lookup.state_time(),
            Argument::Level(level) => lookup.level_time(*level),
            Argument::Expression(tree) => tree.value(lookup),
        };
        if time.is_nan() {
            return self.values[0] * f64::NAN;
        }
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

    /// Records the names that the keyframes depend on.
    pub(super) fn seen_by(&self, seen: &mut Dependence) {
        match &self.argument {
            _ if self.is_constant() => {}
            Argument::Expression(tree) => tree.seen_by(seen),
            _ => seen.on_time(),
        }
    }

    /// Whether an object that the argument depends on is absent.
    pub(super) fn lacks(&self, lookup: &dyn Lookup) -> bool {
        matches!(&self.argument, Argument::Expression(tree) if tree.lacks(lookup))
    }

    /// Depth of the nested set expressions in the argument.
    pub(super) fn sets_deep(&self) -> usize {
        if let Argument::Expression(tree) = &self.argument { tree.sets_deep() } else { 0 }
    }
}

impl Track<f64> {
    /// Range of the values. Between keyframes only a curve can leave the range of the neighbouring values, and it
    /// stays within the control points of its cubics.
    pub(super) fn range(&self) -> Interval {
        let beside = (1..self.rates.len()).flat_map(|key| {
            let third = (self.times[key] - self.times[key - 1]) / 3.0;
            [self.values[key - 1] + self.rates[key - 1] * third, self.values[key] - self.rates[key] * third]
        });
        let all = self.values.iter().copied().chain(beside).map(Interval::of).reduce(Interval::join);
        all.unwrap_or(Interval::ANY)
    }
}
