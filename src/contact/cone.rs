//! Friction: the directions a contact's force is a non-negative sum of ([Jain 2009] eqs 11, 12).

use super::{Bearing, Touch};
use nalgebra::Vector3;

/// Generators of a contact's force, unit vectors in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Generators {
    list: [Vector3<f64>; 8],
    count: usize,
}

impl Generators {
    pub fn as_slice(&self) -> &[Vector3<f64>] {
        &self.list[..self.count]
    }
}

/// Two unit tangents that depend on the normal alone and vary smoothly near the vertical.
pub fn tangents(normal: &Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
    let reference = if normal.x.abs() < 0.9 { Vector3::x() } else { Vector3::z() };
    let first = (reference - normal * normal.dot(&reference)).normalize();
    (first, normal.cross(&first))
}

/// The generators of a bearing contact.
///
/// Static: a pyramid inside the cone with `directions` (4 or 8) edges (n + μ t)/√(1+μ²). With four edges the
/// friction available on the diagonal is 0.707 μ, with eight 0.924 μ. Dynamic: the single direction
/// (n − μ v/|v|)/√(1+μ²) against the slip, or n where there is none.
pub fn generators(touch: &Touch, directions: usize) -> Generators {
    let mu = touch.friction;
    let normalise = 1.0 / (1.0 + mu * mu).sqrt();
    let mut list = [Vector3::zeros(); 8];
    match touch.bearing {
        Bearing::Off => Generators { list, count: 0 },
        Bearing::Dynamic => {
            let speed = touch.slip.norm();
            list[0] = if speed > 1e-12 {
                (touch.normal - touch.slip * (mu / speed)) * normalise
            } else {
                touch.normal
            };
            Generators { list, count: 1 }
        }
        Bearing::Static { .. } => {
            let (t1, t2) = tangents(&touch.normal);
            let diagonal = std::f64::consts::FRAC_1_SQRT_2;
            let edges = [
                t1,
                -t1,
                t2,
                -t2,
                (t1 + t2) * diagonal,
                -(t1 + t2) * diagonal,
                (t1 - t2) * diagonal,
                (t2 - t1) * diagonal,
            ];
            let count = if mu == 0.0 { 1 } else { directions };
            for (generator, edge) in list.iter_mut().zip(edges).take(count) {
                *generator = (touch.normal + edge * mu) * normalise;
            }
            Generators { list, count }
        }
    }
}
