//! Conversions of vectors and poses to and from the geometry library, parry.

use nalgebra::{UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose, Vector};

pub fn vector(v: &Vector3<f64>) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

pub fn back(v: Vector) -> Vector3<f64> {
    Vector3::new(v.x, v.y, v.z)
}

pub fn pose(position: &Vector3<f64>, orientation: &UnitQuaternion<f64>) -> Pose {
    let axis_angle = orientation.scaled_axis();
    Pose::new(vector(position), vector(&axis_angle))
}
