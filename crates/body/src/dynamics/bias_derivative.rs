//! Derivative of the bias force by velocity, for implicit integrators.

use super::kinematics::Kinematics;
use crate::model::{BodyId, JointKind, Model};
use aplomb_math::matrix::RowMatrix;
use aplomb_math::spatial::Motion;
use nalgebra::{Matrix3, Vector3};

/// ∂h/∂v, with the algorithm's memory.
///
/// The derivative of the Newton–Euler equation of body i by the velocity coordinate k on its path is `∂fᵢ/∂vₖ
/// = Iᵢ Dₖ + Bᵢ Sₖ` with `Bᵢ S = vᵢ ×* Iᵢ S + S ×* Iᵢ vᵢ − Iᵢ (vᵢ × S)`, which is independent of k, and `Dₖ =
/// (V + V') × Sₖ`, V and V' the velocities on the two sides of the joint, which is independent of i. Sums of
/// I and B over subtrees then give the matrix as composite inertias give M. B maps angular velocities only:
/// to the force 2 ω × p, with p the body's momentum, and to a moment.
#[derive(Clone, Debug)]
pub struct BiasDerivative {
    /// D per velocity coordinate.
    drift: Vec<Motion>,
    /// Moment part of B per subtree.
    moment: Vec<Matrix3<f64>>,
    /// Linear momentum per subtree.
    momentum: Vec<Vector3<f64>>,
}

impl BiasDerivative {
    /// Allocates for `model`.
    pub fn new(model: &Model) -> Self {
        let bodies = model.bodies.len();
        BiasDerivative {
            drift: vec![Motion::default(); model.nv],
            moment: vec![Matrix3::zeros(); bodies],
            momentum: vec![Vector3::zeros(); bodies],
        }
    }

    /// Writes ∂h/∂v at the configuration and velocity of `kinematics`: nv × nv, entry (j, k) = ∂hⱼ/∂vₖ. h is
    /// quadratic in v, so h(v + δ) = h(v) + ∂h/∂v δ up to h(δ) − h(0), which is quadratic in δ.
    pub fn bias_velocity_matrix(&mut self, model: &Model, kinematics: &Kinematics, out: &mut RowMatrix) {
        self.drifts(model, kinematics);
        self.subtree_sums(model, kinematics);
        out.reset(model.nv);
        for _ in 0..model.nv {
            out.push_zeros();
        }
        for (j, axis) in kinematics.subspace.iter().enumerate() {
            let body = model.dof_body[j].0;
            let inertia = &kinematics.subtree_inertia[body];
            let (moment, momentum) = (&self.moment[body], &self.momentum[body]);
            // Row j and column j against the coordinates between j and the world; both need the subtree of j.
            let weight = inertia * axis;
            let turning = moment.tr_mul(&axis.angular) + 2.0 * momentum.cross(&axis.linear);
            let mut pulled = inertia * &self.drift[j];
            pulled.moment += moment * axis.angular;
            pulled.force += 2.0 * axis.angular.cross(momentum);
            let mut next = Some(j);
            while let Some(k) = next {
                let other = &kinematics.subspace[k];
                out.row_mut(j)[k] = self.drift[k].dot(&weight) + turning.dot(&other.angular);
                out.row_mut(k)[j] = other.dot(&pulled);
                next = model.dof_parent[k];
            }
        }
    }

    fn drifts(&mut self, model: &Model, kinematics: &Kinematics) {
        for body in &model.bodies {
            let mut before = body.parent.map_or(Motion::default(), |parent| kinematics.velocity[parent.0]);
            for joint in &model.joints[body.joints.clone()] {
                let first = joint.v_index;
                let dofs = first..first + joint.kind.nv();
                let rates = &kinematics.rates;
                let after = dofs.clone().fold(before, |sum, j| sum + kinematics.subspace[j] * rates[j]);
                for j in dofs {
                    let axis = &kinematics.subspace[j];
                    self.drift[j] = match joint.kind {
                        // The linear axes are not fixed to a body; see `Kinematics::update_velocity`.
                        JointKind::Free if j < first + 3 => Motion::default(),
                        JointKind::Free => {
                            let linear = Vector3::from_column_slice(&rates[first..first + 3]);
                            after.cross(axis) + Motion::translation(linear.cross(&axis.angular))
                        }
                        _ => (before + after).cross(axis),
                    };
                }
                before = after;
            }
        }
    }

    fn subtree_sums(&mut self, model: &Model, kinematics: &Kinematics) {
        for (index, (inertia, velocity)) in kinematics.inertia.iter().zip(&kinematics.velocity).enumerate() {
            let turn = velocity.angular.cross_matrix();
            let rotational = &inertia.rotational;
            self.moment[index] = 2.0 * turn * rotational
                - turn * rotational.trace()
                - 2.0 * inertia.first_moment.cross_matrix() * velocity.linear.cross_matrix();
            self.momentum[index] = (inertia * velocity).force;
        }
        for (index, body) in model.bodies.iter().enumerate().rev() {
            if let Some(BodyId(parent)) = body.parent {
                let (moment, momentum) = (self.moment[index], self.momentum[index]);
                self.moment[parent] += moment;
                self.momentum[parent] += momentum;
            }
        }
    }
}
