//! What of an error costs: either side of the target, or one alone.

use serde::Deserialize;

/// Which side of its target a goal keeps to.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TargetSide {
    /// On the target: more costs as less does.
    #[default]
    Exactly,
    /// The target or more, which costs nothing.
    AtLeast,
    /// The target or less, which costs nothing.
    AtMost,
}

impl TargetSide {
    /// The part of a residual, actual value less target, that costs.
    pub fn excess(self, residual: f64) -> f64 {
        match self {
            TargetSide::Exactly => residual,
            TargetSide::AtLeast => residual.min(0.0),
            TargetSide::AtMost => residual.max(0.0),
        }
    }

    /// Ends of the residual within which nothing costs.
    pub fn free(self) -> [f64; 2] {
        match self {
            TargetSide::Exactly => [0.0, 0.0],
            TargetSide::AtLeast => [0.0, f64::INFINITY],
            TargetSide::AtMost => [f64::NEG_INFINITY, 0.0],
        }
    }

    /// The sign with which an unknown that is 0 or more lets the residual leave those ends.
    pub fn give(self) -> f64 {
        if self == TargetSide::AtMost { -1.0 } else { 1.0 }
    }
}
