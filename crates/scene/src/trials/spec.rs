//! The contents of `[trials]`.

use super::SceneValue;
use super::amount::Amount;
use aplomb_language::Spanned;
use indexmap::IndexMap;
use serde::Deserialize;

/// Trials: runs of the scene with values drawn at random, which `aplomb test` makes. Each value has random
/// numbers of its own for each trial, from `seed`, the trial's number and the value's path, so that a draw or
/// a trial more leaves the others as they are.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TrialsSpec {
    /// How many trials are made where `--trials` does not say, 1 to 100000.
    #[serde(default = "defaults::count")]
    pub count: Spanned<u32>,
    /// Where the random numbers begin, where `--seed` does not say.
    #[serde(default = "defaults::seed")]
    pub seed: Spanned<u64>,
    /// The promised share of trials in which all criteria hold, 0 to 1. The promise is missed where the whole
    /// 95 % interval of the measured rate lies below it. Nothing is promised where it is left out.
    pub rate: Option<Spanned<f64>>,
    /// What is drawn, by the path that `--set` takes:
    /// `"events.push.impulse" = { direction = { length = 40 } }`.
    #[serde(default)]
    pub draw: IndexMap<Spanned<String>, DrawSpec>,
}

impl TrialsSpec {
    /// Nothing is drawn.
    pub fn none() -> Self {
        TrialsSpec { count: defaults::count(), seed: defaults::seed(), rate: None, draw: IndexMap::new() }
    }

    /// Path and draw that a draw's values come from: its own, or those that it is the same as.
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
    /// A number between two, all alike: `[low, high]`.
    Uniform(Spanned<[f64; 2]>),
    /// A number between two above 0, of which all ratios are alike: `[low, high]`.
    LogUniform(Spanned<[f64; 2]>),
    /// A whole number from the first to the second, both of them too: `[low, high]`.
    Integer(Spanned<[i64; 2]>),
    /// A normally distributed number.
    Normal(NormalSpec),
    /// One of a list of numbers, words, truths or vectors, all alike.
    Choice(Spanned<Vec<SceneValue>>),
    /// A vector of some length in a random direction.
    Direction(DirectionSpec),
    /// What the draw of another path gives, for values that go together.
    SameAs(Spanned<String>),
}

/// A normally distributed number, drawn again until it lies within its bounds.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NormalSpec {
    /// Mean, in the unit of the value.
    pub mean: Spanned<f64>,
    /// Standard deviation, more than 0, in the unit of the value.
    pub deviation: Spanned<f64>,
    /// Least value, at most the mean; without bound where it is left out.
    pub low: Option<Spanned<f64>>,
    /// Largest value, at least the mean; without bound where it is left out.
    pub high: Option<Spanned<f64>>,
}

/// A vector of some length in a random direction, all directions alike.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DirectionSpec {
    /// Which directions there are.
    #[serde(default)]
    pub over: Directions,
    /// Length of the vector, in the unit of the value: a number, or a draw of one.
    pub length: Amount,
    /// Of horizontal directions only those between two bearings, from the world's x counter-clockwise, rad;
    /// -6.3 to 6.3. All around where it is left out.
    pub bearing: Option<Spanned<[f64; 2]>>,
}

/// Directions to draw from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Directions {
    /// Those in the plane of the world's x and y.
    #[default]
    Horizontal,
    /// All there are.
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
