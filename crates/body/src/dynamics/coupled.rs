//! Forward dynamics of coupled joints: the reactions of couplings as Lagrange multipliers, on top of the
//! articulated-body algorithm.
//!
//! With G the rows v_F − r v_L of the couplings, G q̈ = b and M q̈ = f + Gᵀ κ give (G M⁻¹ Gᵀ) κ = b − G q̈₀,
//! where q̈₀ is the result of forward dynamics without them. M⁻¹ Gᵀ costs two passes for each coupling
//! ([Kokkevis 2004] §4.3).

use super::{AccelerationDeltas, ForwardDynamics};
use crate::model::Model;

/// Reactions of couplings, with the algorithm's memory.
#[derive(Clone, Debug)]
pub struct CouplingForces {
    deltas: AccelerationDeltas,
    /// M⁻¹ Gᵀ, one row of nv numbers for each coupling.
    responses: Vec<f64>,
    /// G M⁻¹ Gᵀ by rows; its Cholesky factor afterwards.
    matrix: Vec<f64>,
    /// b − G q̈₀, then κ.
    reaction: Vec<f64>,
    residual: Vec<f64>,
    path: Vec<f64>,
}

impl CouplingForces {
    /// Allocates for `model`.
    pub fn new(model: &Model) -> Self {
        let couplings = model.couplings.len();
        CouplingForces {
            deltas: AccelerationDeltas::new(model),
            responses: vec![0.0; couplings * model.nv],
            matrix: vec![0.0; couplings * couplings],
            reaction: vec![0.0; couplings],
            residual: vec![0.0; model.nv],
            path: Vec::with_capacity(model.nv),
        }
    }

    /// Adds the effect of couplings to `acceleration`, the result of forward dynamics with the present
    /// factors: followers return at the end of a step of `dt` seconds from `q` and `v` at the rate of a
    /// frame's problem ([`crate::model::Coupling::return_rate`]); the acceleration changes `v` for `time` seconds.
    pub fn hold(
        &mut self,
        model: &Model,
        factors: &ForwardDynamics,
        [q, v]: [&[f64]; 2],
        [dt, time]: [f64; 2],
        acceleration: &mut [f64],
    ) {
        let count = model.couplings.len();
        for (index, coupling) in model.couplings.iter().enumerate() {
            let wanted = (coupling.return_rate(model, q, dt) - coupling.of_rates(model, v)) / time;
            self.reaction[index] = wanted - coupling.of_rates(model, acceleration);
            let (follower, leader) = coupling.coordinates(model);
            self.residual.fill(0.0);
            self.push(model, factors, follower, 1.0);
            if let Some(leader) = leader {
                self.push(model, factors, leader, -coupling.ratio);
            }
            let response = &mut self.responses[index * model.nv..(index + 1) * model.nv];
            response.fill(0.0);
            self.deltas.outward(model, factors, &self.residual, response);
            for (column, other) in model.couplings.iter().enumerate() {
                self.matrix[index * count + column] = other.of_rates(model, response);
            }
        }
        if !solve(&mut self.matrix, &mut self.reaction) {
            return;
        }
        for (response, reaction) in self.responses.chunks_exact(model.nv.max(1)).zip(&self.reaction) {
            acceleration.iter_mut().zip(response).for_each(|(a, response)| *a += reaction * response);
        }
    }

    /// Adds the effect of a torque on a coordinate to the residuals.
    fn push(&mut self, model: &Model, factors: &ForwardDynamics, coordinate: usize, torque: f64) {
        let body = model.dof_body[coordinate];
        let last = model.bodies[body.0].last_dof;
        let coordinates = || std::iter::successors(last, |j| model.dof_parent[*j]);
        self.path.clear();
        self.path.resize(coordinates().count(), 0.0);
        factors.push_joints(model, body, |j| if j == coordinate { torque } else { 0.0 }, &mut self.path);
        coordinates().zip(self.path.iter().rev()).for_each(|(j, delta)| self.residual[j] += delta);
    }
}

/// Solves A x = b for a symmetric positive definite A by Cholesky factors, in place; false if A is not positive
/// definite.
fn solve(a: &mut [f64], b: &mut [f64]) -> bool {
    let n = b.len();
    for i in 0..n {
        for j in 0..=i {
            let below: f64 = (0..j).map(|k| a[i * n + k] * a[j * n + k]).sum();
            let rest = a[i * n + j] - below;
            a[i * n + j] = if i == j { rest.sqrt() } else { rest / a[j * n + j] };
        }
        if !(a[i * n + i] > 0.0 && a[i * n + i].is_finite()) {
            return false;
        }
        let known: f64 = (0..i).map(|k| a[i * n + k] * b[k]).sum();
        b[i] = (b[i] - known) / a[i * n + i];
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| a[k * n + i] * b[k]).sum();
        b[i] = (b[i] - known) / a[i * n + i];
    }
    true
}
