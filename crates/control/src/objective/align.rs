//! Aligns a direction of a body with a direction of the world.

use super::aim::angle;
use super::{Binder, BoundObjective, Evaluated, Now, Objective, Residual, Statement, Subject};
use crate::predict::Prediction;
use aplomb_body::contact::tangents;
use aplomb_body::model::{BodyId, Model};
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{BodyField, VectorField};
use nalgebra::{UnitVector3, Vector3};
use serde::Deserialize;

/// r = the two components of d⁺ × n orthogonal to n, with d an axis of the body and n the target direction,
/// dimensionless (the sine of the angle between them).
#[derive(Clone, Copy, Debug)]
pub struct Align {
    /// The body that is aligned.
    pub body: BodyId,
    /// Axis in the body frame.
    pub axis: UnitVector3<f64>,
    /// Target direction, world; its length does not matter.
    pub along: Vector3<f64>,
}

impl Objective for Align {
    fn residual<'p>(&self, _: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let along = self.along.try_normalize(1e-9)?;
        let turn = || next.direction(self.body, &self.axis).cross(&along);
        let (first, second) = tangents(&along);
        let mut error = turn().dot(&first);
        error.append(&turn().dot(&second));
        Some(Residual::position(error))
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Subject::Angle)
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        let along = self.along.try_normalize(1e-9)?;
        pairs.push([0.0, angle(now, self.body, &self.axis, &along)]);
        Some(())
    }
}

/// r = the two components of d⁺ × n perpendicular to n, with d an axis of the body and n the target
/// direction, dimensionless (the sine of the angle between them).
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AlignSpec {
    /// Body to rotate.
    body: BodyField,
    /// Axis in the body frame.
    axis: [f64; 3],
    /// Target direction, world axes, of any length; e.g. `"hold_normal(foothold)"`.
    along: VectorField,
}

impl AlignSpec {
    /// The objective as written in its file.
    pub(crate) fn statement(&self, source: &Source) -> Statement {
        Statement {
            about: Some(format!("{} {:?}", self.body.text(), self.axis)),
            target: Some(self.along.written_as(source)),
            others: vec![self.body.written(source)],
            ..Statement::default()
        }
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let axis = binder.unit(self.axis, self.body.span(), "axis")?;
        let body = self.body.bind(binder.source, binder.names)?;
        let along = self.along.bind(binder.source, binder.names)?;
        Ok(Evaluated::new(Subject::Angle, move |_, values, _| {
            Some(Align { body: body.value(values), axis, along: along.known(values)? })
        }))
    }
}
