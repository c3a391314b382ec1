//! COM to a point of the world.

use super::{
    Axes, Binder, BoundObjective, Evaluated, Marker, Now, Objective, Residual, Statement, Subject, Target,
};
use crate::predict::Prediction;
use aplomb_body::model::Model;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{Unit, VectorField};
use nalgebra::Vector3;
use serde::Deserialize;

/// r = c⁺ − target, m; with other `axes`, only some components.
#[doc(alias = "center of mass task")]
#[derive(Clone, Copy, Debug)]
pub struct ComPosition {
    /// Target, world, m.
    pub target: Target<Vector3<f64>>,
    /// Components of the error that are used.
    pub axes: Axes,
}

impl Objective for ComPosition {
    fn residual<'p>(&self, _: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let error = next.com() - self.target.value;
        Some(Residual::position(self.axes.of(error)).towards(next, &self.target, self.axes))
    }

    fn follows(&self) -> Option<&'static str> {
        self.target.is_followed().then_some("m")
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Subject::Point(self.axes))
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        self.axes.compare(self.target.value, now.com, pairs);
        Some(())
    }

    fn marker(&self, now: &Now<'_>) -> Option<Marker> {
        Some(self.axes.towards(now.com, self.target.value, Some("of.com_position.target")))
    }
}

/// r = c⁺ − target, m; only its horizontal components with `horizontal = true`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ComPositionSpec {
    /// Target position, world, m.
    target: VectorField,
    /// Control only the horizontal components.
    #[serde(default)]
    horizontal: bool,
    /// Feed the target's velocity and acceleration forward, which avoids a lag. Default: `true` for a target
    /// that depends only on `time`, `state_time` or keyframes.
    follow: Option<bool>,
}

impl ComPositionSpec {
    /// The objective as written in its file.
    pub(crate) fn statement(&self, source: &Source) -> Statement {
        Statement {
            about: Some(self.horizontal.to_string()),
            target: Some(self.target.written_as(source)),
            unit: Some(Unit::METRE),
            follow: self.follow,
            ..Statement::default()
        }
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let target = binder.target(&self.target, self.follow)?;
        let axes = if self.horizontal { Axes::Horizontal } else { Axes::All };
        let follow = target.follow;
        let made = Evaluated::new(Subject::Point(axes), move |_, values, now| {
            Some(ComPosition { target: target.known(values, now)?, axes })
        });
        Ok(made.following(follow, "m"))
    }
}
