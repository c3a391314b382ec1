//! [Jain 2009] §6.1.2: G_p = W⁺ p − p₀, a point of a body to a point of the world.

use super::{
    Axes, Binder, BoundObjective, Evaluated, Marker, Now, Objective, Residual, Statement, Subject, Target,
};
use crate::predict::Prediction;
use aplomb_body::model::{BodyId, Model};
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{BodyField, PlaceField, Unit, VectorField};
use aplomb_math::interpolation::Rates;
use nalgebra::Vector3;
use serde::Deserialize;

/// r = p⁺ − target, m, or r = p⁺ − q⁺ for a target that is a point q of another body; with other `axes`, only
/// some components.
#[doc(alias = "end-effector task")]
#[doc(alias = "frame task")]
#[derive(Clone, Copy, Debug)]
pub struct BodyPoint {
    /// The body that the point is fixed to.
    pub body: BodyId,
    /// The point in the body frame, m.
    pub point: Vector3<f64>,
    /// Target, world, m.
    pub target: Target<Vector3<f64>>,
    /// The body that the target is fixed to; `None` for a target fixed in the world.
    pub relative_to: Option<BodyId>,
    /// Components of the error that are used.
    pub axes: Axes,
}

impl Objective for BodyPoint {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let point = now.kinematics.point(self.body, &self.point);
        let point = next.point(self.body, &point);
        let error = match self.relative_to {
            Some(other) => point + next.point(other, &self.target.value) * -1.0,
            None => point - self.target.value,
        };
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

/// r = p⁺ − target, m, or r = p⁺ − q⁺ for a target that is a point q of another body.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BodyPointSpec {
    /// A body (its frame's origin) or a site.
    point: PlaceField,
    /// Offset from `point`, in the axes of its body, m.
    #[serde(default)]
    offset: [f64; 3],
    /// Target position, world, m; with `relative_to`, forward, left and up from that body's origin, m.
    target: VectorField,
    /// Body that the target moves with: the target is a point of it, in the forward, left and up axes of its
    /// rest pose.
    relative_to: Option<BodyField>,
    /// Control only the horizontal components.
    #[serde(default)]
    horizontal: bool,
    /// Control only the height.
    #[serde(default)]
    vertical: bool,
    /// Feed the target's velocity and acceleration forward, which avoids a lag. Default: `true` for a target
    /// that depends only on `time`, `state_time` or keyframes.
    follow: Option<bool>,
}

impl BodyPointSpec {
    /// The objective as written in its file.
    pub(crate) fn statement(&self, source: &Source) -> Statement {
        Statement {
            about: Some(format!(
                "{} {} {:?} {} {}",
                self.point.text(),
                self.relative_to.as_ref().map_or("", |body| body.text()),
                self.offset,
                self.horizontal,
                self.vertical
            )),
            target: Some(self.target.written_as(source)),
            unit: Some(Unit::METRE),
            others: [self.point.written(source)]
                .into_iter()
                .chain(self.relative_to.as_ref().map(|body| body.written(source)))
                .collect(),
            follow: self.follow,
            ..Statement::default()
        }
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let target = binder.target(&self.target, self.follow)?;
        let place = self.point.bind(binder.source, binder.names)?;
        let other =
            self.relative_to.as_ref().map(|body| body.bind(binder.source, binder.names)).transpose()?;
        if let Some(own) = self.relative_to.as_ref().filter(|own| own.text() == self.point.text()) {
            let message = format!("`{}` cannot be a target relative to itself", own.text());
            return Err(FileError::new(binder.source, own.span(), message).help("name another body"));
        }
        let offset = Vector3::from(binder.local(self.offset, self.point.span()));
        let axes = match (self.vertical, self.horizontal) {
            (true, _) => Axes::Vertical,
            (false, true) => Axes::Horizontal,
            (false, false) => Axes::All,
        };
        let follow = target.follow;
        let made = Evaluated::new(Subject::Point(axes), move |_, values, now| {
            let (body, local) = now.place(now.model, place.value(values))?;
            let mut target = target.known(values, now)?;
            let relative_to = other.as_ref().map(|other| other.value(values));
            if let Some(other) = relative_to {
                target = seen_by(now, other, target);
            }
            Some(BodyPoint { body, point: local + offset, target, relative_to, axes })
        });
        Ok(made.following(follow, "m"))
    }
}

/// World position of a target given along the axes that the body has in the rest pose, and its rates.
fn seen_by(now: &Now<'_>, body: BodyId, target: Target<Vector3<f64>>) -> Target<Vector3<f64>> {
    let kinematics = &now.kinematics;
    let turn = |v: Vector3<f64>| match now.model.rest_axes(body) {
        Some(axes) => kinematics.rotation[body.0] * (axes * v),
        None => kinematics.rotation[body.0] * v,
    };
    let rates = target.rates.map(|Rates { velocity, acceleration }| Rates {
        velocity: turn(velocity),
        acceleration: turn(acceleration),
    });
    Target { value: kinematics.position[body.0] + turn(target.value), rates }
}
