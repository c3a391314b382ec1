//! How a value changes with time, frame by frame.

use nalgebra::Vector3;

/// Rate of a value, and the rate of the rate, as differences over one frame.
///
/// The rate is that since the frame before, as velocities in a state are; the acceleration is the second difference.
/// Whoever has both ends the next frame exactly where the value will be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates<T> {
    /// Since the frame before, per s.
    pub velocity: T,
    /// From there to the next frame, per s².
    pub acceleration: T,
}

impl Rates<Vector3<f64>> {
    /// Rates of one component.
    pub fn row(&self, row: usize) -> Rates<f64> {
        Rates { velocity: self.velocity[row], acceleration: self.acceleration[row] }
    }
}
