//! [Jain 2009] §6.3: G_cv = ċ⁺ − v_d, velocity of the COM.

use super::{Axes, Binder, BoundObjective, Evaluated, Now, Objective, Order, Residual, Statement, Subject};
use crate::predict::Prediction;
use aplomb_body::model::Model;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{Unit, VectorField};
use nalgebra::Vector3;
use serde::Deserialize;

/// r = ċ⁺ − target, m/s; with `along`, only the component in that direction. The one-step form weighs
/// `time_constant` × r.
#[doc(alias = "center of mass velocity")]
#[derive(Clone, Copy, Debug)]
pub struct ComVelocity {
    /// Target, world, m/s.
    pub target: Vector3<f64>,
    /// Direction, world; its length does not matter.
    pub along: Option<Vector3<f64>>,
    /// Time constant of the one-step form, s.
    pub time_constant: f64,
}

impl Objective for ComVelocity {
    fn residual<'p>(&self, _: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let error = next.com_velocity() - self.target;
        let error = match &self.along {
            None => error,
            Some(along) => error.dot(&along.try_normalize(1e-9)?),
        };
        Some(Residual::of(error, Order::Velocity { time_constant: self.time_constant }))
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(if self.along.is_some() { Subject::Speed } else { Subject::Velocity })
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        match self.along {
            None => Axes::All.compare(self.target, now.com_velocity, pairs),
            Some(along) => {
                let along = along.try_normalize(1e-9)?;
                pairs.push([self.target.dot(&along), now.com_velocity.dot(&along)]);
            }
        }
        Some(())
    }
}

/// r = ċ⁺ − target, m/s; with `along`, only its component in that direction, which may depend on the state.
/// The one-step form weighs `time_constant` × r.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ComVelocitySpec {
    /// Target velocity, world axes, m/s; e.g. `"com_velocity + 0.3 * swing_direction"`.
    target: VectorField,
    /// Direction, world axes, of any length.
    along: Option<VectorField>,
    /// Scale of the residual, s; one-step form only.
    #[serde(default = "tenth")]
    time_constant: f64,
}

fn tenth() -> f64 {
    0.1
}

impl ComVelocitySpec {
    /// The objective as written in its file.
    pub(crate) fn statement(&self, source: &Source) -> Statement {
        Statement {
            target: Some(self.target.written_as(source)),
            unit: Some(Unit::SPEED),
            others: self.along.iter().map(|along| along.written_as(source)).collect(),
            ..Statement::default()
        }
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let along = self.along.as_ref().map(|along| along.bind(binder.source, binder.names)).transpose()?;
        let target = self.target.bind(binder.source, binder.names)?;
        let time_constant = self.time_constant;
        let subject = if along.is_some() { Subject::Speed } else { Subject::Velocity };
        Ok(Evaluated::new(subject, move |_, values, _| {
            let target = target.known(values)?;
            let along = along.as_ref().map(|along| along.value(values));
            Some(ComVelocity { target, along, time_constant })
        }))
    }
}
