//! [Jain 2009] §6.1.2: G_p = W⁺ p − p₀, a point of a body to a point of the world.

use super::{Binder, Now, Objective, Residual};
use crate::diagnostic::FileError;
use crate::expression::{PlaceChoice, PlaceField, VectorField, VectorValue};
use crate::predict::Prediction;
use nalgebra::Vector3;
use serde::Deserialize;

/// r = p⁺ − target, m.
#[derive(Clone, Debug, Deserialize)]
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
}

struct Bound {
    point: PlaceChoice,
    offset: Vector3<f64>,
    target: VectorValue,
    horizontal: bool,
}

impl BodyPoint {
    pub fn bind(&self, binder: &Binder<'_>) -> Result<impl Objective + use<>, FileError> {
        Ok(Bound {
            point: self.point.bind(binder.source, binder.names)?,
            offset: Vector3::from(self.offset),
            target: self.target.bind(binder.source, binder.names)?,
            horizontal: self.horizontal,
        })
    }
}

impl Objective for Bound {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let (body, local) = now.place(now.model, self.point.value(now.values))?;
        let point = now.kinematics.point(body, &(local + self.offset));
        let error = next.point(body, &point) - self.target.value(now.values);
        Some(Residual::position(if self.horizontal { error.horizontal() } else { error }))
    }
}
