//! Rotations as three angles about z, x and y.

use super::CoordinateAxis;
use aplomb_math::elementary::{atan2, hypot};
use nalgebra::{Unit, UnitQuaternion};

/// Below this cosine of the middle angle the other two axes coincide (gimbal lock).
const LOCKED: f64 = 1e-9;

/// A rotation about an axis, in degrees.
pub fn turn(axis: CoordinateAxis, degrees: f64) -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&Unit::new_unchecked(axis.unit()), degrees.to_radians())
}

/// Angles a, b, c with R = R_z(a) R_x(b) R_y(c), degrees. Where they are not unique, c is 0.
pub fn angles(rotation: &UnitQuaternion<f64>) -> [f64; 3] {
    let r = rotation.to_rotation_matrix();
    let cosine = hypot(r[(0, 1)], r[(1, 1)]);
    let (a, c) = if cosine > LOCKED {
        (atan2(-r[(0, 1)], r[(1, 1)]), atan2(-r[(2, 0)], r[(2, 2)]))
    } else {
        (atan2(r[(1, 0)], r[(0, 0)]), 0.0)
    };
    [a, atan2(r[(2, 1)], cosine), c].map(f64::to_degrees)
}
