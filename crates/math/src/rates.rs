//! First and second rates of a value, as differences between frames.

use nalgebra::Vector3;

/// First and second rate of a value, as differences over one frame.
///
/// The velocity is the difference since the previous frame, like the velocities of a state; the acceleration
/// is the second difference to the next frame. A body with both ends the next frame exactly where the value
/// will be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates<T> {
    /// Rate since the previous frame, per s.
    pub velocity: T,
    /// Change of that rate to the next frame, per s².
    pub acceleration: T,
}

impl Rates<Vector3<f64>> {
    /// Rates of one component.
    pub fn row(&self, row: usize) -> Rates<f64> {
        Rates { velocity: self.velocity[row], acceleration: self.acceleration[row] }
    }
}
