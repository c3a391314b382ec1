//! One-sided objectives: which side of the target has a cost.

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
    /// Bounds of the residual, actual value less target, between which the cost is zero.
    pub fn free(self) -> [f64; 2] {
        match self {
            TargetSide::Exactly => [0.0, 0.0],
            TargetSide::AtLeast => [0.0, f64::INFINITY],
            TargetSide::AtMost => [f64::NEG_INFINITY, 0.0],
        }
    }
}
