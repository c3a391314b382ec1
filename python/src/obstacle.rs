//! Boxes as obstacles.

use aplomb::world;
use pyo3::prelude::*;

/// A box for `World`: half lengths along its axes and position of its centre, m, and roll, pitch and yaw, rad.
///
/// `friction`: the ground's by default. `contact_weight`: weight of keeping contact points on it where they were
/// made, instead of the world's; 0 for a wall that is only bumped into.
#[pyclass(frozen, module = "aplomb")]
#[derive(Clone)]
pub struct Obstacle(pub world::Obstacle);

#[pymethods]
impl Obstacle {
    #[new]
    #[pyo3(signature = (name, half_lengths, position, angles = [0.0; 3], *, friction = None, contact_weight = None))]
    fn new(
        name: &str,
        half_lengths: [f64; 3],
        position: [f64; 3],
        angles: [f64; 3],
        friction: Option<f64>,
        contact_weight: Option<f64>,
    ) -> Self {
        let mut obstacle = world::Obstacle::block(name, half_lengths, position).turned(angles);
        if let Some(friction) = friction {
            obstacle = obstacle.friction(friction);
        }
        if let Some(weight) = contact_weight {
            obstacle = obstacle.contact_weight(weight);
        }
        Obstacle(obstacle)
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}
