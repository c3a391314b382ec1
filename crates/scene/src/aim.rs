//! Throws that are aimed at a point.

use aplomb_language::Spanned;
use aplomb_math::elementary::{cos, sin};
use nalgebra::Vector3;
use serde::Deserialize;

/// A throw given by its origin and its target.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct AimSpec {
    /// Target point of the throw, world, m.
    pub(crate) at: Spanned<[f64; 3]>,
    /// Direction from the target point to the thrower, from world x, counter-clockwise, rad.
    pub(crate) bearing: Spanned<f64>,
    /// Horizontal distance of the thrower from the target point, m.
    pub(crate) distance: Spanned<f64>,
    /// World height at which the ball is released, m.
    pub(crate) height: Spanned<f64>,
    /// Horizontal speed of the ball, m/s.
    pub(crate) speed: Spanned<f64>,
}

impl AimSpec {
    /// Position, m, and velocity, m/s, at which the ball is released: in free flight it is at the target after
    /// T = distance/speed, x(T) = p + v T + ½ g T².
    pub(crate) fn flight(&self, gravity: &Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
        let at = Vector3::from(*self.at.get_ref());
        let (distance, time) = (*self.distance.get_ref(), self.distance.get_ref() / self.speed.get_ref());
        let bearing = *self.bearing.get_ref();
        let position = Vector3::new(
            at.x + distance * cos(bearing),
            at.y + distance * sin(bearing),
            *self.height.get_ref(),
        );
        (position, (at - position) / time - gravity * (0.5 * time))
    }
}
