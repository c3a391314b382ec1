//! The effect of an additional force on the accelerations, with the factors of forward dynamics reused
//! ([Kokkevis 2004] §4.3, ABM_AccelerationDeltas).

use super::{ForwardDynamics, Kinematics};
use crate::model::{BodyId, Model};
use aplomb_math::spatial::{Force, Motion};

/// The paper's two passes. The inward one runs only along the path from the body to the world; it computes
/// the change δu of each joint's residual. The outward one turns residuals into the change of q̈ and of every
/// body's acceleration.
///
/// With M = Lᵀ D L the inward pass is δu = L⁻ᵀ Jᵀ f, so that `JᵢM⁻¹Jⱼᵀ = δuᵢᵀ D⁻¹ δuⱼ`: an entry of K needs
/// the inward pass of its two forces only, and only the common part of their paths
/// ([`ForwardDynamics::inverse_pivots`] is D⁻¹).
#[doc(alias = "Delassus")]
#[derive(Clone, Debug)]
pub struct AccelerationDeltas {
    /// Change of each body's acceleration, at its own origin; world axes.
    acceleration: Vec<Motion>,
}

impl AccelerationDeltas {
    /// Allocates for `model`.
    pub fn new(model: &Model) -> Self {
        AccelerationDeltas { acceleration: vec![Motion::default(); model.bodies.len()] }
    }

    /// The outward pass: adds to `acceleration` (nv numbers) the effect of the residuals `delta_u` (nv
    /// numbers).
    pub fn outward(
        &mut self,
        model: &Model,
        factors: &ForwardDynamics,
        delta_u: &[f64],
        acceleration: &mut [f64],
    ) {
        debug_assert!(delta_u.len() == model.nv && acceleration.len() == model.nv);
        for (index, body) in model.bodies.iter().enumerate() {
            let mut change = match body.parent {
                Some(parent) => self.acceleration[parent.0].about(&factors.offset[index]),
                None => Motion::default(),
            };
            for j in body.dofs.clone() {
                let rate = factors.inverse_pivot[j] * (delta_u[j] - change.dot(&factors.column[j]));
                acceleration[j] += rate;
                change += factors.axis[j] * rate;
            }
            self.acceleration[index] = change;
        }
    }

    /// Change of a body's acceleration, at its own origin, in the last [`AccelerationDeltas::outward`].
    pub fn acceleration(&self, body: BodyId) -> &Motion {
        &self.acceleration[body.0]
    }
}

impl ForwardDynamics {
    /// D⁻¹ of M = Lᵀ D L, one number for each velocity coordinate.
    pub fn inverse_pivots(&self) -> &[f64] {
        &self.inverse_pivot
    }

    /// The inward pass for a force on `body` (moment about the world origin): δu of the coordinates on the
    /// path from the world to it, in that order. `path` has as many numbers as the path has coordinates.
    pub fn push_body(
        &self,
        model: &Model,
        kinematics: &Kinematics,
        body: BodyId,
        force: &Force,
        path: &mut [f64],
    ) {
        let resistance = force.about(&kinematics.position[body.0]) * -1.0;
        self.inward(model, body, resistance, |_| 0.0, path);
    }

    /// The inward pass for joint forces only: `torque` of each coordinate of `body`, N m or N. `path` ends
    /// with the body's last coordinate.
    pub fn push_joints(&self, model: &Model, body: BodyId, torque: impl Fn(usize) -> f64, path: &mut [f64]) {
        self.inward(model, body, Force::default(), torque, path);
    }

    fn inward(
        &self,
        model: &Model,
        body: BodyId,
        mut resistance: Force,
        torque: impl Fn(usize) -> f64,
        path: &mut [f64],
    ) {
        let (mut at, mut index) = (path.len(), body.0);
        loop {
            let body_here = &model.bodies[index];
            for j in body_here.dofs.clone().rev() {
                let own = if index == body.0 { torque(j) } else { 0.0 };
                let delta = own - self.axis[j].dot(&resistance);
                resistance += self.column[j] * (self.inverse_pivot[j] * delta);
                at -= 1;
                path[at] = delta;
            }
            let Some(parent) = body_here.parent else { break };
            resistance = Force::at_point(&self.offset[index], resistance.force, resistance.moment);
            index = parent.0;
        }
        debug_assert_eq!(at, 0, "the path has another length");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::random_tree::{Sample, tree};
    use proptest::prelude::*;

    /// Velocity coordinates from the world to `last`, in that order.
    fn path(model: &Model, last: Option<usize>) -> Vec<usize> {
        let mut list: Vec<usize> = std::iter::successors(last, |j| model.dof_parent[*j]).collect();
        list.reverse();
        list
    }

    proptest! {
        #[test]
        fn two_loops_change_the_accelerations_as_a_second_forward_dynamics_would(
            (model, Sample { q, v, tau, gravity, external, .. }) in tree(),
            which in any::<prop::sample::Index>(),
        ) {
            let body = BodyId(which.index(model.bodies.len()));
            let mut kinematics = Kinematics::new(&model);
            kinematics.update(&model, &q, &v);
            let mut factors = ForwardDynamics::new(&model);
            let (mut before, mut after) = (vec![0.0; model.nv], vec![0.0; model.nv]);
            let mut pushed = vec![Force::default(); model.bodies.len()];
            factors.forward_dynamics(&model, &kinematics, &tau, &gravity, &pushed, &mut before);
            pushed[body.0] = external[body.0];

            let coordinates = path(&model, model.bodies[body.0].last_dof);
            let mut delta = vec![0.0; coordinates.len()];
            factors.push_body(&model, &kinematics, body, &external[body.0], &mut delta);
            let mut residual = vec![0.0; model.nv];
            for (j, value) in coordinates.iter().zip(&delta) {
                residual[*j] = *value;
            }
            let mut deltas = AccelerationDeltas::new(&model);
            deltas.outward(&model, &factors, &residual, &mut before);

            factors.forward_dynamics(&model, &kinematics, &tau, &gravity, &pushed, &mut after);
            let size = after.iter().fold(1.0f64, |largest, a| largest.max(a.abs()));
            for (a, b) in before.iter().zip(&after) {
                prop_assert!((a - b).abs() < 1e-10 * size, "{a} {b}");
            }
        }

        #[test]
        fn a_torque_works_like_a_joint_force(
            (model, Sample { q, v, tau, gravity, .. }) in tree(),
            which in any::<prop::sample::Index>(),
        ) {
            prop_assume!(model.nv > 0);
            let coordinate = which.index(model.nv);
            let body = model.dof_body[coordinate];
            let mut kinematics = Kinematics::new(&model);
            kinematics.update(&model, &q, &v);
            let mut factors = ForwardDynamics::new(&model);
            let (mut before, mut after) = (vec![0.0; model.nv], vec![0.0; model.nv]);
            factors.forward_dynamics(&model, &kinematics, &tau, &gravity, &[], &mut before);
            let coordinates = path(&model, model.bodies[body.0].last_dof);
            let mut delta = vec![0.0; coordinates.len()];
            factors.push_joints(&model, body, |j| if j == coordinate { 7.0 } else { 0.0 }, &mut delta);
            let mut residual = vec![0.0; model.nv];
            for (j, value) in coordinates.iter().zip(&delta) {
                residual[*j] = *value;
            }
            AccelerationDeltas::new(&model).outward(&model, &factors, &residual, &mut before);
            let mut torqued = tau.clone();
            torqued[coordinate] += 7.0;
            factors.forward_dynamics(&model, &kinematics, &torqued, &gravity, &[], &mut after);
            let size = after.iter().fold(1.0f64, |largest, a| largest.max(a.abs()));
            for (a, b) in before.iter().zip(&after) {
                prop_assert!((a - b).abs() < 1e-10 * size, "{a} {b}");
            }
        }
    }
}
