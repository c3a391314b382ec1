//! What moves without a will: ragdolls, thrown things, pendulums, doors.

pub mod articulated;

use crate::spatial::Force;
use nalgebra::{UnitQuaternion, Vector3};

/// Index of a part in [`PassiveSystem::parts`]: a rigid body, or a particle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartId(pub usize);

/// Where a part is and how it moves, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Origin of the part's frame, m.
    pub position: Vector3<f64>,
    /// Identity for a particle.
    pub orientation: UnitQuaternion<f64>,
    /// Of the origin, m/s.
    pub velocity: Vector3<f64>,
    /// rad/s
    pub angular_velocity: Vector3<f64>,
}

/// Mechanical energy, J.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Energy {
    pub kinetic: f64,
    /// Of gravity (zero at the world origin) and springs.
    pub potential: f64,
}

impl Energy {
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// How a step went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stepped {
    /// Everything asked of it holds within the tolerances of its solver.
    Solved,
    /// The solver stopped early or had to give way; the state is finite, and the method's own report says more.
    Approximate,
    /// The numbers left the finite; the state is that of before the step.
    Failed,
}

/// Something stepped by its own dynamics. Methods differ in what they are made of, not in what they answer.
pub trait PassiveSystem {
    /// Simulated time, s.
    fn time(&self) -> f64;

    /// Advances by `dt` seconds under gravity, contacts and the forces applied since the last step.
    fn step(&mut self, dt: f64) -> Stepped;

    /// Number of parts; never changes during a run.
    fn parts(&self) -> usize;

    fn part(&self, part: PartId) -> Part;

    /// A force (N, world axes) on the part at a world point (m), constant over the next step and gone after it.
    fn apply_force(&mut self, part: PartId, point: &Vector3<f64>, force: &Vector3<f64>);

    /// An impulse (N s, world axes) on the part at a world point (m): velocities change at once.
    fn apply_impulse(&mut self, part: PartId, point: &Vector3<f64>, impulse: &Vector3<f64>);

    fn energy(&self) -> Energy;

    /// Linear momentum (N s), and angular momentum about the world origin (N m s).
    fn momentum(&self) -> Force;
}
