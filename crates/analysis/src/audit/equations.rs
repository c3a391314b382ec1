//! The equations of motion of every coordinate, by recursive Newton–Euler over the recorded motion: the
//! recorded forces accelerate the body as recorded.
//!
//! In frames with `momentum`, the check of that name covers the root's six rows.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use aplomb_body::dynamics::half_step::floats_as_one;
use aplomb_body::dynamics::{BiasVelocity, InverseDynamics, Kinematics, implicit_passive_forces};
use aplomb_body::model::state::State;
use aplomb_trace::Frame;
use aplomb_world::Advance;

struct Equations {
    root: Gauge,
    joints: Gauge,
    dynamics: InverseDynamics,
    kinematics: Kinematics,
    bias: Vec<f64>,
    acceleration: Vec<f64>,
    residual: Vec<f64>,
    /// Number of root coordinates that obey momentum balances.
    balanced: usize,
}

/// Largest unexplained force, in m g, and torque in m g h. Bias forces at a midpoint are computed by
/// iteration.
const ALLOWED: f64 = 1e-5;

pub(super) fn make(bench: &Bench<'_>) -> Box<dyn AuditCheck> {
    let model = &bench.model;
    Box::new(Equations {
        root: Gauge::new("force on the root that nothing accounts for", "m g, m g h", ALLOWED),
        joints: Gauge::new("joint torque that nothing accounts for", "m g, m g h", ALLOWED),
        dynamics: InverseDynamics::new(model),
        kinematics: Kinematics::new(model),
        bias: vec![0.0; model.nv],
        acceleration: vec![0.0; model.nv],
        residual: vec![0.0; model.nv],
        balanced: if floats_as_one(model) { 6 } else { 0 },
    })
}

/// Velocities at which the bias force of a frame may have been evaluated, according to the frame.
fn bias_velocities(passage: &Passage<'_>) -> &'static [BiasVelocity] {
    use BiasVelocity::{Backward, Extrapolated, Midpoint};
    let named = passage.now.bias_velocity.as_str();
    // Forward dynamics uses only the velocity of the frame.
    if passage.bench.advance == Advance::Simulated {
        return &[Backward];
    }
    match named {
        // Frames do not state whether the motion of their joints was smooth enough for an extrapolation.
        _ if named == BiasVelocity::Momentum.name() => &[Extrapolated, Midpoint, Backward],
        _ if named == Extrapolated.name() => &[Extrapolated],
        _ if named == Midpoint.name() => &[Midpoint],
        _ => &[Backward],
    }
}

impl Equations {
    /// Residual of the equations of motion in each coordinate with the bias force at this velocity, in m g or m g h.
    fn residual(&mut self, passage: &Passage<'_>, next: &Frame, bias: BiasVelocity) {
        let (bench, now) = (passage.bench, passage.now);
        let (model, dt) = (&bench.model, passage.dt);
        let before = passage.before.map_or(&now.v, |before| &before.v);
        let (time, steps) = (passage.turning_time(), passage.turning_steps());
        for (index, v) in self.bias.iter_mut().enumerate() {
            *v = match bias {
                BiasVelocity::Extrapolated => 1.5 * now.v[index] - 0.5 * before[index],
                BiasVelocity::Midpoint => 0.5 * (now.v[index] + next.v[index]),
                BiasVelocity::Backward | BiasVelocity::Momentum => now.v[index],
            };
            self.acceleration[index] = (next.v[index] - now.v[index]) / time;
        }
        self.kinematics.update(model, &now.q, &self.bias);
        let forces = passage.forces();
        self.dynamics.inverse_dynamics(
            model,
            &self.kinematics,
            &self.acceleration,
            &bench.gravity,
            &forces,
            &mut self.residual,
        );
        let state = State { q: now.q.clone(), v: now.v.clone(), time: now.time };
        let acting = [&now.torque, &now.stop_reaction, &now.coupling_reaction, &now.dry_friction];
        for (index, passive) in implicit_passive_forces(model, &state, dt).enumerate() {
            let passive = passive.force - steps * passive.inertia * self.acceleration[index];
            let acting: f64 = acting.iter().filter_map(|list| list.get(index)).sum();
            let unit = if bench.header.force_unit(index) == "N" { bench.weight } else { bench.torque };
            self.residual[index] = (self.residual[index] - acting - passive).abs() / unit;
        }
    }
}

impl AuditCheck for Equations {
    fn look(&mut self, passage: &Passage<'_>) {
        let Some(next) = passage.solved() else { return };
        let (bench, now) = (passage.bench, passage.now);
        let model = &bench.model;
        let is_balanced =
            now.bias_velocity == BiasVelocity::Momentum.name() && bench.advance == Advance::Predicted;
        let first = if is_balanced { self.balanced } else { 0 };
        let mut least: Option<Vec<f64>> = None;
        let worst = |residual: &[f64]| residual[first..].iter().fold(0.0, |worst: f64, x| worst.max(*x));
        for bias in bias_velocities(passage) {
            self.residual(passage, next, *bias);
            if least.as_ref().is_none_or(|least| worst(&self.residual) < worst(least)) {
                least = Some(self.residual.clone());
            }
        }
        for (index, missing) in least.unwrap_or_default().into_iter().enumerate().skip(first) {
            let gauge = if model.is_root(index) { &mut self.root } else { &mut self.joints };
            gauge.read(missing, now, || bench.coordinate(index));
        }
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.root, &self.joints]
    }
}
