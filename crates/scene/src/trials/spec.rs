//! The contents of `[trials]`.

use super::SceneValue;
use super::amount::Amount;
use aplomb_language::Spanned;
use indexmap::IndexMap;
use serde::Deserialize;

/// Trials: runs of the scene with random values, made by `aplomb test`. The random numbers of each value
/// depend only on `seed`, the trial's number and the value's path, so adding a draw or a trial does not
/// change the others.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TrialsSpec {
    /// Number of trials without `--trials`, 1 to 100000.
    #[serde(default = "defaults::count")]
    pub count: Spanned<u32>,
    /// Seed of the random numbers without `--seed`.
    #[serde(default = "defaults::seed")]
    pub seed: Spanned<u64>,
    /// Promised fraction of trials in which all criteria hold, 0 to 1. The promise is broken if the whole 95
    /// % interval of the measured rate lies below it. Default: no promise.
    pub rate: Option<Spanned<f64>>,
    /// Draws, by the path of the value as in `--set`: `"events.push.impulse" = { direction = { length = 40 } }`.
    #[serde(default)]
    pub draw: IndexMap<Spanned<String>, DrawSpec>,
}

impl TrialsSpec {
    /// Trials without draws.
    pub fn none() -> Self {
        TrialsSpec { count: defaults::count(), seed: defaults::seed(), rate: None, draw: IndexMap::new() }
    }

    /// Path and draw from which the values of a draw come: its own, or those of the draw that it refers to.
    pub fn origin<'s>(&'s self, key: &'s str, draw: &'s DrawSpec) -> (&'s str, &'s DrawSpec) {
        let DrawSpec::SameAs(other) = draw else { return (key, draw) };
        let found = self.draw.get_key_value(other.get_ref().as_str());
        found.map_or((key, draw), |(key, draw)| (key.get_ref(), draw))
    }
}

/// How a value is drawn.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DrawSpec {
    /// A uniformly distributed number: `[low, high]`.
    Uniform(Spanned<[f64; 2]>),
    /// A log-uniformly distributed number, with bounds above 0: `[low, high]`.
    LogUniform(Spanned<[f64; 2]>),
    /// A uniformly distributed whole number, bounds included: `[low, high]`.
    Integer(Spanned<[i64; 2]>),
    /// A normally distributed number.
    Normal(NormalSpec),
    /// One of a list of numbers, strings, booleans or vectors, with equal probability.
    Choice(Spanned<Vec<SceneValue>>),
    /// A vector of given length in a random direction.
    Direction(DirectionSpec),
    /// The same value as the draw of another path.
    SameAs(Spanned<String>),
}

/// A normally distributed number, redrawn until it lies within its bounds.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NormalSpec {
    /// Mean, in the unit of the value.
    pub mean: Spanned<f64>,
    /// Standard deviation, more than 0, in the unit of the value.
    pub deviation: Spanned<f64>,
    /// Lower bound, at most the mean; default: none.
    pub low: Option<Spanned<f64>>,
    /// Upper bound, at least the mean; default: none.
    pub high: Option<Spanned<f64>>,
}

/// A vector of given length in a uniformly distributed direction.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DirectionSpec {
    /// Set of directions to draw from.
    #[serde(default)]
    pub over: Directions,
    /// Length of the vector, in the unit of the value: a number, or a draw of one.
    pub length: Amount,
    /// Range of bearings for horizontal directions, from world x, counter-clockwise, rad; -6.3 to 6.3.
    /// Default: all directions.
    pub bearing: Option<Spanned<[f64; 2]>>,
}

/// Directions to draw from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Directions {
    /// Directions in the world's xy-plane.
    #[default]
    Horizontal,
    /// All directions in space.
    Sphere,
}

mod defaults {
    use aplomb_language::Spanned;

    pub(super) fn count() -> Spanned<u32> {
        Spanned::new(0..0, 200)
    }

    pub(super) fn seed() -> Spanned<u64> {
        Spanned::new(0..0, 1)
    }
}
