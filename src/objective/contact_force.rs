//! [Jain 2009] §6.1.2: G_c, the force on a foot.

use super::{Binder, Now, Objective, Order, Residual};
use crate::language::diagnostic::FileError;
use crate::language::expression::{BodyChoice, BodyField, Scalar, ScalarField};
use crate::predict::Prediction;
use serde::Deserialize;

/// r = (Σ normal force on the body and what hangs below it)/(m g/8) − 8 target, dimensionless. With a response
/// time the force approaches its target exponentially from what it was.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ContactForce {
    /// The body that bears, with what hangs below it.
    body: BodyField,
    /// Fraction of the weight m g.
    target: ScalarField,
}

struct Bound {
    body: BodyChoice,
    target: Scalar,
}

impl ContactForce {
    pub fn bind(&self, binder: &Binder<'_>) -> Result<impl Objective + use<>, FileError> {
        Ok(Bound {
            body: self.body.bind(binder.source, binder.names)?,
            target: self.target.bind(binder.source, binder.names)?,
        })
    }
}

impl Objective for Bound {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let body = self.body.value(now.values);
        let target = 8.0 * self.target.value(now.values);
        let error = next.normal_force(|touch| now.model.is_within(touch.body, body)) - target;
        let last = now.normal_force(now.model, body) / now.scales.contact_force() - target;
        Some(Residual::of(error, Order::Force { last }))
    }
}
