//! Directions in space.

use crate::elementary::sincos;
use nalgebra::Vector3;

/// Unit vectors spread evenly over a sphere, on a spiral from one pole to the other [Vogel 1979].
pub fn sphere_directions(count: usize) -> impl Iterator<Item = Vector3<f64>> {
    // The golden angle: no two turns of the spiral line up.
    let turn = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    (0..count).map(move |index| {
        let z = 1.0 - (2.0 * index as f64 + 1.0) / count as f64;
        let radius = (1.0 - z * z).max(0.0).sqrt();
        let (sine, cosine) = sincos(turn * index as f64);
        Vector3::new(radius * cosine, radius * sine, z)
    })
}
