//! What bodies stand on and run into, which moves on a course if at all.

use aplomb_body::contact;
use aplomb_math::spatial::Force;
use nalgebra::Vector3;

/// What stands still or moves on its course, and is not moved by what hits it.
#[derive(Clone, Debug)]
pub struct Surface {
    pub(super) solid: usize,
    pub(super) carrier: Option<Carrier>,
    /// What it received since the beginning of the step: moment of impulse about the world origin, and impulse.
    pub received: Force,
}

/// A course that a surface follows in simulated time.
#[derive(Clone, Debug)]
pub(super) struct Carrier {
    pub(super) course: contact::Surface,
    /// The surface's velocity is that of its way over this time, s.
    pub(super) lookahead: f64,
}

impl Surface {
    /// Velocity of its material point at a world point, m/s: that with which the point comes to where the course
    /// has it at the end of a step, so that what sticks to it neither lags nor drifts.
    pub(super) fn velocity_at(&self, point: &Vector3<f64>) -> Vector3<f64> {
        let carrier = self.carrier.as_ref();
        carrier.map_or_else(Vector3::zeros, |carrier| carrier.course.way_ahead(point) / carrier.lookahead)
    }
}
