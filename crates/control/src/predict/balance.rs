//! Momentum balances of a body whose root is one free joint. They replace the equations of motion of the
//! root.
//!
//! ```text
//! P⁺ = P⁻ + t (m g + Σ f)
//! L⁺ = L⁻ + t Σ ((p − c) × f + n)
//! ```
//!
//! with the momenta of [`HalfStep`] from q⁻ to q and from q to q⁺, and all forces at q; t is the time between the
//! midpoints of these steps, which is their length h if they are equal. They agree to second order in h with the
//! equations of motion at the extrapolated velocity, which the first solve of a frame uses. After each solve,
//! [`Linearisation::close_root`] makes the balances hold. From then on the rows are linearised about the expected
//! velocity v* of the frame, at which the last solve was closed: they keep their coefficients, and row i has the
//! value Sᵢ · ((L⁺ − L⁻)/t, (P⁺ − P⁻)/t − m g) there, minus the generalised forces (the chord form of Newton's
//! method).

use super::Linearisation;
use crate::snapshot::Snapshot;
use aplomb_body::dynamics::half_step::floats_as_one;
use aplomb_body::dynamics::{Kinematics, MomentumClosure};
use aplomb_body::model::Model;
use aplomb_body::model::state::State;
use aplomb_math::kernel::dot;
use aplomb_math::spatial::Force;
use nalgebra::{Matrix6, Vector3, Vector6};

/// Number of root coordinates, in which the balances are written.
pub(super) const ROOT: usize = 6;

/// The momenta of a frame, with their working memory.
#[derive(Clone, Debug)]
pub(super) struct MomentumBalance {
    /// Whether momentum balances are possible: the root of the model is one free joint.
    is_possible: bool,
    /// Whether they replace the equations of motion of the root in this frame.
    pub is_on: bool,
    /// h L⁻, kg m², and h P⁻, kg m.
    before: Force,
    /// h L⁺ and h P⁺ under the forces of the last solve.
    after: Force,
    /// h L and h P at the end of the last frame.
    end: Force,
    /// Length of that frame, s.
    end_dt: f64,
    end_q: Vec<f64>,
    end_v: Vec<f64>,
    /// h L⁺ and h P⁺ at the expected velocity of the frame; `None` before the first solve.
    expected: Option<Force>,
    closure: MomentumClosure,
    /// Terms of the root's rows other than the balances and the unknown forces: − Q_ext and joint damping.
    load: [f64; ROOT],
}

impl MomentumBalance {
    pub(super) fn new(model: &Model) -> Self {
        MomentumBalance {
            is_possible: floats_as_one(model),
            is_on: false,
            before: Force::default(),
            after: Force::default(),
            end: Force::default(),
            end_dt: 0.0,
            end_q: Vec::with_capacity(model.nq),
            end_v: Vec::with_capacity(model.nv),
            closure: MomentumClosure::new(model),
            expected: None,
            load: [0.0; ROOT],
        }
    }

    /// Sets whether the frame uses momentum balances, if they are requested (`asked`); if the frame is laid out
    /// `afresh`, also its initial momenta. These are the momenta at the end of the previous frame, unless the state
    /// was changed since.
    pub(super) fn begin(&mut self, model: &Model, snapshot: &Snapshot, asked: bool, afresh: bool) {
        self.is_on = asked && self.is_possible;
        if !self.is_on || afresh {
            self.expected = None;
        }
        if !(self.is_on && afresh) {
            return;
        }
        let Snapshot { state, scales, kinematics, .. } = snapshot;
        if self.end_q == state.q && self.end_v == state.v {
            // h L and h P contain the length of their own frame.
            self.before =
                if self.end_dt == scales.dt { self.end } else { self.end * (scales.dt / self.end_dt) };
        } else {
            let before = self.closure.initial(model, kinematics, state, scales.before * scales.dt);
            self.before = if scales.before == 1.0 { before } else { before * (1.0 / scales.before) };
        }
        self.closure.begin(model, kinematics);
    }

    /// Stores the constants of the equations of motion while they consist of the inertial terms only.
    pub(super) fn inertia_written(&mut self, constants: &[f64]) {
        self.load.iter_mut().zip(constants).for_each(|(load, constant)| *load = -constant);
    }

    /// Adds the constants after − Q_ext and damping have been added.
    pub(super) fn loads_written(&mut self, constants: &[f64]) {
        self.load.iter_mut().zip(constants).for_each(|(load, constant)| *load += constant);
    }

    /// Makes the last solve the point of linearisation, from the next layout on.
    pub(super) fn expect(&mut self) {
        self.expected = self.is_on.then_some(self.after);
    }
}

impl Linearisation {
    /// Changes the root's rows from the equations of motion to the momentum balances, linearised at the
    /// expected velocity; `load` holds − Q_ext and damping.
    pub(super) fn balance_momentum(&mut self, now: &Snapshot) {
        let Linearisation { momentum, expected_velocity: expected, .. } = self;
        let Some(impulse) = momentum.expected else { return };
        let mut rate = (impulse - momentum.before) * (1.0 / (now.scales.dt * now.scales.turning_time()));
        rate.force -= now.gravity * now.scales.mass;
        for i in 0..ROOT {
            let axis = now.kinematics.subspace[i].about(&now.com);
            let inertial = dot(&self.lagrangian.row(i)[..expected.len()], expected);
            self.lagrangian_constant[i] = momentum.load[i] + axis.dot(&rate) - inertial;
        }
    }

    /// Makes the root's rows hold at `x` to round-off, independently of solver and linearisation, by changing only
    /// the root's part of v⁺: it rotates the body about its centre of mass until it has the angular momentum that the
    /// forces give it, and translates it until it has the linear momentum. Returns the largest change of a root
    /// coordinate's velocity, m/s or rad/s.
    pub(crate) fn close_root(&mut self, model: &Model, now: &Snapshot, x: &mut [f64]) -> f64 {
        if !model.is_floating() {
            return 0.0;
        }
        let root = if self.momentum.is_on {
            self.momentum.after = self.momentum_after(model, now, x);
            let MomentumBalance { closure, after, .. } = &mut self.momentum;
            let (poses, dt) = (&now.kinematics, now.scales.dt);
            let reached = closure.reached(model, poses, &now.state.q, &x[..model.nv], dt);
            Some(closure.close(model, poses, &now.com, dt, [&reached, after]))
        } else {
            self.solve_root_rows(x)
        };
        let Some(root) = root else { return 0.0 };
        let change = (root - Vector6::from_column_slice(&x[..ROOT])).amax();
        x[..ROOT].copy_from_slice(root.as_slice());
        change
    }

    /// h L⁺ about the centre of mass and h P⁺ at the end of the frame under the forces in the unknowns `x`: (h L⁻, h
    /// P⁻) + h t (Σ (p − c) × f + n, m g + Σ f), where t is the time from half step to half step.
    fn momentum_after(&self, model: &Model, now: &Snapshot, x: &[f64]) -> Force {
        let nv = model.nv;
        // Along the root's axes: world axes for the force, the root's own through its origin for the moment.
        let load = |i: usize| -self.momentum.load[i] - dot(&self.lagrangian.row(i)[nv..], &x[nv..]);
        let [force, moment] = [0, 3].map(|first| Vector3::from_fn(|k, _| load(first + k)));
        let root = model.dof_body[0].0;
        let (position, rotation) = (&now.kinematics.position[root], &now.kinematics.rotation[root]);
        let moment = rotation * moment + (position - now.com).cross(&force);
        let weight = now.gravity * now.scales.mass;
        let time = now.scales.dt * now.scales.turning_time();
        self.momentum.before + Force::new(moment, force + weight) * time
    }

    /// Solves L_root(x) = 0 for the root's part of v⁺, with all other unknowns fixed.
    fn solve_root_rows(&self, x: &[f64]) -> Option<Vector6<f64>> {
        let (mut block, mut rest) = (Matrix6::zeros(), Vector6::zeros());
        for i in 0..ROOT {
            let row = self.lagrangian.row(i);
            rest[i] = self.lagrangian_constant[i] + dot(&row[ROOT..], &x[ROOT..]);
            for j in 0..ROOT {
                block[(i, j)] = row[j];
            }
        }
        block.lu().solve(&-rest)
    }

    /// Stores the momenta of the frame of `dt` s, whose last solve led to the state `end`, as the initial ones of the
    /// next frame.
    pub fn keep_momentum(&mut self, end: &State, dt: f64) {
        if self.momentum.is_on {
            let MomentumBalance { after, end: kept, end_dt, end_q, end_v, .. } = &mut self.momentum;
            (*kept, *end_dt) = (*after, dt);
            end_q.clone_from(&end.q);
            end_v.clone_from(&end.v);
        }
    }

    /// The poses at the end of the last solve, if momentum balances closed it.
    pub fn closed_poses(&self) -> Option<&Kinematics> {
        self.momentum.is_on.then(|| self.momentum.closure.poses())
    }
}
