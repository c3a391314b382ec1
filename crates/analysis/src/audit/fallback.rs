//! Frames without a solution follow forward dynamics under the last torques, springs, dampers and pushes.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use aplomb_body::dynamics::{InverseDynamics, Kinematics, implicit_passive_forces};
use aplomb_body::model::Model;
use aplomb_body::model::state::State;
use aplomb_control::predict::SLOW;
use aplomb_trace::Outcome;
use aplomb_world::frame::FALLBACK_SPEED;

struct FallbackGauges {
    force: Gauge,
    dynamics: InverseDynamics,
    kinematics: Kinematics,
    clamped: u64,
    failed: u64,
}

pub(super) fn make(bench: &Bench<'_>) -> Box<dyn AuditCheck> {
    Box::new(FallbackGauges {
        force: Gauge::new("force or torque that nothing accounts for, in a failed frame", "m g, m g h", 1e-6),
        dynamics: InverseDynamics::new(&bench.model),
        kinematics: Kinematics::new(&bench.model),
        clamped: 0,
        failed: 0,
    })
}

/// Torques with those of springs, dampers and dry friction, and the inertia that these add, for each coordinate.
fn with_passive_forces(model: &Model, state: &State, torque: &[f64], dt: f64) -> (Vec<f64>, Vec<f64>) {
    let (mut torque, mut inertia) = (torque.to_vec(), vec![0.0; model.nv]);
    for (index, passive) in implicit_passive_forces(model, state, dt).enumerate() {
        torque[index] += passive.force;
        inertia[index] = passive.inertia;
    }
    for (coordinate, limit) in model.dry_friction() {
        let damping = limit / state.v[coordinate].abs().max(SLOW);
        torque[coordinate] -= damping * state.v[coordinate];
        inertia[coordinate] += dt * damping;
    }
    (torque, inertia)
}

impl AuditCheck for FallbackGauges {
    fn look(&mut self, passage: &Passage<'_>) {
        let (bench, now) = (passage.bench, passage.now);
        let (model, dt) = (&bench.model, passage.dt);
        let Some(next) = passage.next.filter(|_| matches!(now.outcome, Outcome::Failed { .. })) else {
            return;
        };
        self.failed += 1;
        if now.torque.len() != model.nv || next.v.iter().any(|rate| rate.abs() >= FALLBACK_SPEED) {
            self.clamped += 1;
            return;
        }
        let state = State { q: now.q.clone(), v: now.v.clone(), time: now.time };
        let (time, steps) = (passage.turning_time(), passage.turning_steps());
        let (torque, inertia) = with_passive_forces(model, &state, &now.torque, dt);
        let acceleration: Vec<f64> =
            next.v.iter().zip(&now.v).map(|(next, now)| (next - now) / time).collect();
        self.kinematics.update(model, &now.q, &now.v);
        let mut residual = vec![0.0; model.nv];
        let forces = passage.forces();
        self.dynamics.inverse_dynamics(
            model,
            &self.kinematics,
            &acceleration,
            &bench.gravity,
            &forces,
            &mut residual,
        );
        for (index, residual) in residual.iter_mut().enumerate() {
            *residual += steps * inertia[index] * acceleration[index] - torque[index];
        }
        // The forces of couplings are not recorded; they do no work, so that they cancel for leaders and
        // followers together.
        for coupling in &model.couplings {
            let (follower, leader) = coupling.coordinates(model);
            if let Some(leader) = leader {
                residual[leader] += coupling.ratio * residual[follower];
            }
            residual[follower] = 0.0;
        }
        for (index, residual) in residual.iter().enumerate() {
            let unit = if bench.header.force_unit(index) == "N" { bench.weight } else { bench.torque };
            self.force.read(residual.abs() / unit, now, || bench.coordinate(index));
        }
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.force]
    }

    fn unseen(&self) -> Vec<String> {
        let said = |clamped: u64| {
            let all = self.failed;
            format!(
                "forces of {clamped} of {all} failed frames: rates were held at {FALLBACK_SPEED} rad/s, or \
                 the motion diverged"
            )
        };
        (self.clamped > 0).then(|| said(self.clamped)).into_iter().collect()
    }
}
