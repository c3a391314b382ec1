//! [Jain 2009] §6.1.2: G_p = W⁺ p − p₀, a point of a body to a point of the world.

use super::{
    Axes, Binder, BoundObjective, Evaluated, Marker, Now, Objective, Residual, Statement, Subject, Target,
};
use crate::language::diagnostic::{FileError, Source};
use crate::language::expression::{PlaceField, Unit, VectorField};
use crate::model::{BodyId, Model};
use crate::predict::Prediction;
use nalgebra::Vector3;
use serde::Deserialize;

/// r = p⁺ − target, m; some of its components alone with other `axes`.
#[derive(Clone, Copy, Debug)]
pub struct BodyPoint {
    /// The body that the point is of.
    pub body: BodyId,
    /// In the body frame, m.
    pub point: Vector3<f64>,
    /// World, m.
    pub target: Target<Vector3<f64>>,
    /// Components of the error that count.
    pub axes: Axes,
}

impl Objective for BodyPoint {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let point = now.kinematics.point(self.body, &self.point);
        let error = next.point(self.body, &point) - self.target.value;
        Some(Residual::position(self.axes.of(error)).towards(next, &self.target, self.axes))
    }

    fn follows(&self) -> Option<&'static str> {
        self.target.is_followed().then_some("m")
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Subject::Point(self.axes))
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        self.axes.compare(self.target.value, now.kinematics.point(self.body, &self.point), pairs);
        Some(())
    }

    fn marker(&self, now: &Now<'_>) -> Option<Marker> {
        let actual = now.kinematics.point(self.body, &self.point);
        Some(self.axes.towards(actual, self.target.value, Some("of.body_point.target")))
    }
}

/// r = p⁺ − target, m.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BodyPointSpec {
    /// A body (its frame's origin) or a site.
    point: PlaceField,
    /// From there, in the body's or site's body axes, m.
    #[serde(default)]
    offset: [f64; 3],
    /// World, m.
    target: VectorField,
    /// Leave the height free.
    #[serde(default)]
    horizontal: bool,
    /// The height alone.
    #[serde(default)]
    vertical: bool,
    /// Feed the target's velocity and acceleration forward instead of lagging behind it. Where it is left out, a target of
    /// `time`, `state_time` or keyframes alone is followed.
    follow: Option<bool>,
}

impl BodyPointSpec {
    /// What the file says.
    pub fn statement(&self, source: &Source) -> Statement {
        Statement {
            about: Some(format!(
                "{} {:?} {} {}",
                self.point.text(),
                self.offset,
                self.horizontal,
                self.vertical
            )),
            target: Some(self.target.written_as(source)),
            unit: Some(Unit::METRE),
            others: vec![self.point.written(source)],
            follow: self.follow,
            ..Statement::default()
        }
    }

    pub fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let target = binder.target(&self.target, self.follow)?;
        let place = self.point.bind(binder.source, binder.names)?;
        let offset = Vector3::from(binder.local(self.offset, self.point.span()));
        let axes = match (self.vertical, self.horizontal) {
            (true, _) => Axes::Vertical,
            (false, true) => Axes::Horizontal,
            (false, false) => Axes::All,
        };
        let follow = target.follow;
        let made = Evaluated::new(Subject::Point(axes), move |_, values, now| {
            let (body, local) = now.place(now.model, place.value(values))?;
            Some(BodyPoint { body, point: local + offset, target: target.known(values, now)?, axes })
        });
        Ok(made.following(follow, "m"))
    }
}
