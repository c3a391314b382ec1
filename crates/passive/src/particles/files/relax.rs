//! Relaxation settings of stick constraints in scene files.

use crate::checks::{Checks, defaults};
use crate::particles::{Passes, Root};
use aplomb_language::Spanned;
use serde::Deserialize;

/// How stick constraints are relaxed.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RelaxSpec {
    /// Relaxation passes over all sticks per step; more passes make the object stiffer.
    #[serde(default = "own::passes")]
    pub(crate) passes: Spanned<u32>,
    /// Relative change of a stick's length below which the passes of a step end.
    #[serde(default = "defaults::zero")]
    pub(crate) tolerance: Spanned<f64>,
    /// Fraction of its velocity that a particle in air retains after one second.
    #[serde(default = "defaults::one")]
    pub(crate) velocity_retention: Spanned<f64>,
    /// Margin to solids around each particle, m.
    #[serde(default = "own::margin")]
    pub(crate) margin: Spanned<f64>,
    /// How the length of a stick is computed.
    #[serde(default)]
    pub(crate) square_root: RootForm,
}

/// How the length of a stick is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum RootForm {
    /// With a square root.
    #[default]
    Exact,
    /// With one Newton step from the rest length: cheaper, and softer if a stick is far from its rest length.
    Approximate,
}

impl Default for RelaxSpec {
    fn default() -> Self {
        RelaxSpec {
            passes: own::passes(),
            tolerance: defaults::zero(),
            velocity_retention: defaults::one(),
            margin: own::margin(),
            square_root: RootForm::default(),
        }
    }
}

impl RelaxSpec {
    pub(super) fn check(&self, checks: &mut Checks<'_>) {
        checks.count("passes", &self.passes, 1..=10_000);
        checks.not_negative("tolerance", &self.tolerance);
        checks.within("velocity_retention", &self.velocity_retention, 0.0..=1.0);
        checks.not_negative("margin", &self.margin);
    }

    pub(super) fn passes(&self) -> Passes {
        let (most, change) = (*self.passes.get_ref() as usize, *self.tolerance.get_ref());
        if change > 0.0 { Passes::Adaptive { change, most } } else { Passes::Fixed(most) }
    }

    pub(super) fn root(&self) -> Root {
        match self.square_root {
            RootForm::Exact => Root::Exact,
            RootForm::Approximate => Root::Newton,
        }
    }
}

mod own {
    use crate::checks::defaults::given;
    use aplomb_language::Spanned;

    pub(super) fn passes() -> Spanned<u32> {
        given(10)
    }

    pub(super) fn margin() -> Spanned<f64> {
        given(0.01)
    }
}
