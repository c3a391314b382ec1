//! [Jain 2009] §6.1.1 (2): G_spine = d_spine × ĵ.

use super::{Binder, Now, Objective, Residual};
use crate::language::diagnostic::FileError;
use crate::language::expression::{BodyChoice, BodyField};
use crate::predict::Prediction;
use nalgebra::Vector3;
use serde::Deserialize;

/// r = horizontal part of d⁺ × z, with d an axis of the body, dimensionless (the sine of the tilt).
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Upright {
    /// The body that is kept upright.
    body: BodyField,
    /// In the body frame; z when left out.
    #[serde(default = "up")]
    axis: [f64; 3],
}

fn up() -> [f64; 3] {
    [0.0, 0.0, 1.0]
}

struct Bound {
    body: BodyChoice,
    axis: Vector3<f64>,
}

impl Upright {
    pub fn bind(&self, binder: &Binder<'_>) -> Result<impl Objective + use<>, FileError> {
        let axis = binder.unit(self.axis, self.body.span(), "axis")?;
        Ok(Bound { body: self.body.bind(binder.source, binder.names)?, axis })
    }
}

impl Objective for Bound {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let direction = next.direction(self.body.value(now.values), &self.axis);
        Some(Residual::position(direction.cross(&Vector3::z()).horizontal()))
    }
}
