//! Whether the root moved according to physics: the equations of motion, evaluated again from the records of a run.
//!
//! A frame's QP enforces M(q) (v⁺ − v)/dt + h(q, v_b) − Σ Jᵀ f = 0 in the six coordinates of a free root,
//! which has no joint torques ([Jain 2009] eq. 7). Here the same residual is computed by another method,
//! would be detected. In addition, the momentum balances from half step to half step are computed from
//! would show. In addition, the momentum balances from half step to half step are computed from
//! configurations and forces alone; `bias_velocity = "momentum"` enforces these instead. The two are
//! different discretisations of one motion: where one vanishes, the other is of second order in dt.

use super::poses::Posed;
use aplomb_body::dynamics::{BiasVelocity, HalfStep, InverseDynamics, Kinematics, momentum};
use aplomb_body::model::Model;
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_math::spatial::Force;
use aplomb_trace::{Frame, Header, Outcome};
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

/// Unexplained force and torque as one number: √(‖f/(m g)‖² + ‖n/(m g h)‖²).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RootResidual {
    /// RMS over all frames with a solution.
    pub rms: f64,
    /// Largest value in any frame, dimensionless.
    pub max: f64,
}

/// Residuals of a floating root, by kind of equation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct RootResiduals {
    /// Residual of the equations with which frames were solved: momentum balances in frames with `momentum`,
    /// otherwise equations of motion.
    pub(crate) solved: Option<RootResidual>,
    /// Residual of the equations of motion in all frames, at the extrapolated velocity in frames with
    /// `momentum`.
    pub(crate) wrench: Option<RootResidual>,
    /// Residual of the momentum balances in all frames except the first.
    pub(crate) momentum: Option<RootResidual>,
}

/// Squares of residuals, summed frame by frame.
#[derive(Clone, Copy, Default)]
struct ResidualSquares {
    frames: u64,
    sum: f64,
    max: f64,
}

impl ResidualSquares {
    fn add(&mut self, square: f64) {
        self.frames += 1;
        self.sum += square;
        self.max = self.max.max(square.sqrt());
    }

    fn residual(&self) -> Option<RootResidual> {
        let rms = (self.sum / self.frames as f64).sqrt();
        (self.frames > 0).then_some(RootResidual { rms, max: self.max })
    }
}

pub(super) struct RootCheck {
    mass: f64,
    dynamics: InverseDynamics,
    gravity: Vector3<f64>,
    dt: f64,
    /// Weight m g, N.
    weight: f64,
    torque: f64,
    /// Whether the previous frame still needs its final velocity.
    waiting: bool,
    /// Whether that frame and the one before it were divided: their steps are shorter than frames.
    are_divided: [bool; 2],
    /// Velocity v of the waiting frame.
    v: Vec<f64>,
    v_before: Vec<f64>,
    v_bias: Vec<f64>,
    bias: String,
    external: Vec<Force>,
    acceleration: Vec<f64>,
    residual: Vec<f64>,
    half: HalfStep,
    /// h L and h P between the two previous records.
    impulse: Option<Force>,
    solved: ResidualSquares,
    wrench: ResidualSquares,
    momentum: ResidualSquares,
}

impl RootCheck {
    /// `None` for a body that is fixed to the world.
    pub(super) fn new(model: &Model, header: &Header) -> Option<Self> {
        let weight = header.mass * STANDARD_GRAVITY;
        model.is_floating().then(|| RootCheck {
            mass: model.mass(),
            dynamics: InverseDynamics::new(model),
            gravity: Vector3::from(header.gravity),
            dt: header.dt,
            weight,
            torque: weight * header.com_height,
            waiting: false,
            are_divided: [false; 2],
            v: Vec::new(),
            v_before: Vec::new(),
            v_bias: Vec::new(),
            bias: String::new(),
            external: vec![Force::default(); model.bodies.len()],
            acceleration: vec![0.0; model.nv],
            residual: vec![0.0; model.nv],
            half: HalfStep::new(model),
            impulse: None,
            solved: ResidualSquares::default(),
            wrench: ResidualSquares::default(),
            momentum: ResidualSquares::default(),
        })
    }

    /// Adds a frame, including the last record of a run, which has no forces.
    pub(super) fn add(&mut self, frame: &Frame, Posed { model, now, before: poses }: Posed<'_>) {
        let before = self.impulse.take();
        if let Some(poses) = &poses {
            self.half.begin(model, poses);
            self.impulse = Some(self.half.end(model, poses, now));
        }
        let is_whole = !self.are_divided.contains(&true);
        self.are_divided = [frame.is_divided(), self.are_divided[0]];
        if let Some(poses) = poses.filter(|_| self.waiting && is_whole) {
            let wrench = self.wrench(model, poses, &frame.v);
            self.wrench.add(wrench);
            let com = momentum::com(poses);
            let momentum = before.zip(self.impulse).map(|(before, after)| self.missing(after - before, &com));
            momentum.iter().for_each(|momentum| self.momentum.add(*momentum));
            let is_balanced = self.bias == BiasVelocity::Momentum.name();
            if let Some(square) = if is_balanced { momentum } else { Some(wrench) } {
                self.solved.add(square);
            }
        }
        self.waiting =
            frame.has_forces() && matches!(frame.outcome, Outcome::Solved | Outcome::Relaxed { .. });
        std::mem::swap(&mut self.v, &mut self.v_before);
        self.v.clone_from(&frame.v);
        if !self.waiting {
            return;
        }
        self.bias.clone_from(&frame.bias_velocity);
        self.external.fill(Force::default());
        let contacts =
            frame.contacts.iter().map(|contact| (&contact.body, contact.point, contact.force, [0.0; 3]));
        let pushes = frame.external.iter().map(|push| (&push.body, push.point, push.force, push.torque));
        for (body, point, force, torque) in contacts.chain(pushes) {
            if let Some(body) = model.body(body) {
                self.external[body.0] +=
                    Force::at_point(&Vector3::from(point), Vector3::from(force), Vector3::from(torque));
            }
        }
    }

    /// Squared residual of the equations of motion of the waiting frame, at its `poses`, with its final
    /// velocity v⁺.
    fn wrench(&mut self, model: &Model, poses: &mut Kinematics, next: &[f64]) -> f64 {
        self.v_bias.clone_from(&self.v);
        match self.bias.as_str() {
            "extrapolated" | "momentum" => {
                let old = self.v_before.iter();
                self.v_bias.iter_mut().zip(old).for_each(|(v, old)| *v = 1.5 * *v - 0.5 * old);
            }
            "midpoint" => self.v_bias.iter_mut().zip(next).for_each(|(v, next)| *v = 0.5 * (*v + next)),
            _ => {}
        }
        for (acceleration, (next, now)) in self.acceleration.iter_mut().zip(next.iter().zip(&self.v)) {
            *acceleration = (next - now) / self.dt;
        }
        poses.update_inertias(model);
        poses.update_velocity(model, &self.v_bias);
        self.dynamics.inverse_dynamics(
            model,
            poses,
            &self.acceleration,
            &self.gravity,
            &self.external,
            &mut self.residual,
        );
        let rows = &self.residual;
        let [force, torque] = [0, 3].map(|first| Vector3::from_column_slice(&rows[first..first + 3]));
        self.square(&force, &torque)
    }

    /// Squared residual of the momentum balances of the waiting frame, with its centre of mass at `com` and the
    /// change `changed` of h L and h P.
    fn missing(&self, changed: Force, com: &Vector3<f64>) -> f64 {
        let acting = self.external.iter().copied().sum::<Force>().about(com);
        let rate = changed * (1.0 / (self.dt * self.dt));
        let force = rate.force - acting.force - self.gravity * self.mass;
        self.square(&force, &(rate.moment - acting.moment))
    }

    fn square(&self, force: &Vector3<f64>, torque: &Vector3<f64>) -> f64 {
        (force / self.weight).norm_squared() + (torque / self.torque).norm_squared()
    }

    pub(super) fn residuals(&self) -> RootResiduals {
        RootResiduals {
            solved: self.solved.residual(),
            wrench: self.wrench.residual(),
            momentum: self.momentum.residual(),
        }
    }
}
