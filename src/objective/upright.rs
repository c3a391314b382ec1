//! [Jain 2009] §6.1.1 (2): G_spine = d_spine × ĵ.

use super::{Binder, BoundObjective, Evaluated, Now, Objective, Residual, Subject};
use crate::language::diagnostic::FileError;
use crate::language::expression::BodyField;
use crate::model::BodyId;
use crate::predict::Prediction;
use nalgebra::{UnitVector3, Vector3};
use serde::Deserialize;

/// r = horizontal part of d⁺ × z, with d an axis of the body, dimensionless (the sine of the tilt).
#[derive(Clone, Copy, Debug)]
pub struct Upright {
    /// The body that is kept upright.
    pub body: BodyId,
    /// In the body frame.
    pub axis: UnitVector3<f64>,
}

impl Objective for Upright {
    fn residual<'p>(&self, _: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let direction = next.direction(self.body, &self.axis);
        Some(Residual::position(direction.cross(&Vector3::z()).horizontal()))
    }
}

/// r = horizontal part of d⁺ × z, with d an axis of the body, dimensionless (the sine of the tilt).
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct UprightSpec {
    /// The body that is kept upright.
    body: BodyField,
    /// In the body frame; z when left out.
    #[serde(default = "up")]
    axis: [f64; 3],
}

fn up() -> [f64; 3] {
    [0.0, 0.0, 1.0]
}

impl UprightSpec {
    pub fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let axis = binder.unit(self.axis, self.body.span(), "axis")?;
        let body = self.body.bind(binder.source, binder.names)?;
        Ok(Evaluated::new(Subject::Angle, move |_, values, _| {
            Some(Upright { body: body.value(values), axis })
        }))
    }
}
