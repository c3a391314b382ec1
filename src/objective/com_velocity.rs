//! [Jain 2009] §6.3: G_cv = ċ⁺ − v_d, velocity of the COM.

use super::{Binder, Now, Objective, Order, Residual};
use crate::language::diagnostic::FileError;
use crate::language::expression::{VectorField, VectorValue};
use crate::predict::Prediction;
use serde::Deserialize;

/// r = ċ⁺ − target, m/s; with `along` the component in that direction alone, which may depend on the state. The
/// one-step form weighs `time_constant` × r.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ComVelocity {
    /// World, m/s; e.g. `"com_velocity + 0.3 * swing_direction"`.
    target: VectorField,
    /// World; its length does not matter.
    along: Option<VectorField>,
    /// s; one-step form only.
    #[serde(default = "tenth")]
    time_constant: f64,
}

fn tenth() -> f64 {
    0.1
}

struct Bound {
    target: VectorValue,
    along: Option<VectorValue>,
    time_constant: f64,
}

impl ComVelocity {
    pub fn bind(&self, binder: &Binder<'_>) -> Result<impl Objective + use<>, FileError> {
        let along = self.along.as_ref().map(|along| along.bind(binder.source, binder.names));
        Ok(Bound {
            target: self.target.bind(binder.source, binder.names)?,
            along: along.transpose()?,
            time_constant: self.time_constant,
        })
    }
}

impl Objective for Bound {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let target = self.target.value(now.values);
        let error = super::is_known(&target).then(|| next.com_velocity() - target)?;
        let error = match &self.along {
            None => error,
            Some(along) => error.dot(&along.value(now.values).try_normalize(1e-9)?),
        };
        Some(Residual::of(error, Order::Velocity { time_constant: self.time_constant }))
    }
}
