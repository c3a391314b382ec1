//! What of an error costs: either side of the target, or one alone.

use serde::Deserialize;

/// Which side of its target a goal keeps to.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// On the target: more costs as less does.
    #[default]
    Exactly,
    /// The target or more, which costs nothing.
    AtLeast,
    /// The target or less, which costs nothing.
    AtMost,
}

impl Side {
    /// The part of a residual, actual value less target, that costs.
    pub fn excess(self, residual: f64) -> f64 {
        match self {
            Side::Exactly => residual,
            Side::AtLeast => residual.min(0.0),
            Side::AtMost => residual.max(0.0),
        }
    }

    /// Ends of the residual within which nothing costs.
    pub fn free(self) -> [f64; 2] {
        match self {
            Side::Exactly => [0.0, 0.0],
            Side::AtLeast => [0.0, f64::INFINITY],
            Side::AtMost => [f64::NEG_INFINITY, 0.0],
        }
    }

    /// The sign with which an unknown that is 0 or more lets the residual leave those ends.
    pub fn give(self) -> f64 {
        if self == Side::AtMost { -1.0 } else { 1.0 }
    }
}
