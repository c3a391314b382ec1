//! Torques of joints and their exact derivatives [Hernandez 2011, appendix A].
//!
//! The printed eq. 7 and 13, φ/(2 sin φ) (Rᵀ + 1), hold orthogonal to the axis only; along it they give φ/sin
//! φ instead of 1, because cancelling u × loses that direction. The general form is the inverse of the left
//! Jacobian of SO(3), g 1 + (1 − g) u uᵀ − ½ [φ u ×] with g = (φ/2) cot(φ/2).

use aplomb_math::elementary::atan2;
use aplomb_math::rotation::cross_matrix;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// Rotation vector φ u of a rotation R (rad, |φ| ≤ π), and its derivative d(φ u)/dδ as R becomes exp(δ) R.
/// For R = R_a R_bᵀ that is its derivative by rotations of a, and minus its transpose that by rotations of b,
/// in world axes.
#[inline(always)]
pub fn log_with_derivative(rotation: &UnitQuaternion<f64>) -> (Vector3<f64>, Matrix3<f64>) {
    let sign = if rotation.w < 0.0 { -1.0 } else { 1.0 };
    let (w, v) = (sign * rotation.w, sign * rotation.imag());
    let sine_squared = v.norm_squared();
    // (φ/2)/sin(φ/2), g, and (1 − g)/sin²(φ/2)
    let (ratio, g, outer) = if sine_squared < 1e-8 {
        (1.0 + sine_squared / 6.0, 1.0 - sine_squared / 3.0, 1.0 / 3.0)
    } else {
        let sine = sine_squared.sqrt();
        let ratio = atan2(sine, w) / sine;
        (ratio, ratio * w, (1.0 - ratio * w) / sine_squared)
    };
    let turn = 2.0 * ratio * v;
    let mut derivative = v * (outer * v).transpose() - cross_matrix(&(ratio * v));
    for k in 0..3 {
        derivative[(k, k)] += g;
    }
    (turn, derivative)
}

/// A torque on the child (N m, world axes; its opposite acts on the parent), and its derivatives by small
/// rotations of the child and of the parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RelativeTorque {
    /// Torque on the child, N m, world axes.
    pub(crate) value: Vector3<f64>,
    /// Derivative by a small rotation of the child, N m/rad.
    pub(crate) by_child: Matrix3<f64>,
    /// Derivative by a small rotation of the parent, N m/rad.
    pub(crate) by_parent: Matrix3<f64>,
}

impl RelativeTorque {
    /// −k φ u of a joint that is rotated by R = `rotation` relative to its parent.
    #[inline(always)]
    pub(crate) fn elastic(stiffness: f64, turn: &Vector3<f64>, derivative: &Matrix3<f64>) -> RelativeTorque {
        RelativeTorque {
            value: -stiffness * turn,
            by_child: -stiffness * derivative,
            by_parent: stiffness * derivative.transpose(),
        }
    }

    /// −k (φ − `most`) u: adds the limit of a spherical joint, where φ is beyond it.
    pub(crate) fn add_cone_stop(
        &mut self,
        stiffness: f64,
        most: f64,
        turn: &Vector3<f64>,
        derivative: &Matrix3<f64>,
    ) {
        let angle = turn.norm();
        if angle <= most {
            return;
        }
        let axis = turn / angle;
        let share = most / angle;
        // d((φ − most) u) = ((1 − share) 1 + share u uᵀ) d(φ u)
        let outward = Matrix3::identity() * (1.0 - share) + axis * axis.transpose() * share;
        self.value -= stiffness * (angle - most) * axis;
        self.by_child -= stiffness * outward * derivative;
        self.by_parent += stiffness * outward * derivative.transpose();
    }

    /// −k (α − bound) a: adds the limit of a hinge with `axis` a (unit, fixed to the parent, world axes),
    /// where α = a · φ u is out of its range.
    pub(crate) fn add_hinge_stop(
        &mut self,
        stiffness: f64,
        range: [f64; 2],
        axis: &Vector3<f64>,
        turn: &Vector3<f64>,
        derivative: &Matrix3<f64>,
    ) {
        let angle = axis.dot(turn);
        let beyond = angle - angle.clamp(range[0], range[1]);
        if beyond == 0.0 {
            return;
        }
        let across = axis * axis.transpose();
        self.value -= stiffness * beyond * axis;
        self.by_child -= stiffness * across * derivative;
        // The axis rotates with the parent: da = δ × a, and φ u × a vanishes.
        self.by_parent += stiffness * (across * derivative.transpose() + beyond * cross_matrix(axis));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Tolerance = fn(&mut RelativeTorque, &Vector3<f64>, &Vector3<f64>, &Matrix3<f64>);

    fn torque(child: &UnitQuaternion<f64>, parent: &UnitQuaternion<f64>, stop: Tolerance) -> RelativeTorque {
        let (turn, derivative) = log_with_derivative(&(child * parent.inverse()));
        let mut torque = RelativeTorque::elastic(7.0, &turn, &derivative);
        stop(&mut torque, &(parent * Vector3::y()), &turn, &derivative);
        torque
    }

    #[test]
    fn derivatives_of_torques_are_those_of_finite_differences() {
        let parent = UnitQuaternion::new(Vector3::new(0.4, -1.0, 0.2));
        let hinged = UnitQuaternion::new(0.9 * (parent * Vector3::y())) * parent;
        let skewed = UnitQuaternion::new(Vector3::new(1.1, 0.7, -0.4)) * parent;
        let none: Tolerance = |_, _, _, _| ();
        let cone: Tolerance = |torque, _, turn, derivative| torque.add_cone_stop(50.0, 0.3, turn, derivative);
        let hinge: Tolerance = |torque, axis, turn, derivative| {
            torque.add_hinge_stop(50.0, [-1.0, -0.2], axis, turn, derivative)
        };
        for (child, stop) in [(skewed, none), (skewed, cone), (hinged, hinge), (parent, none)] {
            let exact = torque(&child, &parent, stop);
            for k in 0..3 {
                let turned = |size: f64| {
                    let mut step = Vector3::zeros();
                    step[k] = size;
                    UnitQuaternion::new(step)
                };
                let [ahead, behind] =
                    [1e-6, -1e-6].map(|size| torque(&(turned(size) * child), &parent, stop).value);
                assert!(((ahead - behind) / 2e-6 - exact.by_child.column(k)).norm() < 1e-6);
                let [ahead, behind] =
                    [1e-6, -1e-6].map(|size| torque(&child, &(turned(size) * parent), stop).value);
                assert!(((ahead - behind) / 2e-6 - exact.by_parent.column(k)).norm() < 1e-6);
            }
        }
    }

    #[test]
    fn the_logarithm_is_that_of_the_rotation_room() {
        for phi in [Vector3::new(0.3, -0.9, 1.7), Vector3::new(1e-6, 0.0, 2e-6), Vector3::new(0.0, 3.1, 0.1)]
        {
            let (turn, derivative) = log_with_derivative(&UnitQuaternion::new(phi));
            assert!((turn - phi).norm() < 1e-14 * phi.norm().max(1.0), "{turn} {phi}");
            let expected = aplomb_math::rotation::inverse_left_jacobian(&phi);
            assert!((derivative - expected).norm() < 1e-9);
        }
    }
}
