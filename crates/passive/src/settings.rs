//! Step settings of passive objects.

use serde::Deserialize;

/// Step settings of the passive objects of a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassiveSettings {
    /// Longest step, s; a frame is divided into as few equal steps as that allows.
    pub dt: f64,
    /// Largest number of iterations of the contact solver in a step.
    pub iterations: usize,
    /// Tolerance on the constraint violation at which iterations stop, m/s².
    pub residual: f64,
    /// Formulation of contact friction.
    pub friction: FrictionForm,
    /// Seed of the tangents of [`FrictionForm::OneTangent`].
    pub seed: u64,
    /// How a step that would end in penetration is shortened.
    pub backtracking: BacktrackingForm,
    /// Restitution of joint limits, 0 to 1.
    pub limit_restitution: f64,
    /// Whether bodies of the same object collide with each other.
    pub self_contact: bool,
}

impl Default for PassiveSettings {
    fn default() -> Self {
        PassiveSettings {
            dt: 0.001,
            iterations: 50,
            residual: 1e-3,
            friction: FrictionForm::default(),
            seed: 0,
            backtracking: BacktrackingForm::default(),
            limit_restitution: 0.0,
            self_contact: true,
        }
    }
}

/// Friction model of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FrictionForm {
    /// Coulomb's cone.
    #[default]
    Cone,
    /// A friction pyramid: two independent tangents.
    Pyramid,
    /// A linearised cone: four directions and one λ.
    SixConditions,
    /// One tangent, opposite to the slip velocity.
    OneTangent,
}

/// How a step that would end in penetration is shortened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BacktrackingForm {
    /// To the time at which the gap would close.
    #[default]
    Predicted,
    /// To half its length.
    Halving,
}
