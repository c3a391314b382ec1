//! A direction of a body towards a point of the world: gaze.

use super::aim::angle;
use super::{Align, Binder, BoundObjective, Evaluated, Now, Objective, Residual, Statement, Subject};
use crate::predict::Prediction;
use aplomb_body::model::{BodyId, Model};
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{BodyField, Unit, VectorField};
use nalgebra::{UnitVector3, Vector3};
use serde::Deserialize;

/// r = the two components of d⁺ × n orthogonal to n, with d an axis of the body and n the direction from the
/// body's origin to the target now, dimensionless (the sine of the angle between them).
#[doc(alias = "gaze")]
#[derive(Clone, Copy, Debug)]
pub struct LookAt {
    /// Body to rotate.
    pub body: BodyId,
    /// Axis in the body frame.
    pub axis: UnitVector3<f64>,
    /// Target, world, m.
    pub target: Vector3<f64>,
}

impl LookAt {
    fn along(&self, now: &Now<'_>) -> Vector3<f64> {
        self.target - now.kinematics.position[self.body.0]
    }
}

impl Objective for LookAt {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        Align { body: self.body, axis: self.axis, along: self.along(now) }.residual(now, next)
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Subject::Angle)
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        let along = self.along(now).try_normalize(1e-9)?;
        pairs.push([0.0, angle(now, self.body, &self.axis, &along)]);
        Some(())
    }
}

/// r = the two components of d⁺ × n perpendicular to n, with d an axis of the body and n the direction from
/// the body's origin to the target, dimensionless (the sine of the angle between them).
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LookAtSpec {
    /// Body to rotate.
    body: BodyField,
    /// Axis in the body frame; default: the direction that is forward in the rest pose.
    axis: Option<[f64; 3]>,
    /// Point to look at, world, m; e.g. `"position(ball)"`.
    target: VectorField,
}

impl LookAtSpec {
    /// The objective as written in its file.
    pub(crate) fn statement(&self, source: &Source) -> Statement {
        Statement {
            about: Some(format!("{} {:?}", self.body.text(), self.axis)),
            target: Some(self.target.written_as(source)),
            unit: Some(Unit::METRE),
            others: vec![self.body.written(source)],
            ..Statement::default()
        }
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let given = self.axis.map(|axis| binder.unit(axis, self.body.span(), "axis")).transpose()?;
        let body = self.body.bind(binder.source, binder.names)?;
        let target = self.target.bind(binder.source, binder.names)?;
        Ok(Evaluated::new(Subject::Angle, move |_, values, now: &Now<'_>| {
            let body = body.value(values);
            let forward = || UnitVector3::new_unchecked(now.model.at_rest(body, Vector3::x()));
            Some(LookAt { body, axis: given.unwrap_or_else(forward), target: target.known(values)? })
        }))
    }
}
