//! `kind = "constrained"` in scene files: particles, their constraints, and bodies given by q(u).

mod builder;
mod held;
mod points;

pub(crate) use held::HeldSpec;
pub(crate) use points::{HoopSpec, ParticleSpec, PendulumSpec, SpringSpec};

use super::{BaumgarteGains, Constrained, Stepper};
use crate::checks::{Checks, defaults};
use crate::{Built, FileEnvironment, ObjectRequest, PassiveMethod};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use builder::ConstrainedBuilder;
use indexmap::IndexMap;
use serde::Deserialize;

/// Particles under constraint forces. Gravity and springs act on them; surfaces do not.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ConstrainedSpec {
    /// Particles by name.
    #[serde(default)]
    pub(crate) particles: IndexMap<Spanned<String>, ParticleSpec>,
    /// Pendulums in angle coordinates, by name; their points are `NAME.0`, `NAME.1`, …, starting next to the pivot.
    #[serde(default)]
    pub(crate) pendulums: IndexMap<Spanned<String>, PendulumSpec>,
    /// Beads on circles in angle coordinates, by name.
    #[serde(default)]
    pub(crate) hoops: IndexMap<Spanned<String>, HoopSpec>,
    /// Constraints on particles, beads and points of pendulums.
    #[serde(default)]
    pub(crate) constraints: Vec<HeldSpec>,
    /// Springs between two such points.
    #[serde(default)]
    pub(crate) springs: Vec<SpringSpec>,
    /// Stiffness k_s of the feedback C̈ = −k_s C − k_d Ċ against constraint drift, 1/s².
    #[serde(default = "own::stiffness")]
    pub(crate) feedback_stiffness: Spanned<f64>,
    /// Damping k_d of that feedback, 1/s.
    #[serde(default = "own::damping")]
    pub(crate) feedback_damping: Spanned<f64>,
    /// Viscous drag on every point, N s/m.
    #[serde(default = "defaults::zero")]
    pub(crate) drag: Spanned<f64>,
    /// Time integration scheme.
    #[serde(default)]
    pub(crate) stepper: StepperForm,
    /// Radius of points when drawn, m.
    #[serde(default = "own::radius")]
    pub(crate) radius: Spanned<f64>,
}

/// Time integration scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum StepperForm {
    /// Symplectic Euler: velocities are updated first, then positions with the new velocities.
    #[default]
    SymplecticEuler,
    /// Classical fourth-order Runge-Kutta method.
    RungeKutta4,
}

impl PassiveMethod for ConstrainedSpec {
    fn models(&self) -> Vec<&Spanned<String>> {
        Vec::new()
    }

    fn check(&self, source: &Source) -> Vec<FileError> {
        let mut checks = Checks::new(source);
        self.particles.values().for_each(|particle| particle.check(&mut checks));
        self.pendulums.values().for_each(|pendulum| pendulum.check(&mut checks));
        self.hoops.values().for_each(|hoop| hoop.check(&mut checks));
        self.constraints.iter().for_each(|held| held.check(&mut checks));
        self.springs.iter().for_each(|spring| spring.check(&mut checks));
        checks.not_negative("feedback_stiffness", &self.feedback_stiffness);
        checks.not_negative("feedback_damping", &self.feedback_damping);
        checks.not_negative("drag", &self.drag);
        checks.positive("radius", &self.radius);
        if self.particles.is_empty() && self.pendulums.is_empty() && self.hoops.is_empty() {
            checks.wrong(
                self.radius.span(),
                "a constrained object needs `particles`, `pendulums` or `hoops`".into(),
            );
        }
        checks.errors
    }

    fn build(
        members: &[ObjectRequest<'_, Self>],
        around: &FileEnvironment<'_>,
    ) -> Result<Vec<Built>, FileErrors> {
        members.iter().map(|member| member.spec.build_one(member.object, around)).collect()
    }
}

impl ConstrainedSpec {
    fn build_one(&self, object: usize, around: &FileEnvironment<'_>) -> Result<Built, FileErrors> {
        let mut system = Constrained::new();
        *system.gravity_mut() = around.gravity;
        *system.feedback_mut() = BaumgarteGains {
            stiffness: *self.feedback_stiffness.get_ref(),
            damping: *self.feedback_damping.get_ref(),
        };
        *system.drag_mut() = *self.drag.get_ref();
        system.stepper = match self.stepper {
            StepperForm::SymplecticEuler => Stepper::SymplecticEuler,
            StepperForm::RungeKutta4 => Stepper::RungeKutta4,
        };
        let mut builder = ConstrainedBuilder::new(around, system);
        self.particles.iter().for_each(|(name, particle)| builder.add_particle(name.get_ref(), particle));
        self.pendulums.iter().for_each(|(name, pendulum)| builder.add_pendulum(name.get_ref(), pendulum));
        self.hoops.iter().for_each(|(name, hoop)| builder.add_hoop(name.get_ref(), hoop));
        self.constraints.iter().for_each(|held| builder.hold(held));
        self.springs.iter().for_each(|spring| builder.spring(spring));
        builder.finish(object, &self.radius)
    }
}

mod own {
    use crate::checks::defaults::given;
    use aplomb_language::Spanned;

    pub(super) fn stiffness() -> Spanned<f64> {
        given(400.0)
    }

    pub(super) fn damping() -> Spanned<f64> {
        given(40.0)
    }

    pub(super) fn radius() -> Spanned<f64> {
        given(0.03)
    }
}
