//! The velocity of a frame at which the bias force is computed.

use serde::Deserialize;

/// Velocity at which the bias force of a frame is evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum BiasVelocity {
    /// v^N, the velocity that led to the current configuration.
    #[default]
    Backward,
    /// 1.5 v^N − 0.5 v^{N−1}
    Extrapolated,
    /// (v^N + v^{N+1})/2, linearised.
    Midpoint,
    /// As `extrapolated` for the joints; the six rows of a floating root are the balances of linear and
    /// angular momentum between half steps, which hold exactly.
    Momentum,
}

impl BiasVelocity {
    /// The name that files and traces use.
    pub fn name(self) -> &'static str {
        match self {
            BiasVelocity::Backward => "backward",
            BiasVelocity::Extrapolated => "extrapolated",
            BiasVelocity::Midpoint => "midpoint",
            BiasVelocity::Momentum => "momentum",
        }
    }

    /// The velocity for the bias forces of joints where motion is smooth.
    pub fn in_joints(self) -> Self {
        if self == BiasVelocity::Momentum { BiasVelocity::Extrapolated } else { self }
    }
}
