//! Drives in the joints of a plant.

/// Drives that add to each joint's torque what brings it to where a command expects it, and to the velocity expected.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Servo {
    /// Per velocity coordinate, N m/rad or N/m; zeros for a floating root.
    pub stiffness: Vec<f64>,
    /// Per velocity coordinate, N m s/rad or N s/m; zeros for a floating root.
    pub damping: Vec<f64>,
}
