//! At which of a frame's velocities the bias force is taken.

use serde::Deserialize;

/// Velocity at which the bias force of a frame is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum BiasVelocity {
    /// v^N, which led to this configuration.
    #[default]
    Backward,
    /// 1.5 v^N − 0.5 v^{N−1}
    Extrapolated,
    /// (v^N + v^{N+1})/2, linearised.
    Midpoint,
}

impl BiasVelocity {
    /// The name that files and traces use.
    pub fn name(self) -> &'static str {
        match self {
            BiasVelocity::Backward => "backward",
            BiasVelocity::Extrapolated => "extrapolated",
            BiasVelocity::Midpoint => "midpoint",
        }
    }
}
