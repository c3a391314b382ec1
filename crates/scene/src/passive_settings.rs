//! Step settings of passive objects as specified in scenes.

use aplomb_language::Spanned;
use aplomb_passive::{BacktrackingForm, FrictionForm, PassiveSettings};
use serde::Deserialize;

/// Time integration of the passive objects of a scene.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct PassiveSettingsSpec {
    /// Largest step, s; a frame is divided into equal steps no longer than this. Articulated objects make one step a
    /// frame while a character holds one or presses on it.
    #[serde(default = "defaults::dt")]
    pub(crate) dt: Spanned<f64>,
    /// Maximum number of iterations of the contact solver per step; the trace contains the residual.
    #[serde(default = "defaults::iterations")]
    pub(crate) iterations: Spanned<u32>,
    /// Tolerance on the constraint violation at which iterations stop, m/s².
    #[serde(default = "defaults::residual")]
    pub(crate) residual: Spanned<f64>,
    /// Friction model of a contact.
    #[serde(default)]
    pub(crate) friction: FrictionForm,
    /// Seed of the tangents of `one_tangent`.
    #[serde(default)]
    pub(crate) seed: u64,
    /// How a step that would end in penetration is shortened.
    #[serde(default)]
    pub(crate) backtracking: BacktrackingForm,
    /// Restitution of joint limits, 0 to 1.
    #[serde(default = "defaults::limit_restitution")]
    pub(crate) limit_restitution: Spanned<f64>,
    /// Whether bodies of the same object collide with each other.
    #[serde(default = "defaults::self_contact")]
    pub(crate) self_contact: bool,
}

impl Default for PassiveSettingsSpec {
    fn default() -> Self {
        PassiveSettingsSpec {
            dt: defaults::dt(),
            iterations: defaults::iterations(),
            residual: defaults::residual(),
            friction: FrictionForm::default(),
            seed: 0,
            backtracking: BacktrackingForm::default(),
            limit_restitution: defaults::limit_restitution(),
            self_contact: defaults::self_contact(),
        }
    }
}

impl PassiveSettingsSpec {
    /// The settings without source locations.
    pub(crate) fn settings(&self) -> PassiveSettings {
        PassiveSettings {
            dt: *self.dt.get_ref(),
            iterations: *self.iterations.get_ref() as usize,
            residual: *self.residual.get_ref(),
            friction: self.friction,
            seed: self.seed,
            backtracking: self.backtracking,
            limit_restitution: *self.limit_restitution.get_ref(),
            self_contact: self.self_contact,
        }
    }
}

/// Defaults, equal to those of a world built in code.
mod defaults {
    use aplomb_language::Spanned;
    use aplomb_passive::PassiveSettings;

    fn given<T>(value: T) -> Spanned<T> {
        Spanned::new(0..0, value)
    }

    pub(super) fn dt() -> Spanned<f64> {
        given(PassiveSettings::default().dt)
    }

    pub(super) fn iterations() -> Spanned<u32> {
        given(PassiveSettings::default().iterations as u32)
    }

    pub(super) fn residual() -> Spanned<f64> {
        given(PassiveSettings::default().residual)
    }

    pub(super) fn limit_restitution() -> Spanned<f64> {
        given(PassiveSettings::default().limit_restitution)
    }

    pub(super) fn self_contact() -> bool {
        PassiveSettings::default().self_contact
    }
}
