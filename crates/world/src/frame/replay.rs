//! The end of a frame by forward dynamics under the forces of the solution.

use aplomb_body::dynamics::{CouplingForces, ForwardDynamics, implicit_passive_forces};
use aplomb_body::model::Model;
use aplomb_control::predict::ExternalForce;
use aplomb_control::snapshot::Snapshot;
use aplomb_math::spatial::Force;
use nalgebra::Vector3;

/// Forward dynamics with its working memory.
pub(super) struct Replay {
    dynamics: ForwardDynamics,
    couplings: CouplingForces,
    torque: Vec<f64>,
    inertia: Vec<f64>,
    force: Vec<Force>,
    acceleration: Vec<f64>,
    next: Vec<f64>,
}

impl Replay {
    pub(super) fn new(model: &Model) -> Self {
        Replay {
            dynamics: ForwardDynamics::new(model),
            couplings: CouplingForces::new(model),
            torque: Vec::with_capacity(model.nv),
            inertia: vec![0.0; model.nv],
            force: vec![Force::default(); model.bodies.len()],
            acceleration: vec![0.0; model.nv],
            next: vec![0.0; model.nv],
        }
    }

    /// v⁺ = v + t q̈(q, v, τ, f). t is [`turning_time`](aplomb_body::model::scales::Scales::turning_time), τ are the
    /// torques of joints, their limits and dry friction plus those of springs and dampers over the frame, as in the
    /// frame's problem, and f the forces of contacts, grips, parts of the body on each other, and external forces.
    /// Mimic joints hold at the end of the frame.
    pub(super) fn advance(
        &mut self,
        model: &Model,
        snapshot: &Snapshot,
        torque: impl Iterator<Item = f64>,
        pushes: impl Iterator<Item = ExternalForce>,
    ) -> &[f64] {
        let (dt, time, steps) =
            (snapshot.scales.dt, snapshot.scales.turning_time(), snapshot.scales.turning_steps());
        self.torque.clear();
        self.torque.extend(torque);
        for (index, passive) in implicit_passive_forces(model, &snapshot.state, dt).enumerate() {
            self.torque[index] += passive.force;
            self.inertia[index] = steps * passive.inertia;
        }
        self.force.fill(Force::default());
        for touch in &snapshot.contacts.touches {
            let force = snapshot.last_force[touch.slot];
            self.force[touch.body.0] += Force::at_point(&touch.point, force, Vector3::zeros());
        }
        for grip in &snapshot.grips.list {
            self.force[grip.body.0] += Force::at_point(&grip.point, grip.last_force, Vector3::zeros());
        }
        for push in pushes {
            self.force[push.body.0] += Force::at_point(&push.point, push.force, push.torque);
        }
        let Replay { dynamics, couplings, torque, inertia, force, acceleration, next } = self;
        let Snapshot { kinematics, state, gravity, .. } = snapshot;
        dynamics.factor(model, kinematics, inertia);
        dynamics.accelerate(model, kinematics, torque, gravity, force, acceleration);
        couplings.hold(model, dynamics, [&state.q, &state.v], [dt, time], acceleration);
        for ((next, v), a) in next.iter_mut().zip(&state.v).zip(acceleration) {
            *next = v + time * *a;
        }
        next
    }
}

/// Largest absolute difference of two coordinates.
pub(super) fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |worst, (a, b)| worst.max((a - b).abs()))
}
