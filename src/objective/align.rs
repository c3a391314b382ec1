//! A direction of a body along a direction of the world.

use super::{Binder, Now, Objective, Residual};
use crate::contact::tangents;
use crate::language::diagnostic::FileError;
use crate::language::expression::{BodyChoice, BodyField, VectorField, VectorValue};
use crate::predict::Prediction;
use nalgebra::Vector3;
use serde::Deserialize;

/// r = the two parts of d⁺ × n at right angles to n, with d an axis of the body and n the direction wanted,
/// dimensionless (the sine of the angle between them).
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Align {
    /// The body that is turned.
    body: BodyField,
    /// In the body frame.
    axis: [f64; 3],
    /// World; its length does not matter, e.g. `"hold_normal(foothold)"`.
    along: VectorField,
}

struct Bound {
    body: BodyChoice,
    axis: Vector3<f64>,
    along: VectorValue,
}

impl Align {
    pub fn bind(&self, binder: &Binder<'_>) -> Result<impl Objective + use<>, FileError> {
        Ok(Bound {
            axis: binder.unit(self.axis, self.body.span(), "axis")?,
            body: self.body.bind(binder.source, binder.names)?,
            along: self.along.bind(binder.source, binder.names)?,
        })
    }
}

impl Objective for Bound {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let along = self.along.value(now.values).try_normalize(1e-9)?;
        let turn = || next.direction(self.body.value(now.values), &self.axis).cross(&along);
        let (first, second) = tangents(&along);
        let mut error = turn().dot(&first);
        error.append(&turn().dot(&second));
        Some(Residual::position(error))
    }
}
