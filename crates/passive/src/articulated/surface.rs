//! Surfaces that bodies stand on and collide with. They are fixed or follow a trajectory.

use aplomb_body::contact;
use aplomb_math::spatial::Force;
use nalgebra::Vector3;

/// A surface that is fixed or follows a trajectory, and that collisions do not move.
#[derive(Clone, Debug)]
pub(crate) struct CollisionSurface {
    pub(super) solid: usize,
    pub(super) carrier: Option<SurfaceMotion>,
    /// Spatial impulse since the beginning of the step: moment of impulse about the world origin, and
    /// impulse.
    pub(crate) received: Force,
}

/// The trajectory of a surface in simulated time.
#[derive(Clone, Debug)]
pub(super) struct SurfaceMotion {
    pub(super) course: contact::Surface,
    /// Time over which the displacement of the surface gives its velocity, s.
    pub(super) lookahead: f64,
}

impl CollisionSurface {
    /// Velocity of its material point at a world point, m/s: the one with which the point arrives on the
    /// trajectory at the end of a step, so that a sticking object neither lags nor drifts.
    pub(super) fn velocity_at(&self, point: &Vector3<f64>) -> Vector3<f64> {
        let carrier = self.carrier.as_ref();
        carrier.map_or_else(Vector3::zeros, |carrier| carrier.course.way_ahead(point) / carrier.lookahead)
    }
}
