//! Trials: which values of a scene are drawn at random, and how, so that its criteria have a rate.

mod amount;
mod check;
mod probe;
mod spec;
#[cfg(test)]
mod tests;
mod value;

pub use amount::Amount;
pub(crate) use check::check;
pub use probe::at_ends;
pub(crate) use probe::mistakes;
pub use spec::{DirectionSpec, Directions, DrawSpec, NormalSpec, TrialsSpec};
pub use value::SceneValue;

/// Trials of a scene at most; more is a slip of the keys.
pub const MOST_TRIALS: u32 = 100_000;
