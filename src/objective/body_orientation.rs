//! A body's orientation.

use super::{Binder, Now, Objective, Residual};
use crate::diagnostic::FileError;
use crate::expression::{BodyChoice, BodyField, VectorField, VectorValue};
use crate::predict::Prediction;
use crate::rotation::from_roll_pitch_yaw;
use serde::Deserialize;

/// r = log(R⁺ Rₜᵀ) in world axes, rad.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BodyOrientation {
    /// The body that is turned.
    body: BodyField,
    /// Roll, pitch, yaw of the body frame in the world, rad: Rz(yaw) Ry(pitch) Rx(roll).
    target: VectorField,
}

struct Bound {
    body: BodyChoice,
    target: VectorValue,
}

impl BodyOrientation {
    pub fn bind(&self, binder: &Binder<'_>) -> Result<impl Objective + use<>, FileError> {
        Ok(Bound {
            body: self.body.bind(binder.source, binder.names)?,
            target: self.target.bind(binder.source, binder.names)?,
        })
    }
}

impl Objective for Bound {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let target = from_roll_pitch_yaw(&self.target.value(now.values));
        Some(Residual::position(next.turn_from(self.body.value(now.values), &target)))
    }
}
