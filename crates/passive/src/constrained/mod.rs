//! Particles under constraints [Witkin 1997]: workless forces maintain conditions C(q) = 0; they follow from
//! one sparse linear system at each evaluation.
//!
//! Bodies whose points are given by fewer coordinates, q(u), can be included (section 5), and constraints can
//! hold their points (hybrid models, section 5.1). All elements can be added and removed during a run. World
//! axes, SI units.

pub mod body;
pub mod constraint;
mod curve;
mod files;
mod measure;
mod model;
mod solve;
mod sparse;
mod structure;
mod surface;
mod system;

pub use curve::{Curve, Wire, WireError};
pub use files::ConstrainedSpec;
pub use model::Spring;
pub use solve::{Limits, Solution};
pub use sparse::MOST_ROWS;
pub use structure::{ConstraintId, ParametricBodyId, ParticleId, Point, SpringId, Unknown};
pub use surface::ImplicitSurface;

use model::ConstrainedModel;
use nalgebra::Vector3;

/// Gains of the feedback against drift: C̈ = −k_s C − k_d Ċ.
#[doc(alias = "Baumgarte stabilisation")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BaumgarteGains {
    /// k_s, 1/s²
    pub stiffness: f64,
    /// k_d, 1/s
    pub damping: f64,
}

impl Default for BaumgarteGains {
    /// Critically damped, with drift removed within a third of a second. The paper leaves the values open.
    fn default() -> Self {
        BaumgarteGains { stiffness: 400.0, damping: 40.0 }
    }
}

/// Time integration scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Stepper {
    /// v' = v + Δt q̈, q' = q + Δt v'.
    #[default]
    SymplecticEuler,
    /// The classical method with four evaluations.
    RungeKutta4,
}

/// Why a step failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A degree of freedom of this body moves none of its mass.
    SingularBody {
        /// Index of the body, in the order of addition.
        body: usize,
    },
    /// The step diverged (NaN or infinite).
    NotFinite,
}

/// Particles, bodies, constraints and springs.
#[derive(Clone, Default)]
pub struct Constrained {
    model: ConstrainedModel,
    ids: structure::Ids,
    /// Time integration scheme.
    pub stepper: Stepper,
    time: f64,
    /// Three coordinates for each particle, then those of bodies.
    q: Vec<f64>,
    v: Vec<f64>,
    changed: bool,
    stages: [StepStage; 4],
    solution: Solution,
}

/// A state and its acceleration within a step.
#[derive(Clone, Default)]
struct StepStage {
    q: Vec<f64>,
    v: Vec<f64>,
    acceleration: Vec<f64>,
}

impl Constrained {
    /// A system without particles, bodies, constraints and springs.
    pub fn new() -> Constrained {
        let mut system = Constrained::default();
        system.model.gravity = Vector3::new(0.0, 0.0, -9.81);
        system
    }

    /// Gravity, m/s², for changes.
    pub fn gravity_mut(&mut self) -> &mut Vector3<f64> {
        &mut self.model.gravity
    }

    /// Gains of the feedback against drift, for changes.
    pub fn feedback_mut(&mut self) -> &mut BaumgarteGains {
        &mut self.model.feedback
    }

    /// Drag of every point, N s/m, for changes.
    pub fn drag_mut(&mut self) -> &mut f64 {
        &mut self.model.drag
    }

    /// Limits of the solver, for changes.
    pub fn limits_mut(&mut self) -> &mut Limits {
        &mut self.model.solver.limits
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Advances by `dt` seconds under gravity, springs and the forces applied since the last step. Returns
    /// the worst solution of its evaluations. A step that fails leaves the system unchanged, and discards
    /// those forces.
    ///
    /// # Errors
    ///
    /// If a body is singular, or the step diverged (NaN or infinite).
    pub fn step(&mut self, dt: f64) -> Result<Solution, Fault> {
        self.arrange();
        self.solution = Solution::default();
        let outcome = self.advance(dt);
        self.model.applied.fill(Vector3::zeros());
        outcome?;
        let [.., last] = &mut self.stages;
        if !last.q.iter().chain(&last.v).all(|value| value.is_finite()) {
            return Err(Fault::NotFinite);
        }
        std::mem::swap(&mut self.q, &mut last.q);
        std::mem::swap(&mut self.v, &mut last.v);
        self.time += dt;
        self.model.place(&self.q, &self.v)?;
        Ok(self.solution)
    }

    /// Computes the next state into the last stage.
    fn advance(&mut self, dt: f64) -> Result<(), Fault> {
        let (q, v) = (&self.q, &self.v);
        let [first, second, third, last] = &mut self.stages;
        let mut evaluate = |q: &[f64], v: &[f64], acceleration: &mut [f64]| {
            let solution = self.model.accelerate(q, v, acceleration)?;
            self.solution = worse(self.solution, solution);
            Ok::<(), Fault>(())
        };
        evaluate(q, v, &mut first.acceleration)?;
        match self.stepper {
            Stepper::SymplecticEuler => {
                along(&mut last.v, v, dt, &first.acceleration);
                let next = &last.v;
                along(&mut last.q, q, dt, next);
            }
            Stepper::RungeKutta4 => {
                let half = 0.5 * dt;
                first.v.copy_from_slice(v);
                along(&mut second.q, q, half, v);
                along(&mut second.v, v, half, &first.acceleration);
                evaluate(&second.q, &second.v, &mut second.acceleration)?;
                along(&mut third.q, q, half, &second.v);
                along(&mut third.v, v, half, &second.acceleration);
                evaluate(&third.q, &third.v, &mut third.acceleration)?;
                along(&mut last.q, q, dt, &third.v);
                along(&mut last.v, v, dt, &third.acceleration);
                evaluate(&last.q, &last.v, &mut last.acceleration)?;
                for k in 0..q.len() {
                    let (middle, bend) =
                        (second.v[k] + third.v[k], second.acceleration[k] + third.acceleration[k]);
                    last.q[k] = q[k] + dt / 6.0 * (first.v[k] + 2.0 * middle + last.v[k]);
                    last.v[k] = v[k] + dt / 6.0 * (first.acceleration[k] + 2.0 * bend + last.acceleration[k]);
                }
            }
        }
        Ok(())
    }

    /// Statistics of the last step's solver.
    pub(crate) fn solution(&self) -> Solution {
        self.solution
    }
}

/// to := from + dt · rate
fn along(to: &mut [f64], from: &[f64], dt: f64, rate: &[f64]) {
    to.iter_mut().zip(from).zip(rate).for_each(|((to, from), rate)| *to = from + dt * rate);
}

fn worse(a: Solution, b: Solution) -> Solution {
    let larger = if b.residual >= a.residual { b } else { a };
    Solution {
        iterations: a.iterations.max(b.iterations),
        contradictory: a.contradictory || b.contradictory,
        capped: a.capped || b.capped,
        ..larger
    }
}
