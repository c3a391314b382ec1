//! Rotations as vectors: the logarithm of SO(3) and its exact derivative.

use crate::elementary::tan;
use nalgebra::{Matrix3, Rotation3, Vector3};

/// Rotation vector of R, rad, of length at most π.
pub fn log(rotation: &Matrix3<f64>) -> Vector3<f64> {
    let quaternion =
        nalgebra::UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*rotation));
    quaternion.scaled_axis()
}

/// Cross-product matrix of a vector.
pub fn cross_matrix(a: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}

/// d log(exp(δ) exp(φ))/dδ at δ = 0: how a rotation vector changes under a small turn in world axes. With
/// θ = |φ| and Φ the matrix of φ ×: J⁻¹ = 1 − ½ Φ + (1/θ² − (1 + cos θ)/(2 θ sin θ)) Φ².
pub fn inverse_left_jacobian(phi: &Vector3<f64>) -> Matrix3<f64> {
    let angle = phi.norm();
    let cross = cross_matrix(phi);
    let second = if angle < 1e-4 {
        1.0 / 12.0 + angle * angle / 720.0
    } else {
        let half = 0.5 * angle;
        (1.0 - half / tan(half)) / (angle * angle)
    };
    Matrix3::identity() - cross * 0.5 + cross * cross * second
}

/// Rotation matrix of roll, pitch, yaw (rad): Rz(yaw) Ry(pitch) Rx(roll).
pub fn from_roll_pitch_yaw(angles: &Vector3<f64>) -> Matrix3<f64> {
    *Rotation3::from_euler_angles(angles.x, angles.y, angles.z).matrix()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_left_jacobian_is_the_derivative_of_the_logarithm() {
        for phi in [Vector3::new(0.3, -0.9, 1.7), Vector3::new(1e-6, 0.0, 2e-6), Vector3::new(0.0, 3.0, 0.1)]
        {
            let rotation = *Rotation3::new(phi).matrix();
            let exact = inverse_left_jacobian(&phi);
            for k in 0..3 {
                let mut step = Vector3::zeros();
                step[k] = 1e-6;
                let ahead = log(&(Rotation3::new(step).matrix() * rotation));
                let behind = log(&(Rotation3::new(-step).matrix() * rotation));
                let difference = (ahead - behind) / 2e-6;
                assert!((difference - exact.column(k)).norm() < 1e-8, "{phi:?}");
            }
        }
    }
}
