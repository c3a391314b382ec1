//! [Jain 2009] §6.1.1 (2): G_spine = d_spine × ĵ.

use super::aim::angle;
use super::{Binder, BoundObjective, Evaluated, Now, Objective, Residual, Statement, Subject};
use crate::predict::Prediction;
use aplomb_body::model::{BodyId, Model};
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::BodyField;
use nalgebra::{UnitVector3, Vector3};
use serde::Deserialize;

/// r = horizontal part of d⁺ × z, with d an axis of the body, dimensionless (the sine of the tilt).
#[derive(Clone, Copy, Debug)]
pub struct Upright {
    /// Body to keep upright.
    pub body: BodyId,
    /// Axis in the body frame.
    pub axis: UnitVector3<f64>,
}

impl Objective for Upright {
    fn residual<'p>(&self, _: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let direction = next.direction(self.body, &self.axis);
        Some(Residual::position(direction.cross(&Vector3::z()).horizontal()))
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Subject::Angle)
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        pairs.push([0.0, angle(now, self.body, &self.axis, &Vector3::z())]);
        Some(())
    }
}

/// r = horizontal part of d⁺ × z, with d an axis of the body, dimensionless (the sine of the tilt). Beyond 90° it pulls
/// less the farther the body is tilted, and not at all upside down; `body_orientation` pulls from any pose.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct UprightSpec {
    /// Body to keep upright.
    body: BodyField,
    /// Axis in the body frame; default: the direction that is up in the rest pose.
    axis: Option<[f64; 3]>,
}

impl UprightSpec {
    /// The objective as written in its file.
    pub(crate) fn statement(&self, source: &Source) -> Statement {
        Statement { others: vec![self.body.written(source)], ..Statement::default() }
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let given = self.axis.map(|axis| binder.unit(axis, self.body.span(), "axis")).transpose()?;
        let body = self.body.bind(binder.source, binder.names)?;
        Ok(Evaluated::new(Subject::Angle, move |_, values, now: &Now<'_>| {
            let body = body.value(values);
            let up = || UnitVector3::new_unchecked(now.model.at_rest(body, Vector3::z()));
            Some(Upright { body, axis: given.unwrap_or_else(up) })
        }))
    }
}
