//! A wind in scene files.

use crate::checks::{Checks, defaults};
use crate::particles::wind::Wind;
use aplomb_language::Spanned;
use nalgebra::Vector3;
use serde::Deserialize;

/// A uniform wind.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct WindSpec {
    /// Mean velocity, world axes, m/s.
    pub(crate) velocity: Spanned<[f64; 3]>,
    /// Relative amplitude of a sinusoidal gust, 0 to 1.
    #[serde(default = "defaults::zero")]
    pub(crate) gust: Spanned<f64>,
    /// Period of the gusts, s.
    #[serde(default = "defaults::one")]
    pub(crate) period: Spanned<f64>,
    /// Density of the air, kg/m³.
    #[serde(default = "air")]
    pub(crate) density: Spanned<f64>,
}

impl WindSpec {
    pub(crate) fn check(&self, checks: &mut Checks<'_>) {
        checks.vector("velocity", &self.velocity);
        checks.within("gust", &self.gust, 0.0..=1.0);
        checks.positive("period", &self.period);
        checks.not_negative("density", &self.density);
    }

    pub(crate) fn wind(&self) -> Wind {
        Wind {
            velocity: Vector3::from(*self.velocity.get_ref()),
            gust: *self.gust.get_ref(),
            period: *self.period.get_ref(),
            density: *self.density.get_ref(),
        }
    }
}

fn air() -> Spanned<f64> {
    defaults::given(1.2)
}
