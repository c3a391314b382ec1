//! Friction: the directions a contact's force is a non-negative sum of ([Jain 2009] eqs 11, 12).

use super::{ContactMode, ContactPoint};
use nalgebra::Vector3;

/// Most generators of one contact: the edges of a pyramid and the normal.
const MOST: usize = 9;

/// Generators of a contact's force, unit vectors in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Generators {
    list: [Vector3<f64>; MOST],
    count: usize,
}

impl Generators {
    /// The generators that are in use, unit vectors in world axes.
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

/// Generators (n + μ t)/√(1+μ²) of a pyramid with `directions` (4 or 8) edges inside the cone of friction.
pub fn pyramid(normal: &Vector3<f64>, friction: f64, directions: usize) -> Generators {
    let mut generators = Generators { list: [Vector3::zeros(); MOST], count: 0 };
    for tangent in edges(normal).into_iter().take(if friction == 0.0 { 1 } else { directions }) {
        generators.list[generators.count] =
            (normal + tangent * friction) / (1.0 + friction * friction).sqrt();
        generators.count += 1;
    }
    generators
}

/// Directions of friction along a surface: four at right angles, then the four between them.
fn edges(normal: &Vector3<f64>) -> [Vector3<f64>; 8] {
    let (t1, t2) = tangents(normal);
    let diagonal = std::f64::consts::FRAC_1_SQRT_2;
    [
        t1,
        -t1,
        t2,
        -t2,
        (t1 + t2) * diagonal,
        -(t1 + t2) * diagonal,
        (t1 - t2) * diagonal,
        (t2 - t1) * diagonal,
    ]
}

/// The generators of a bearing contact.
///
/// Static, struck or held: a pyramid inside the cone with `directions` (4 or 8) edges (n + μ t)/√(1+μ²). With four edges
/// the friction available on the diagonal is 0.707 μ, with eight 0.924 μ. Dynamic: the single direction
/// (n − μ v/|v|)/√(1+μ²) against the slip. Where earlier solves of the frame slipped, only edges that do not
/// push along those slips are left, and n itself; n alone where friction is given up.
pub fn generators(touch: &ContactPoint, directions: usize) -> Generators {
    let mu = touch.friction;
    let mut generators = Generators { list: [Vector3::zeros(); MOST], count: 0 };
    let mut add = |tangent: Vector3<f64>| {
        if !touch.smooth && touch.may_push_along(&tangent) {
            generators.list[generators.count] = (touch.normal + tangent * mu) / (1.0 + mu * mu).sqrt();
            generators.count += 1;
        }
    };
    match touch.bearing {
        ContactMode::Off => return generators,
        ContactMode::Sliding => {
            let slip = if touch.slip == Vector3::zeros() { touch.tangential_velocity() } else { touch.slip };
            add(-slip / slip.norm().max(1e-12));
        }
        ContactMode::Sticking { .. } | ContactMode::Impact | ContactMode::Pinned => {
            let count = if mu == 0.0 { 1 } else { directions };
            edges(&touch.normal).into_iter().take(count).for_each(&mut add);
        }
    }
    if touch.smooth || touch.barred.iter().any(|slip| *slip != Vector3::zeros()) {
        generators.list[generators.count] = touch.normal;
        generators.count += 1;
    }
    generators
}
