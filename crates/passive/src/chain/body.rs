//! Bodies of a running chain.

use super::block::Six;
use super::joint::RigidPose;
use super::spec::BodySpec;
use nalgebra::{Matrix3, Vector3};

/// Constants of a body.
#[derive(Clone, Debug)]
pub(super) struct ChainBody {
    /// Mass, kg.
    pub mass: f64,
    /// Rotational inertia about the centre of mass in body axes, kg m².
    pub inertia: Matrix3<f64>,
    pub inverse_inertia: Matrix3<f64>,
    /// Air drag, N s/m.
    pub drag: f64,
    /// Index of its additional forces among the chain's, if it has any.
    pub extra: Option<usize>,
}

/// Velocity of the centre of mass (m/s) and angular velocity (rad/s), world axes.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct BodyVelocity {
    /// Velocity of the centre of mass, m/s.
    pub velocity: Vector3<f64>,
    /// Angular velocity, rad/s.
    pub spin: Vector3<f64>,
}

impl BodyVelocity {
    /// A motion from six numbers in the order of the chain solver.
    pub(crate) fn from_six(six: &Six) -> BodyVelocity {
        BodyVelocity {
            velocity: Vector3::new(six[0], six[1], six[2]),
            spin: Vector3::new(six[3], six[4], six[5]),
        }
    }
}

impl ChainBody {
    pub(super) fn new(spec: &BodySpec) -> Option<ChainBody> {
        Some(ChainBody {
            mass: spec.mass,
            inertia: spec.inertia,
            inverse_inertia: spec.inertia.try_inverse()?,
            drag: spec.drag,
            extra: None,
        })
    }

    /// Rotational inertia in world axes at a pose.
    #[inline(always)]
    pub(super) fn world_inertia(&self, pose: &RigidPose) -> Matrix3<f64> {
        let axes = *pose.orientation.to_rotation_matrix().matrix();
        axes * self.inertia * axes.transpose()
    }

    /// Applies a matrix in body axes to a world vector.
    #[inline(always)]
    pub(super) fn turn(
        &self,
        pose: &RigidPose,
        matrix: &Matrix3<f64>,
        vector: &Vector3<f64>,
    ) -> Vector3<f64> {
        let axes = *pose.orientation.to_rotation_matrix().matrix();
        axes * (matrix * axes.tr_mul(vector))
    }
}
