//! Forward dynamics: the articulated-body algorithm (Featherstone 2008, ch. 7).

use super::kinematics::Kinematics;
use crate::model::{BodyId, Model};
use aplomb_math::spatial::{ArticulatedInertia, Force, Motion};
use nalgebra::Vector3;

/// Accelerations for given joint forces, with the algorithm's memory.
///
/// Coordinates are eliminated one by one, also those of joints with several: between two coordinates of one
/// body there is a massless body, and the force it transmits is equal on both its sides. Velocity products
/// need no propagation of their own: with the acceleration of body i written as the bias acceleration plus
/// the contribution of q̈, they are part of the force that body i would need at q̈ = 0.
///
/// This is the one algorithm that does not take moments about the world origin: near a singular arrangement
/// of axes it subtracts nearly equal numbers, which must not also contain m r² of a distant origin. The
/// quantities of each body are about its own origin, in world axes.
#[doc(alias = "ABA")]
#[derive(Clone, Debug)]
pub struct ForwardDynamics {
    inertia: Vec<ArticulatedInertia>,
    force: Vec<Force>,
    /// Contribution of q̈ to the acceleration of each body.
    acceleration: Vec<Motion>,
    /// Displacement of each body's origin from its parent's, m.
    pub(super) offset: Vec<Vector3<f64>>,
    /// Per coordinate: S, I S, 1 / (Sᵀ I S + armature) and τ − Sᵀ p (Featherstone's S, U, D⁻¹ and u).
    pub(super) axis: Vec<Motion>,
    pub(super) column: Vec<Force>,
    pub(super) inverse_pivot: Vec<f64>,
    residual: Vec<f64>,
}

impl ForwardDynamics {
    /// Allocates for `model`.
    pub fn new(model: &Model) -> Self {
        let (bodies, nv) = (model.bodies.len(), model.nv);
        ForwardDynamics {
            inertia: vec![ArticulatedInertia::default(); bodies],
            force: vec![Force::default(); bodies],
            acceleration: vec![Motion::default(); bodies],
            offset: vec![Vector3::zeros(); bodies],
            axis: vec![Motion::default(); nv],
            column: vec![Force::default(); nv],
            inverse_pivot: vec![0.0; nv],
            residual: vec![0.0; nv],
        }
    }

    /// `q̈ = M⁻¹ (τ − h + Σ Jᵀ f)` at the configuration and velocity of `kinematics`, nv numbers. `gravity`
    /// in world axes, m/s²; `external` has the force on each body (moment about the world origin), or is
    /// empty. Not finite where M is singular: a moving part without mass.
    pub fn forward_dynamics(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        tau: &[f64],
        gravity: &Vector3<f64>,
        external: &[Force],
        out: &mut [f64],
    ) {
        self.factor(model, kinematics, &[]);
        self.accelerate(model, kinematics, tau, gravity, external, out);
    }

    /// The part that depends on the configuration alone, from the leaves inwards: the articulated-body
    /// inertias. `added` is a diagonal that is added to M (nv numbers, like armature), or is empty.
    pub fn factor(&mut self, model: &Model, kinematics: &Kinematics, added: &[f64]) {
        debug_assert!(added.is_empty() || added.len() == model.nv);
        for (index, body) in model.bodies.iter().enumerate() {
            let origin = &kinematics.position[index];
            self.inertia[index] = ArticulatedInertia::from(&kinematics.inertia[index].about(origin));
            self.offset[index] = body.parent.map_or(*origin, |parent| origin - kinematics.position[parent.0]);
            for j in body.dofs.clone() {
                self.axis[j] = kinematics.subspace[j].about(origin);
            }
        }
        for (index, body) in model.bodies.iter().enumerate().rev() {
            let mut inertia = self.inertia[index];
            for j in body.dofs.clone().rev() {
                let axis = &self.axis[j];
                let column = inertia.apply(axis);
                let diagonal = model.armature[j] + added.get(j).copied().unwrap_or(0.0);
                let inverse_pivot = 1.0 / (axis.dot(&column) + diagonal);
                inertia.subtract_outer(&column, inverse_pivot);
                self.column[j] = column;
                self.inverse_pivot[j] = inverse_pivot;
            }
            if let Some(parent) = body.parent {
                self.inertia[parent.0] += inertia.about_point_at(&self.offset[index]);
            }
        }
    }

    /// [`ForwardDynamics::forward_dynamics`] with existing factors, at the configuration they were computed
    /// at.
    pub fn accelerate(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        tau: &[f64],
        gravity: &Vector3<f64>,
        external: &[Force],
        out: &mut [f64],
    ) {
        debug_assert!(tau.len() == model.nv && out.len() == model.nv);
        debug_assert!(external.is_empty() || external.len() == model.bodies.len());
        for index in 0..model.bodies.len() {
            let mut force = kinematics.body_bias_force(BodyId(index), gravity);
            if let Some(acting) = external.get(index) {
                force -= *acting;
            }
            self.force[index] = force.about(&kinematics.position[index]);
        }
        self.resist(model, tau);
        self.substitute(model, out);
    }

    /// Contribution of q̈ to the acceleration of a body, with the linear acceleration of its origin, as last
    /// computed.
    pub fn acceleration(&self, body: BodyId) -> &Motion {
        &self.acceleration[body.0]
    }

    /// The inward pass: the residual force of each joint.
    fn resist(&mut self, model: &Model, tau: &[f64]) {
        for (index, body) in model.bodies.iter().enumerate().rev() {
            let mut force = self.force[index];
            for j in body.dofs.clone().rev() {
                let residual = tau[j] - self.axis[j].dot(&force);
                force += self.column[j] * (self.inverse_pivot[j] * residual);
                self.residual[j] = residual;
            }
            if let Some(parent) = body.parent {
                self.force[parent.0] += Force::at_point(&self.offset[index], force.force, force.moment);
            }
        }
    }

    /// The outward pass: the accelerations.
    fn substitute(&mut self, model: &Model, out: &mut [f64]) {
        for (index, body) in model.bodies.iter().enumerate() {
            let mut acceleration = match body.parent {
                Some(parent) => self.acceleration[parent.0].about(&self.offset[index]),
                None => Motion::default(),
            };
            for j in body.dofs.clone() {
                out[j] = self.inverse_pivot[j] * (self.residual[j] - acceleration.dot(&self.column[j]));
                acceleration += self.axis[j] * out[j];
            }
            self.acceleration[index] = acceleration;
        }
    }
}
