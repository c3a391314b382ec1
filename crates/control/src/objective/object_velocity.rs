//! Velocity of a passive object that the character acts on.

use super::{Axes, Binder, BoundObjective, Evaluated, Now, Objective, Order, Residual, Statement, Subject};
use crate::predict::Prediction;
use aplomb_body::model::Model;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{ObjectField, Unit, VectorField};
use nalgebra::Vector3;
use serde::Deserialize;

/// r = ȯ⁺ − target, m/s, for the centre of mass o of a passive object under the forces of this frame. It is undefined
/// while the character neither holds nor touches the object. The one-step form weighs `time_constant` × r.
#[derive(Clone, Copy, Debug)]
pub struct ObjectVelocity {
    /// Index of the object.
    pub object: usize,
    /// Target, world, m/s.
    pub target: Vector3<f64>,
    /// Time constant of the one-step form, s.
    pub time_constant: f64,
}

impl Objective for ObjectVelocity {
    fn residual<'p>(&self, _: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let error = next.object_velocity(self.object)? - self.target;
        Some(Residual::of(error, Order::Velocity { time_constant: self.time_constant }))
    }

    fn is_about_objects(&self) -> bool {
        true
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Subject::Velocity)
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        Axes::All.compare(self.target, now.objects.get(self.object)?.velocity, pairs);
        Some(())
    }
}

/// r = ȯ⁺ − target, m/s, of the centre of mass of a passive object that the character holds or presses on
/// (see `pushed_by_characters`). The objective is active only while it does.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ObjectVelocitySpec {
    /// Name of the passive object.
    object: ObjectField,
    /// Target velocity, world axes, m/s.
    target: VectorField,
    /// Scale of the residual, s; one-step form only.
    #[serde(default = "tenth")]
    time_constant: f64,
}

fn tenth() -> f64 {
    0.1
}

impl ObjectVelocitySpec {
    /// Name of the object, as written.
    pub fn object(&self) -> &str {
        self.object.text()
    }

    /// The objective as written in its file.
    pub(crate) fn statement(&self, source: &Source) -> Statement {
        Statement {
            target: Some(self.target.written_as(source)),
            unit: Some(Unit::SPEED),
            others: vec![self.object.written(source)],
            ..Statement::default()
        }
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let object = self.object.bind(binder.source, binder.names)?;
        let target = self.target.bind(binder.source, binder.names)?;
        let time_constant = self.time_constant;
        let made = Evaluated::new(Subject::Velocity, move |_, values, _| {
            Some(ObjectVelocity {
                object: object.value(values)?,
                target: target.known(values)?,
                time_constant,
            })
        });
        Ok(made.about_objects())
    }
}
