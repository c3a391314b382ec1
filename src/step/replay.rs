//! The end of a frame by forward dynamics, from the forces that the frame's problem found.

use crate::dynamics::{ForwardDynamics, Kinematics};
use crate::model::{BodyId, Model};
use crate::spatial::Force;
use nalgebra::Vector3;

/// Forward dynamics with its memory.
pub struct Replay {
    dynamics: ForwardDynamics,
    torque: Vec<f64>,
    force: Vec<Force>,
    acceleration: Vec<f64>,
    next: Vec<f64>,
}

impl Replay {
    pub fn new(model: &Model) -> Self {
        Replay {
            dynamics: ForwardDynamics::new(model),
            torque: Vec::with_capacity(model.nv),
            force: vec![Force::default(); model.bodies.len()],
            acceleration: vec![0.0; model.nv],
            next: vec![0.0; model.nv],
        }
    }

    /// v⁺ = v + dt q̈(q, v, τ, f), with τ all that acts in the joints and f what acts on bodies (moments about the
    /// world origin).
    pub fn advance(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        gravity: &Vector3<f64>,
        torque: impl Iterator<Item = f64>,
        forces: impl Iterator<Item = (BodyId, Force)>,
        (v, dt): (&[f64], f64),
    ) -> &[f64] {
        self.torque.clear();
        self.torque.extend(torque);
        self.force.fill(Force::default());
        forces.for_each(|(body, force)| self.force[body.0] += force);
        let Replay { dynamics, torque, force, acceleration, next } = self;
        dynamics.forward_dynamics(model, kinematics, torque, gravity, force, acceleration);
        for ((next, v), a) in next.iter_mut().zip(v).zip(acceleration) {
            *next = v + dt * *a;
        }
        next
    }
}

/// Largest difference of a coordinate.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |worst, (a, b)| worst.max((a - b).abs()))
}
