//! Inverse dynamics: the recursive Newton–Euler algorithm (Featherstone 2008, ch. 5).

use super::kinematics::Kinematics;
use crate::model::{BodyId, Model};
use aplomb_math::spatial::{Force, Motion};
use nalgebra::Vector3;

/// Joint forces for given accelerations, with the algorithm's memory.
#[doc(alias = "RNEA")]
#[derive(Clone, Debug)]
pub struct InverseDynamics {
    force: Vec<Force>,
    acceleration: Vec<Motion>,
}

impl InverseDynamics {
    /// Allocates for `model`.
    pub fn new(model: &Model) -> Self {
        let bodies = model.bodies.len();
        InverseDynamics {
            force: vec![Force::default(); bodies],
            acceleration: vec![Motion::default(); bodies],
        }
    }

    /// The bias force h of `M q̈ + h = τ` at the configuration and velocity of `kinematics`: Coriolis,
    /// centrifugal and gravity terms, N m or N, nv numbers. `gravity` in world axes, m/s².
    pub fn bias_force(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        gravity: &Vector3<f64>,
        out: &mut [f64],
    ) {
        for (index, force) in self.force.iter_mut().enumerate() {
            *force = kinematics.body_bias_force(BodyId(index), gravity);
        }
        self.project(model, kinematics, out);
    }

    /// `τ = M q̈ + h − Σ Jᵀ f` for the acceleration `qdd` (nv numbers). `external` has the force on each body
    /// (moment about the world origin), or is empty.
    pub fn inverse_dynamics(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        qdd: &[f64],
        gravity: &Vector3<f64>,
        external: &[Force],
        out: &mut [f64],
    ) {
        debug_assert!(qdd.len() == model.nv && (external.is_empty() || external.len() == model.bodies.len()));
        for (index, body) in model.bodies.iter().enumerate() {
            let parent = body.parent.map_or(Motion::default(), |parent| self.acceleration[parent.0]);
            // Contribution of q̈ to the acceleration.
            let own = body.dofs.clone().fold(parent, |sum, j| sum + kinematics.subspace[j] * qdd[j]);
            self.acceleration[index] = own;
            self.force[index] =
                kinematics.body_bias_force(BodyId(index), gravity) + &kinematics.inertia[index] * &own;
        }
        for (force, acting) in self.force.iter_mut().zip(external) {
            *force -= *acting;
        }
        self.project(model, kinematics, out);
        for ((tau, armature), acceleration) in out.iter_mut().zip(&model.armature).zip(qdd) {
            *tau += armature * acceleration;
        }
    }

    /// Each coordinate transmits the forces on its subtree.
    fn project(&mut self, model: &Model, kinematics: &Kinematics, out: &mut [f64]) {
        debug_assert_eq!(out.len(), model.nv);
        for (index, body) in model.bodies.iter().enumerate().rev() {
            let force = self.force[index];
            for j in body.dofs.clone() {
                out[j] = kinematics.subspace[j].dot(&force);
            }
            if let Some(parent) = body.parent {
                self.force[parent.0] += force;
            }
        }
    }
}
