//! Solids that particles and chains collide with.

use aplomb_math::geometry::WorldShape;
use nalgebra::Vector3;

/// A solid with its friction and its motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// Shape in the world.
    pub shape: WorldShape,
    /// Coefficient of Coulomb friction.
    pub friction: f64,
    /// Velocity of the material point at the world's origin, m/s, world axes.
    pub velocity: Vector3<f64>,
    /// Angular velocity, rad/s, world axes.
    pub spin: Vector3<f64>,
}

impl Obstacle {
    /// A fixed obstacle.
    pub fn fixed(shape: WorldShape, friction: f64) -> Obstacle {
        Obstacle { shape, friction, velocity: Vector3::zeros(), spin: Vector3::zeros() }
    }

    /// Velocity of its material point at a point, m/s.
    pub fn velocity_at(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.velocity + self.spin.cross(point)
    }
}
