//! [Jain 2009] §6.1.1 (3): G_qv = q̇⁺.

use super::{Binder, BoundObjective, JointName, Now, Objective, Order, Rates, Residual, Statement, Subject};
use crate::predict::Prediction;
use aplomb_body::model::Model;
use aplomb_language::diagnostic::{FileError, Source};
use serde::Deserialize;

/// r = v⁺ of the selected coordinates, m/s and rad/s; the one-step form weighs `time_constant` × v⁺.
#[doc(alias = "damping task")]
#[derive(Clone, Debug)]
pub struct Velocity {
    /// Velocity coordinates of the model.
    pub coordinates: Vec<usize>,
    /// Whether the root's linear velocity is relative to the supporting surface, so that a moving floor
    /// carries the character along.
    pub follow: bool,
    /// Time constant of the one-step form, s.
    pub time_constant: f64,
}

impl Objective for Velocity {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let error = next.rates(self.coordinates.iter().copied());
        let residual = Residual::of(error, Order::Velocity { time_constant: self.time_constant });
        if !self.follow {
            return Some(residual);
        }
        // The first three coordinates of a floating root are its linear velocity.
        let carried = |&k: &usize| match now.model.is_floating() && k < 3 {
            true => Rates { velocity: now.support_velocity[k], acceleration: 0.0 },
            false => Rates::default(),
        };
        Some(residual.moving(next, self.coordinates.iter().map(carried)))
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Subject::Rates)
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        let squares = self.coordinates.iter().map(|k| now.state.v[*k] * now.state.v[*k]);
        pairs.push([0.0, squares.sum::<f64>().sqrt()]);
        Some(())
    }
}

/// r = v⁺ of the chosen coordinates, m/s and rad/s; the one-step form weighs `time_constant` × v⁺.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct VelocitySpec {
    /// Joints that it applies to; default: all.
    #[serde(default)]
    joints: Option<Vec<JointName>>,
    /// Include the root's six coordinates.
    #[serde(default = "yes")]
    root: bool,
    /// Measure the root's linear velocity relative to the supporting surface, for moving floors.
    #[serde(default)]
    follow: bool,
    /// Scale of the residual, s; one-step form only.
    #[serde(default = "tenth")]
    time_constant: f64,
}

fn yes() -> bool {
    true
}

fn tenth() -> f64 {
    0.1
}

impl VelocitySpec {
    /// The objective as written in its file.
    pub(crate) fn statement(&self, _: &Source) -> Statement {
        Statement::default()
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let joints = binder.joints(self.joints.as_deref(), self.root)?;
        let coordinates = joints.into_iter().flat_map(|joint| binder.model.coordinates(joint)).collect();
        Ok(Velocity { coordinates, follow: self.follow, time_constant: self.time_constant })
    }
}
