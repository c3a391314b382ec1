//! [Jain 2009] §6.1.2: G_p = W⁺ p − p₀, a point of a body to a point of the world.

use super::{Binder, Now, Objective, Residual};
use crate::language::diagnostic::FileError;
use crate::language::expression::{PlaceChoice, PlaceField, VectorField, VectorValue};
use crate::predict::Prediction;
use nalgebra::Vector3;
use serde::Deserialize;

/// r = p⁺ − target, m.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BodyPoint {
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

struct Bound {
    point: PlaceChoice,
    offset: Vector3<f64>,
    target: VectorValue,
    horizontal: bool,
    vertical: bool,
    follow: bool,
}

impl BodyPoint {
    pub fn bind(&self, binder: &Binder<'_>) -> Result<impl Objective + use<>, FileError> {
        let target = self.target.bind(binder.source, binder.names)?;
        Ok(Bound {
            point: self.point.bind(binder.source, binder.names)?,
            offset: Vector3::from(self.offset),
            follow: self.follow.unwrap_or(target.is_of_time()),
            target,
            horizontal: self.horizontal,
            vertical: self.vertical,
        })
    }
}

impl Objective for Bound {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let (body, local) = now.place(now.model, self.point.value(now.values))?;
        let point = now.kinematics.point(body, &(local + self.offset));
        let target = self.target.value(now.values);
        let error = super::is_known(&target).then(|| next.point(body, &point) - target)?;
        let (error, rows) = if self.vertical {
            (error.component(2), 2..3)
        } else if self.horizontal {
            (error.horizontal(), 0..2)
        } else {
            (error, 0..3)
        };
        let residual = Residual::position(error);
        if !self.follow {
            return Some(residual);
        }
        let motion = now.motion_of(&self.target);
        Some(residual.moving(next, rows.map(|row| motion.row(row))))
    }

    fn follows(&self) -> Option<&'static str> {
        self.follow.then_some("m")
    }
}
