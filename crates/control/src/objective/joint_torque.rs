//! Small joint torques, for low effort.

use super::{Binder, BoundObjective, JointName, Now, Objective, Order, Residual, Statement, Subject};
use crate::predict::Prediction;
use aplomb_body::model::Model;
use aplomb_language::diagnostic::{FileError, Source};
use serde::Deserialize;

/// r = τ⁺/(m g h) of the selected coordinates, dimensionless (the force of slides in N, divided by m g h).
#[derive(Clone, Debug)]
pub struct JointTorque {
    /// Velocity coordinates of the model.
    pub coordinates: Vec<usize>,
}

impl Objective for JointTorque {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let unit = 1.0 / (now.scales.weight() * now.scales.height);
        let torques = next.torques(self.coordinates.iter().copied()) * unit;
        Some(Residual::of(torques, Order::Force { last: 0.0 }))
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Subject::number("N m"))
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        let squares = self.coordinates.iter().map(|k| now.last_torque[*k] * now.last_torque[*k]);
        pairs.push([0.0, squares.sum::<f64>().sqrt()]);
        Some(())
    }
}

/// r = τ⁺/(m g h) of the chosen joints, dimensionless.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct JointTorqueSpec {
    /// Joints that it applies to; default: all.
    #[serde(default)]
    joints: Option<Vec<JointName>>,
}

impl JointTorqueSpec {
    /// The objective as written in its file.
    pub(crate) fn statement(&self, _: &Source) -> Statement {
        Statement::default()
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let joints = binder.joints(self.joints.as_deref(), false)?;
        let coordinates = joints.into_iter().flat_map(|joint| binder.model.coordinates(joint));
        let is_driven = |k: &usize| binder.model.is_actuated[*k];
        Ok(JointTorque { coordinates: coordinates.filter(is_driven).collect() })
    }
}
