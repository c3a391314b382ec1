//! A body's orientation.

use super::{Binder, BoundObjective, Evaluated, Now, Objective, Residual, Statement, Subject, Tracked};
use crate::predict::Prediction;
use aplomb_body::model::{BodyId, Model};
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{BodyField, Lookup, Unit, VectorField, VectorValue};
use aplomb_math::interpolation::Rates;
use aplomb_math::rotation;
use nalgebra::{Rotation3, Vector3};
use serde::Deserialize;

/// r = log(R⁺ Rₜᵀ) in world axes, rad; Rₜ rotates with another body if it is relative to one.
#[derive(Clone, Copy, Debug)]
pub struct BodyOrientation {
    /// The body whose orientation is controlled.
    pub body: BodyId,
    /// Rₜ: the target orientation of the body frame in the world.
    pub target: Rotation3<f64>,
    /// The body that Rₜ rotates with; `None` for a target in the world frame.
    pub relative_to: Option<BodyId>,
    /// Angular velocity and acceleration of Rₜ, world, rad/s and rad/s², for a goal that follows its target.
    pub rates: Option<Rates<Vector3<f64>>>,
}

impl Objective for BodyOrientation {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let mut turn = next.turn_from(self.body, self.target.matrix());
        if !self.target.matrix().iter().all(|part| part.is_finite()) {
            // A rotation from a NaN orientation would look like none; the NaN must stay visible.
            turn = turn * f64::NAN;
        }
        if let Some(other) = self.relative_to {
            // The effect on the error of the target's own rotation, log(Q⁺ Qᵀ).
            let way = next.turn_from(other, &now.kinematics.rotation[other.0]);
            turn = turn + way.turned(&-next.target_turn(self.body, self.target.matrix()));
        }
        let residual = Residual::position(turn);
        let Some(Rates { velocity, acceleration }) = self.rates else { return Some(residual) };
        let inverse = next.target_turn(self.body, self.target.matrix());
        let rates = Rates { velocity: inverse * velocity, acceleration: inverse * acceleration };
        Some(residual.moving(next, (0..3).map(|row| rates.row(row))))
    }

    fn follows(&self) -> Option<&'static str> {
        self.rates.is_some().then_some("rad")
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Subject::Angle)
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        let off = now.kinematics.rotation[self.body.0] * self.target.matrix().transpose();
        pairs.push([0.0, rotation::log(&off).norm()]);
        Some(())
    }
}

/// r = log(R⁺ Rₜᵀ) in world axes, rad.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BodyOrientationSpec {
    /// Body to rotate.
    body: BodyField,
    /// Roll, pitch and yaw, rad, of the axes that point forward, left and up in the rest pose: Rz(yaw)
    /// Ry(pitch) Rx(roll), relative to the world; with `relative_to`, relative to that body's forward, left
    /// and up axes.
    target: VectorField,
    /// Body that the target rotates with.
    relative_to: Option<BodyField>,
    /// Feed the target's rates forward, which avoids a lag. Default: `true` for a target that depends only on
    /// `time`, `state_time` or keyframes.
    follow: Option<bool>,
}

impl BodyOrientationSpec {
    /// The objective as written in its file.
    pub(crate) fn statement(&self, source: &Source) -> Statement {
        Statement {
            about: Some(match &self.relative_to {
                Some(other) => format!("{} {}", self.body.text(), other.text()),
                None => self.body.text().to_string(),
            }),
            target: Some(self.target.written_as(source)),
            unit: Some(Unit::RADIAN),
            others: [self.body.written(source)]
                .into_iter()
                .chain(self.relative_to.as_ref().map(|body| body.written(source)))
                .collect(),
            follow: self.follow,
            ..Statement::default()
        }
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let target = binder.target(&self.target, self.follow)?;
        let body = self.body.bind(binder.source, binder.names)?;
        let other =
            self.relative_to.as_ref().map(|body| body.bind(binder.source, binder.names)).transpose()?;
        if let Some(own) = self.relative_to.as_ref().filter(|own| own.text() == self.body.text()) {
            let message = format!("`{}` cannot be a target relative to itself", own.text());
            return Err(FileError::new(binder.source, own.span(), message).help("name another body"));
        }
        let follow = target.follow;
        let made = Evaluated::new(Subject::Angle, move |_, values, now| {
            let (target, rates) = turning(&target, values, now)?;
            let body = body.value(values);
            let target = match now.model.rest_axes(body) {
                Some(axes) => target * axes.to_rotation_matrix().transpose(),
                None => target,
            };
            let relative_to = other.as_ref().map(|other| other.value(values));
            let Some(other) = relative_to else {
                return Some(BodyOrientation { body, target, relative_to, rates });
            };
            let seat = Rotation3::from_matrix_unchecked(now.kinematics.rotation[other.0]);
            let seat = match now.model.rest_axes(other) {
                Some(axes) => seat * axes.to_rotation_matrix(),
                None => seat,
            };
            let rates = rates.map(|Rates { velocity, acceleration }| Rates {
                velocity: seat * velocity,
                acceleration: seat * acceleration,
            });
            Some(BodyOrientation { body, target: seat * target, relative_to, rates })
        });
        Ok(made.following(follow, "rad"))
    }
}

/// An orientation, with its rates if the target is followed.
type TargetOrientation = (Rotation3<f64>, Option<Rates<Vector3<f64>>>);

/// The orientation with these angles, with its rates if the target is followed; `None` if the angles are undefined.
fn turning(angles: &Tracked<VectorValue>, values: &dyn Lookup, now: &Now<'_>) -> Option<TargetOrientation> {
    let (angles, dt) = (angles.known(values, now)?, now.scales.dt);
    let target = orientation(angles.value);
    let rates = angles.rates.map(|Rates { velocity, acceleration }| {
        let turn_to = |angles| rotation::log((orientation(angles) * target.transpose()).matrix());
        let before = angles.value - velocity * dt;
        let after = angles.value + (velocity + acceleration * dt) * dt;
        let (past, coming) = (-turn_to(before) / dt, turn_to(after) / dt);
        Rates { velocity: past, acceleration: (coming - past) / dt }
    });
    Some((target, rates))
}

/// Rotation by roll, pitch and yaw, rad: Rz(yaw) Ry(pitch) Rx(roll).
pub(super) fn orientation(angles: Vector3<f64>) -> Rotation3<f64> {
    Rotation3::from_euler_angles(angles.x, angles.y, angles.z)
}
