//! Orientation of a passive object that the character acts on.

use super::body_orientation::orientation;
use super::{Axes, Binder, BoundObjective, Evaluated, Now, Objective, Residual, Statement, Subject};
use crate::predict::Prediction;
use aplomb_body::model::Model;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{ObjectField, Unit, VectorField};
use aplomb_math::rotation;
use nalgebra::{Matrix3, Vector3};
use serde::Deserialize;

/// r = log(R⁺ Rₜᵀ) in world axes, rad, for the orientation R of a passive object under the forces of this frame. It is
/// undefined while the character neither holds nor touches the object.
#[derive(Clone, Copy, Debug)]
pub struct ObjectOrientation {
    /// Index of the object.
    pub object: usize,
    /// Rₜ: the target orientation of the object's first part in the world.
    pub target: Matrix3<f64>,
}

impl ObjectOrientation {
    /// log(R Rₜᵀ) now, world axes, rad.
    fn error(&self, now: &Now<'_>) -> Option<Vector3<f64>> {
        let object = now.objects.get(self.object)?;
        let off = object.rotation * self.target.transpose();
        // A rotation from a NaN orientation would look like none; the NaN must stay visible.
        let seen = if off.iter().all(|part| part.is_finite()) { 1.0 } else { f64::NAN };
        Some(rotation::log(&off) * seen)
    }
}

impl Objective for ObjectOrientation {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let error = self.error(now)?;
        let inverse = rotation::inverse_left_jacobian(&error);
        let turn = next.object_turn(self.object)?;
        let velocity = inverse * now.objects.get(self.object)?.angular_velocity;
        let free = inverse * Vector3::from_fn(|axis, _| turn.constant(axis));
        let rates = Axes::All.rows().map(|axis| [velocity[axis], free[axis]]);
        let way = turn.turned(&inverse) * now.scales.dt;
        Some(Residual::position(way - (-error)).drifting(next, rates))
    }

    fn is_about_objects(&self) -> bool {
        true
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Subject::Angle)
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        pairs.push([0.0, self.error(now)?.norm()]);
        Some(())
    }
}

/// r = log(R⁺ Rₜᵀ) in world axes, rad, of a passive object that the character holds or presses on (one with
/// `pushed_by_characters`). The objective is active only while it does.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ObjectOrientationSpec {
    /// Name of the passive object; of one with several parts, the first is turned.
    object: ObjectField,
    /// Roll, pitch and yaw of its own axes in the world, rad: Rz(yaw) Ry(pitch) Rx(roll).
    target: VectorField,
}

impl ObjectOrientationSpec {
    /// Name of the object, as written.
    pub fn object(&self) -> &str {
        self.object.text()
    }

    /// The objective as written in its file.
    pub(crate) fn statement(&self, source: &Source) -> Statement {
        Statement {
            target: Some(self.target.written_as(source)),
            unit: Some(Unit::RADIAN),
            others: vec![self.object.written(source)],
            ..Statement::default()
        }
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let object = self.object.bind(binder.source, binder.names)?;
        let target = binder.target(&self.target, Some(false))?;
        let made = Evaluated::new(Subject::Angle, move |_, values, now| {
            let target = orientation(target.known(values, now)?.value).into_inner();
            Some(ObjectOrientation { object: object.value(values)?, target })
        });
        Ok(made.about_objects())
    }
}
