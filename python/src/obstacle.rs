//! Boxes as obstacles.

use aplomb::world;
use pyo3::prelude::*;

/// A box for `World`, by half of its lengths along its axes and its centre, m, turned by roll, pitch and yaw, rad.
///
/// It has the ground's friction where none is given. `contact_weight` is its own weight of keeping contacts where they
/// touched; 0 for a wall that is only bumped into.
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
