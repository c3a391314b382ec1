//! Position of a passive object that the character acts on.

use super::{
    Axes, Binder, BoundObjective, Evaluated, Marker, Now, Objective, Residual, Statement, Subject, Target,
};
use crate::predict::Prediction;
use aplomb_body::model::Model;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{ObjectField, Unit, VectorField};
use nalgebra::Vector3;
use serde::Deserialize;

/// r = o⁺ − target, m, for the centre of mass o of a passive object under the forces of this frame; with other
/// `axes`, only some components. It is undefined while the character neither holds nor touches the object.
#[derive(Clone, Copy, Debug)]
pub struct ObjectPosition {
    /// Index of the object.
    pub object: usize,
    /// Target, world, m.
    pub target: Target<Vector3<f64>>,
    /// Components of the error that are used.
    pub axes: Axes,
}

impl Objective for ObjectPosition {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let object = now.objects.get(self.object)?;
        let velocity = next.object_velocity(self.object)?;
        let free = Vector3::from_fn(|axis, _| velocity.constant(axis));
        let rates = self.axes.rows().map(|axis| [object.velocity[axis], free[axis]]);
        let error = velocity * now.scales.dt - (self.target.value - object.position);
        let residual = Residual::position(self.axes.of(error)).drifting(next, rates);
        Some(residual.towards(next, &self.target, self.axes))
    }

    fn follows(&self) -> Option<&'static str> {
        self.target.is_followed().then_some("m")
    }

    fn is_about_objects(&self) -> bool {
        true
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Subject::Point(self.axes))
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        self.axes.compare(self.target.value, now.objects.get(self.object)?.position, pairs);
        Some(())
    }

    fn marker(&self, now: &Now<'_>) -> Option<Marker> {
        let actual = now.objects.get(self.object)?.position;
        Some(self.axes.towards(actual, self.target.value, Some("of.object_position.target")))
    }
}

/// r = o⁺ − target, m, of the centre of mass of a passive object that the character holds or presses on (one
/// with `pushed_by_characters`). The objective is active only while it does.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ObjectPositionSpec {
    /// Name of the passive object.
    object: ObjectField,
    /// Target position, world, m.
    target: VectorField,
    /// Control only the horizontal components.
    #[serde(default)]
    horizontal: bool,
    /// Feed the target's velocity and acceleration forward, which avoids a lag. Default: `true` for a target
    /// that depends only on `time`, `state_time` or keyframes.
    follow: Option<bool>,
}

impl ObjectPositionSpec {
    /// Name of the object, as written.
    pub fn object(&self) -> &str {
        self.object.text()
    }

    /// The objective as written in its file.
    pub(crate) fn statement(&self, source: &Source) -> Statement {
        Statement {
            target: Some(self.target.written_as(source)),
            unit: Some(Unit::METRE),
            others: vec![self.object.written(source)],
            follow: self.follow,
            ..Statement::default()
        }
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let object = self.object.bind(binder.source, binder.names)?;
        let target = binder.target(&self.target, self.follow)?;
        let axes = if self.horizontal { Axes::Horizontal } else { Axes::All };
        let follow = target.follow;
        let made = Evaluated::new(Subject::Point(axes), move |_, values, now| {
            Some(ObjectPosition { object: object.value(values)?, target: target.known(values, now)?, axes })
        });
        Ok(made.about_objects().following(follow, "m"))
    }
}
