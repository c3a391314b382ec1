//! [Jain 2009] §6.1.2: G_c, the force on a foot.

use super::{Binder, BoundObjective, Evaluated, Now, Objective, Order, Residual, Statement, Subject};
use crate::predict::Prediction;
use aplomb_body::model::{BodyId, Model};
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{BodyField, ScalarField, Unit};
use serde::Deserialize;

/// r = (Σ normal force on the body and its subtree)/(m g/8) − 8 target, dimensionless. With a response time the force
/// approaches its target exponentially from its value in the previous frame.
#[derive(Clone, Copy, Debug)]
pub struct ContactForce {
    /// The body that the contacts are on, with its subtree.
    pub body: BodyId,
    /// Target, as a fraction of the weight m g.
    pub target: f64,
}

impl Objective for ContactForce {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let target = 8.0 * self.target;
        let error = next.normal_force(|touch| now.model.is_within(touch.body, self.body)) - target;
        let last = now.normal_force(now.model, self.body) / now.scales.contact_force() - target;
        Some(Residual::of(error, Order::Force { last }))
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Subject::Force)
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        pairs.push([self.target * now.scales.weight(), now.normal_force(now.model, self.body)]);
        Some(())
    }
}

/// r = (Σ normal force on the body and its descendants)/(m g/8) − 8 target, dimensionless. With a response
/// time, the force approaches its target exponentially.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ContactForceSpec {
    /// Loaded body, including its descendants.
    body: BodyField,
    /// Target normal force as a fraction of the weight m g.
    target: ScalarField,
}

impl ContactForceSpec {
    /// The objective as written in its file.
    pub(crate) fn statement(&self, source: &Source) -> Statement {
        Statement {
            about: Some(self.body.text().to_string()),
            target: Some(self.target.written_as(source)),
            unit: Some(Unit::ONE),
            others: vec![self.body.written(source)],
            ..Statement::default()
        }
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let body = self.body.bind(binder.source, binder.names)?;
        let target = self.target.bind(binder.source, binder.names)?;
        Ok(Evaluated::new(Subject::Force, move |_, values, _| {
            Some(ContactForce { body: body.value(values), target: target.known(values)? })
        }))
    }
}
