//! A body's orientation.

use super::{Binder, Now, Objective, Residual};
use crate::language::diagnostic::FileError;
use crate::language::expression::{BodyChoice, BodyField, Motion, VectorField, VectorValue};
use crate::math::rotation::{self, from_roll_pitch_yaw};
use crate::predict::Prediction;
use nalgebra::Vector3;
use serde::Deserialize;

/// r = log(R⁺ Rₜᵀ) in world axes, rad.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BodyOrientation {
    /// The body that is turned.
    body: BodyField,
    /// Roll, pitch, yaw of the body frame in the world, rad: Rz(yaw) Ry(pitch) Rx(roll).
    target: VectorField,
    /// Keep up with a target that turns with time instead of lagging behind it. Where it is left out, a target of
    /// `time`, `state_time` or keyframes alone is followed.
    follow: Option<bool>,
}

struct Bound {
    body: BodyChoice,
    target: VectorValue,
    follow: bool,
}

impl BodyOrientation {
    pub fn bind(&self, binder: &Binder<'_>) -> Result<impl Objective + use<>, FileError> {
        let target = self.target.bind(binder.source, binder.names)?;
        Ok(Bound {
            body: self.body.bind(binder.source, binder.names)?,
            follow: self.follow.unwrap_or(target.is_of_time()),
            target,
        })
    }
}

impl Objective for Bound {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let angles = self.target.value(now.values);
        let target = from_roll_pitch_yaw(&angles);
        let body = self.body.value(now.values);
        let residual = Residual::position(next.turn_from(body, &target));
        if !self.follow {
            return Some(residual);
        }
        let inverse = next.target_turn(body, &target);
        let (motion, dt) = (now.motion_of(&self.target), now.scales.dt);
        let turn_to =
            |angles: Vector3<f64>| rotation::log(&(from_roll_pitch_yaw(&angles) * target.transpose()));
        let before = angles - motion.velocity * dt;
        let after = angles + (motion.velocity + motion.acceleration * dt) * dt;
        let (past, coming) = (-turn_to(before) / dt, turn_to(after) / dt);
        let motion = Motion { velocity: inverse * past, acceleration: inverse * (coming - past) / dt };
        Some(residual.moving(next, (0..3).map(|row| motion.row(row))))
    }

    fn follows(&self) -> Option<&'static str> {
        self.follow.then_some("rad")
    }
}
