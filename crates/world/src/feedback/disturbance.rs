//! Disturbance observer: unmodelled forces, estimated from the generalised momentum by a first-order observer
//! ([De Luca 2003]).

use aplomb_body::contact::MeasuredContact;
use aplomb_body::dynamics::{InverseDynamics, mass_matrix, passive_forces};
use aplomb_body::model::{BodyId, Model};
use aplomb_control::snapshot::Snapshot;
use aplomb_math::elementary::exp;
use aplomb_math::matrix::RowMatrix;
use nalgebra::Vector3;

/// The estimate, with its memory.
pub(super) struct Disturbance {
    /// Time constant, s.
    time: f64,
    force: Vec<f64>,
    mass: RowMatrix,
    dynamics: InverseDynamics,
    bias: Vec<f64>,
    jacobian: Vec<f64>,
}

impl Disturbance {
    pub(super) fn new(model: &Model, time: f64) -> Self {
        Disturbance {
            time,
            force: vec![0.0; model.nv],
            mass: RowMatrix::default(),
            dynamics: InverseDynamics::new(model),
            bias: vec![0.0; model.nv],
            jacobian: vec![0.0; 3 * model.nv],
        }
    }

    /// Estimated generalised force, N or N m, nv numbers.
    pub(super) fn force(&self) -> &[f64] {
        &self.force
    }

    /// Updates the estimate by a period, at whose end the body is in the state of the snapshot and at whose
    /// beginning it had the velocity `before`: M (v − v_before)/T + h − τ − Σ Jᵀ f, which is zero without a
    /// disturbance, is low-pass filtered with the time constant. f are the measured contact forces, or else
    /// those of the previous frame.
    pub(super) fn learn(
        &mut self,
        model: &Model,
        snapshot: &Snapshot,
        before: &[f64],
        torque: &[f64],
        stops: &[f64],
        measured: Option<&[MeasuredContact]>,
    ) {
        let Snapshot { kinematics, state, gravity, scales, .. } = snapshot;
        mass_matrix(model, kinematics, &mut self.mass);
        self.dynamics.bias_force(model, kinematics, gravity, &mut self.bias);
        for (bias, passive) in self.bias.iter_mut().zip(passive_forces(model, state)) {
            *bias -= passive;
        }
        let known = torque.iter().zip(stops.iter().copied().chain(std::iter::repeat(0.0)));
        for (bias, (torque, stop)) in self.bias.iter_mut().zip(known) {
            *bias -= torque + stop;
        }
        let all_known = measured.filter(|contacts| contacts.iter().all(|contact| contact.force.is_some()));
        match all_known {
            Some(contacts) => {
                for contact in contacts {
                    self.relieve(
                        model,
                        snapshot,
                        contact.body,
                        &contact.point,
                        &contact.force.unwrap_or_default(),
                    );
                }
            }
            None => {
                for touch in &snapshot.contacts.touches {
                    let force = snapshot.last_force[touch.slot];
                    self.relieve(model, snapshot, touch.body, &touch.point, &force);
                }
            }
        }
        let share = 1.0 - exp(-scales.period / self.time);
        for (row, force) in self.force.iter_mut().enumerate() {
            let change = self.mass.row(row).iter().zip(state.v.iter().zip(before));
            let inertial: f64 = change.map(|(mass, (v, before))| mass * (v - before)).sum();
            *force += share * (inertial / scales.period + self.bias[row] - *force);
        }
    }

    /// Subtracts a known force on a body, world, N.
    fn relieve(
        &mut self,
        model: &Model,
        snapshot: &Snapshot,
        body: BodyId,
        point: &Vector3<f64>,
        force: &Vector3<f64>,
    ) {
        if *force == Vector3::zeros() {
            return;
        }
        snapshot.kinematics.point_jacobian(model, body, point, &mut self.jacobian);
        for (k, part) in force.iter().enumerate() {
            let row = &self.jacobian[k * model.nv..(k + 1) * model.nv];
            self.bias.iter_mut().zip(row).for_each(|(bias, j)| *bias -= j * part);
        }
    }
}
