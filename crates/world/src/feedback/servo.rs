//! Servos in the joints of a plant.

/// Servos that add a torque to each joint, towards the position and velocity that a command expects.
#[doc(alias = "PD control")]
#[doc(alias = "position servo")]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Servo {
    /// Stiffness by velocity coordinate, N m/rad or N/m; zeros for a floating root.
    pub stiffness: Vec<f64>,
    /// Damping by velocity coordinate, N m s/rad or N s/m; zeros for a floating root.
    pub damping: Vec<f64>,
}
