//! Whether the root moved as physics says: the equations of motion once more, from what a run recorded.
//!
//! A frame's QP holds M(q) (v⁺ − v)/dt + h(q, v_b) − Σ Jᵀ f = 0 in the six coordinates of a free root, which has no
//! joint torques ([Jain 2009] eq. 7). Here the same is computed by another way, recursive Newton–Euler over
//! q, v, v⁺ and
//! forces as recorded, so that a mistake in the QP's own matrices would show.

use crate::dynamics::{InverseDynamics, Kinematics};
use crate::math::spatial::Force;
use crate::model::Model;
use crate::model::scales::STANDARD_GRAVITY;
use crate::trace::{Frame, Header, Outcome};
use nalgebra::Vector3;
use serde::Serialize;

/// Force and torque that no contact, push or weight accounts for, as one number: √(‖f/(m g)‖² + ‖n/(m g h)‖²).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RootResidual {
    /// Over all frames that have a solution.
    pub rms: f64,
    /// Largest value in any frame, dimensionless.
    pub max: f64,
}

pub(super) struct RootCheck {
    model: Model,
    kinematics: Kinematics,
    dynamics: InverseDynamics,
    gravity: Vector3<f64>,
    dt: f64,
    /// m g, N, and m g h, N m.
    weight: f64,
    torque: f64,
    /// Whether the frame before waits for the velocity it led to.
    waiting: bool,
    q: Vec<f64>,
    /// v of that frame, of the one before, and the one that h is taken at.
    v: Vec<f64>,
    v_before: Vec<f64>,
    v_bias: Vec<f64>,
    bias: String,
    external: Vec<Force>,
    acceleration: Vec<f64>,
    residual: Vec<f64>,
    frames: u64,
    square_sum: f64,
    max: f64,
}

impl RootCheck {
    /// `None` for a body that is fixed to the world.
    pub fn new(model: &Model, header: &Header) -> Option<Self> {
        let weight = header.mass * STANDARD_GRAVITY;
        model.is_floating().then(|| RootCheck {
            kinematics: Kinematics::new(model),
            dynamics: InverseDynamics::new(model),
            gravity: Vector3::from(header.gravity),
            dt: header.dt,
            weight,
            torque: weight * header.com_height,
            waiting: false,
            q: Vec::new(),
            v: Vec::new(),
            v_before: Vec::new(),
            v_bias: Vec::new(),
            bias: String::new(),
            external: vec![Force::default(); model.bodies.len()],
            acceleration: vec![0.0; model.nv],
            residual: vec![0.0; model.nv],
            frames: 0,
            square_sum: 0.0,
            max: 0.0,
            model: model.clone(),
        })
    }

    /// Takes in a frame; the last record of a run, which has no forces, as well.
    pub fn add(&mut self, frame: &Frame) {
        if self.waiting {
            self.check(&frame.v);
        }
        self.waiting =
            frame.has_forces() && matches!(frame.outcome, Outcome::Solved | Outcome::Relaxed { .. });
        std::mem::swap(&mut self.v, &mut self.v_before);
        self.v.clone_from(&frame.v);
        if !self.waiting {
            return;
        }
        self.q.clone_from(&frame.q);
        self.bias.clone_from(&frame.bias_velocity);
        self.external.fill(Force::default());
        let contacts =
            frame.contacts.iter().map(|contact| (&contact.body, contact.point, contact.force, [0.0; 3]));
        let pushes = frame.external.iter().map(|push| (&push.body, push.point, push.force, push.torque));
        for (body, point, force, torque) in contacts.chain(pushes) {
            if let Some(body) = self.model.body(body) {
                self.external[body.0] +=
                    Force::at_point(&Vector3::from(point), Vector3::from(force), Vector3::from(torque));
            }
        }
    }

    /// Holds the waiting frame against the velocity v⁺ it led to.
    fn check(&mut self, next: &[f64]) {
        self.v_bias.clone_from(&self.v);
        match self.bias.as_str() {
            "extrapolated" => {
                let old = self.v_before.iter();
                self.v_bias.iter_mut().zip(old).for_each(|(v, old)| *v = 1.5 * *v - 0.5 * old);
            }
            "midpoint" => self.v_bias.iter_mut().zip(next).for_each(|(v, next)| *v = 0.5 * (*v + next)),
            _ => {}
        }
        for (acceleration, (next, now)) in self.acceleration.iter_mut().zip(next.iter().zip(&self.v)) {
            *acceleration = (next - now) / self.dt;
        }
        self.kinematics.update(&self.model, &self.q, &self.v_bias);
        self.dynamics.inverse_dynamics(
            &self.model,
            &self.kinematics,
            &self.acceleration,
            &self.gravity,
            &self.external,
            &mut self.residual,
        );
        let part = |rows: &[f64], unit: f64| rows.iter().map(|row| (row / unit).powi(2)).sum::<f64>();
        let square = part(&self.residual[..3], self.weight) + part(&self.residual[3..6], self.torque);
        self.frames += 1;
        self.square_sum += square;
        self.max = self.max.max(square.sqrt());
    }

    pub fn residual(&self) -> Option<RootResidual> {
        let rms = (self.square_sum / self.frames as f64).sqrt();
        (self.frames > 0).then_some(RootResidual { rms, max: self.max })
    }
}
