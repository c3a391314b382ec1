//! Solids that push particles and chains out of themselves.

use aplomb_math::geometry::WorldShape;
use nalgebra::Vector3;

/// A solid with its friction and its motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// Geometry in the world.
    pub shape: WorldShape,
    /// Coefficient of Coulomb friction.
    pub friction: f64,
    /// Velocity (m/s) of the material point at the world's origin, and turning (rad/s).
    pub velocity: Vector3<f64>,
    /// Angular velocity, rad/s, world axes.
    pub spin: Vector3<f64>,
}

impl Obstacle {
    /// One that does not move.
    pub fn fixed(shape: WorldShape, friction: f64) -> Obstacle {
        Obstacle { shape, friction, velocity: Vector3::zeros(), spin: Vector3::zeros() }
    }

    /// Velocity of its material at a point, m/s.
    pub fn velocity_at(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.velocity + self.spin.cross(point)
    }
}
