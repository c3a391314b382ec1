//! Conversions of vectors and poses to and from the geometry library, parry.

use nalgebra::{UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose, Rotation, Vector};

pub fn vector(v: &Vector3<f64>) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

pub fn back(v: Vector) -> Vector3<f64> {
    Vector3::new(v.x, v.y, v.z)
}

/// By its four numbers: a way by angles would ask the platform for sines, which differ between machines.
pub fn pose(position: &Vector3<f64>, orientation: &UnitQuaternion<f64>) -> Pose {
    let turn = orientation.quaternion();
    Pose::from_parts(vector(position), Rotation::from_xyzw(turn.i, turn.j, turn.k, turn.w))
}
