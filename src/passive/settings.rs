//! What a scene says about how passive objects are stepped.

use crate::language::Spanned;
use serde::Deserialize;

/// How the passive objects of a scene are stepped.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PassiveSettings {
    /// Longest step, s; a frame is divided into as many equal steps as that takes.
    #[serde(default = "defaults::dt")]
    pub dt: Spanned<f64>,
    /// Most iterations of the contact solver in a step; the trace has the residual.
    #[serde(default = "defaults::iterations")]
    pub iterations: Spanned<u32>,
    /// Violation of a constraint at which iterations stop, m/s².
    #[serde(default = "defaults::residual")]
    pub residual: Spanned<f64>,
    /// How the friction of a contact is written.
    #[serde(default)]
    pub friction: FrictionForm,
    /// Seed of the tangents of `one_tangent`.
    #[serde(default)]
    pub seed: u64,
    /// How a step that ends in penetration is shortened.
    #[serde(default)]
    pub backtracking: BacktrackingForm,
    /// Restitution of joint limits, 0 to 1.
    #[serde(default = "defaults::zero")]
    pub limit_restitution: Spanned<f64>,
    /// Whether bodies of one object can touch each other.
    #[serde(default = "defaults::yes")]
    pub self_contact: bool,
}

/// How the friction of a contact is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FrictionForm {
    /// Coulomb's cone.
    #[default]
    Cone,
    /// Two tangents, each for itself.
    Pyramid,
    /// Four directions and one λ.
    SixConditions,
    /// One tangent, opposite to the slip.
    OneTangent,
}

/// How a step that ends in penetration is shortened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BacktrackingForm {
    /// To the time at which the gap would close.
    #[default]
    Predicted,
    /// By half.
    Halving,
}

impl Default for PassiveSettings {
    fn default() -> Self {
        PassiveSettings {
            dt: defaults::dt(),
            iterations: defaults::iterations(),
            residual: defaults::residual(),
            friction: FrictionForm::default(),
            seed: 0,
            backtracking: BacktrackingForm::default(),
            limit_restitution: defaults::zero(),
            self_contact: true,
        }
    }
}

mod defaults {
    use crate::language::Spanned;

    fn given<T>(value: T) -> Spanned<T> {
        Spanned::new(0..0, value)
    }

    pub fn dt() -> Spanned<f64> {
        given(0.001)
    }

    pub fn iterations() -> Spanned<u32> {
        given(50)
    }

    pub fn residual() -> Spanned<f64> {
        given(1e-3)
    }

    pub fn zero() -> Spanned<f64> {
        given(0.0)
    }

    pub fn yes() -> bool {
        true
    }
}
