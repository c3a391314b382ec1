//! The QP kernel: a dense dual active-set method for strictly convex problems, with a warm start
//! ([Goldfarb & Idnani 1983]; the initial active set is that of the last problem).
//!
//! minimise ½ xᵀ P x + gᵀ x  subject to  E x = e,  l ≤ C x ≤ u,  lower ≤ x ≤ upper.
//!
//! 1. *Start.* Bounds active in the last solution are fixed, which shrinks the problem; equalities, and
//!    then rows active in the last solution, become members of the active set ([`working_set`],
//!    [`warm_start`]).
//! 2. *Repair.* The optimum on that face is computed; limits whose multipliers have the wrong sign are removed, until
//!    there are none. From here on the iterate is dual feasible.
//! 3. *Iterate.* The most violated limit is pushed until it holds; limits whose multipliers reach zero on the
//!    way leave ([`dual`]). The dual objective grows with each limit that is added, so that no active set
//!    repeats.
//! 4. *Check.* Residuals of the optimality conditions are computed from the problem data; where rounding
//!    shows, one more Newton step refines.
//!
//! A frame with the active set of the last one costs a factorisation, two triangular solves and a check.
//!
//! **Degenerate problems.** A row whose normal depends on active ones is never added: it already holds, or an
//! active one leaves in exchange, or the problem is infeasible, with the weights of the combination as the
//! certificate. Equal violations and equal step lengths are decided by rank: bounds before rows, each by
//! index. After half of the iterations allowed, the first violated limit is taken instead of the most
//! violated.
//!
//! **P only semidefinite.** If its factorisation fails, multiples of the squared equalities are added to the cost,
//! which change nothing where the equalities hold ([`stiffened`]). If P remains singular, the proximal point method
//! solves a sequence of strictly convex problems on the same factors ([`proximal`]); it reports a cost without lower
//! bound as unbounded.
//!
//! Inputs that are not finite lead to residuals that are not, so that the search for them runs only then.

mod cholesky_factor;
mod conflict;
mod dual;
mod iterate;
mod limit;
mod memory;
mod proximal;
mod start;
mod stiffened;
mod warm_start;
mod working_set;

use super::{QpError, QpSolution, QpSolver};
use crate::Qp;
use dual::DualFailure;
use limit::{ActiveConstraint, ActiveEnd, Normal};
use memory::Memory;
use start::{check_limits, sparsest_first};
use warm_start::WarmStart;

/// A multiplier is of the wrong sign beyond this share of 1 + the largest.
const WRONG_SIGN: f64 = 1e-11;
/// A relative residual of the optimality conditions above this leads to a refinement step.
const ACCURATE: f64 = 1e-11;
/// Largest relative residual with which a solution is accepted once refinement no longer improves it.
const ACCEPTED: f64 = 1e-7;
/// Largest iterations × (number of unknowns)² of a hasty solver.
const HASTY: u64 = 20_000_000;
/// Largest number of rounds of repair, iteration and refinement.
const MOST_ROUNDS: usize = 4;

/// The dual active-set solver; the module describes the method.
#[doc(alias = "Goldfarb-Idnani")]
#[doc(alias = "active set")]
#[derive(Clone, Debug, Default)]
pub struct ActiveSet {
    /// Number of unknowns of the last problem.
    size: Option<usize>,
    /// The thread's memory while a problem is solved; otherwise empty.
    memory: Memory,
    columns: WarmStart,
    rows: WarmStart,
    order: Vec<usize>,
    counts: Vec<usize>,
    start: Vec<ActiveConstraint>,
    most_iterations: Option<u32>,
    /// Largest number of iterations of the next problem.
    granted: Option<u32>,
    /// Largest iterations × (number of unknowns)².
    most_work: Option<u64>,
    /// Whether `granted` is less than the solver's own limit.
    is_bounded: bool,
    /// Proximal steps of the last problem, and its iterations.
    steps: u32,
    iterations: u32,
    /// Scratch memory of [`stiffened`].
    stiffened: Qp,
    /// Number of consecutive singular problems that the solver gave up because they converged too slowly.
    crept: u32,
}

impl ActiveSet {
    /// A solver that stops with an error after this many changes of the active set.
    pub fn with_iteration_limit(most_iterations: u32) -> Self {
        ActiveSet { most_iterations: Some(most_iterations), ..ActiveSet::default() }
    }

    /// A solver that stops early on problems that are large or converge slowly: for results that are only
    /// reported.
    pub(crate) fn hasty() -> Self {
        ActiveSet { crept: proximal::MOST_HALVINGS, most_work: Some(HASTY), ..ActiveSet::default() }
    }

    fn reserve(&mut self, qp: &Qp) {
        let (n, rows) = (qp.size(), qp.rows.rows());
        if self.size != Some(n) {
            self.size = Some(n);
            self.order.clear();
        }
        self.memory = Memory::take(n, rows);
        self.start.clear();
        self.start.reserve(qp.equality.rows() + rows);
        let usual = 200 + 10 * u32::try_from(n + rows).unwrap_or(u32::MAX / 20);
        let bound = self.most_iterations.unwrap_or(usual).min(self.granted.take().unwrap_or(u32::MAX));
        let square = (n * n).max(1) as u64;
        let of_work = self.most_work.map_or(u64::MAX, |work| work / square);
        self.memory.at.iteration_limit = bound.min(u32::try_from(of_work).unwrap_or(u32::MAX));
        self.is_bounded = self.memory.at.iteration_limit < self.most_iterations.unwrap_or(usual);
        self.memory.at.iterations = 0;
        self.steps = 0;
    }

    /// Solves to the optimum. Returns the residual of the optimality conditions there.
    fn run(&mut self, qp: &Qp) -> Result<f64, QpError> {
        check_limits(qp)?;
        self.reserve(qp);
        let same_columns = self.columns.recall(&qp.column_labels, &mut self.memory.at.columns);
        if !same_columns || self.order.is_empty() {
            sparsest_first(qp, &mut self.order, &mut self.counts);
        }
        self.rows.recall(&qp.row_labels, &mut self.memory.at.rows);
        self.memory.at.shift = 0.0;
        match self.solve_strictly_convex(qp) {
            Ok(error) if error <= ACCEPTED => Ok(error),
            // A pivot that is only rounding error can look positive, but then solves fail.
            Ok(_) | Err(DualFailure::Singular) => self.run_singular(qp),
            Err(failure) => Err(self.error(failure)),
        }
    }

    /// Solves a problem whose P has no Cholesky factor: with a P that equalities make definite, else by proximal
    /// steps.
    fn run_singular(&mut self, qp: &Qp) -> Result<f64, QpError> {
        let mut stiff = std::mem::take(&mut self.stiffened);
        let solved = stiffened::write(qp, &mut stiff).then(|| self.solve_strictly_convex(&stiff));
        self.stiffened = stiff;
        match solved {
            Some(Ok(error)) if error <= ACCEPTED => Ok(error),
            Some(Err(failure @ (DualFailure::Infeasible(_) | DualFailure::IterationLimit))) => {
                Err(self.error(failure))
            }
            _ => proximal::solve(self, qp),
        }
    }

    fn error(&self, failure: DualFailure) -> QpError {
        match failure {
            DualFailure::Infeasible(certificate) => QpError::Infeasible { certificate },
            DualFailure::IterationLimit => QpError::IterationLimit { iterations: self.memory.at.iterations },
            DualFailure::Singular => {
                QpError::Numerical { detail: "the Hessian is not positive semidefinite".into() }
            }
        }
    }

    /// Starts from the recalled active set, as far as it leaves the equalities independent.
    fn solve_strictly_convex(&mut self, qp: &Qp) -> Result<f64, DualFailure> {
        self.start(qp)?;
        self.memory.at.evaluate_residual(qp, &self.memory.face);
        self.descend(qp)
    }

    /// From the initial face and the residual on it to the optimum; see [`ActiveSet::run`] for the result.
    fn descend(&mut self, qp: &Qp) -> Result<f64, DualFailure> {
        self.newton(qp);
        let mut round = 0;
        loop {
            round += 1;
            while self.release_wrong_signs(qp)? {
                self.memory.at.evaluate_residual(qp, &self.memory.face);
                self.newton(qp);
            }
            self.memory.at.forget_implied();
            self.memory.at.evaluate_rows(qp);
            let before = self.memory.at.iterations;
            dual::iterate(qp, &mut self.memory.face, &mut self.memory.at)?;
            if self.memory.at.iterations != before {
                self.memory.at.evaluate_residual(qp, &self.memory.face);
            }
            let error = self.memory.at.error(qp, &self.memory.face);
            if round == MOST_ROUNDS || error <= ACCURATE {
                return Ok(error);
            }
            self.newton(qp);
        }
    }

    fn newton(&mut self, qp: &Qp) {
        self.memory.face.solve(qp, &self.memory.at.residual, &mut self.memory.at.x);
        self.memory.at.evaluate_residual(qp, &self.memory.face);
    }

    /// Removes members whose multipliers have the wrong sign; returns false if there are none.
    fn release_wrong_signs(&mut self, qp: &Qp) -> Result<bool, DualFailure> {
        let members = self.memory.face.members().iter().map(|member| member.multiplier);
        let largest = members.fold(0.0, |most: f64, multiplier| most.max(multiplier.abs()));
        let least = -WRONG_SIGN * (1.0 + largest);
        let mut changed = false;
        for k in (0..self.memory.face.members().len()).rev() {
            let member = self.memory.face.members()[k];
            if member.held.side.sign() * member.multiplier < least {
                self.memory.at.set_held(member.held, false);
                self.memory.face.release(k);
                changed = true;
            }
        }
        for k in (0..self.memory.at.fixed.len()).rev() {
            let fixed = self.memory.at.fixed[k];
            if fixed.side.sign() * self.memory.at.residual[fixed.column] < least {
                self.memory.at.release_fixed(qp, &mut self.memory.face, k)?;
                changed = true;
            }
        }
        Ok(changed)
    }

    fn write(&self, qp: &Qp, solution: &mut QpSolution) {
        solution.x.clone_from(&self.memory.at.x);
        for (list, length) in [
            (&mut solution.equality, qp.equality.rows()),
            (&mut solution.rows, qp.rows.rows()),
            (&mut solution.bounds, qp.size()),
        ] {
            list.clear();
            list.resize(length, 0.0);
        }
        let of_right_sign = |side: ActiveEnd, multiplier: f64| match side {
            ActiveEnd::Lower => multiplier.max(0.0),
            ActiveEnd::Upper => multiplier.min(0.0),
            ActiveEnd::Both => multiplier,
        };
        for member in self.memory.face.members() {
            let multiplier = of_right_sign(member.held.side, member.multiplier);
            match member.held.normal {
                Normal::Equality(k) => solution.equality[k] = multiplier,
                Normal::Row(k) => solution.rows[k] = multiplier,
                Normal::Column(j) => {
                    solution.bounds[j] = multiplier;
                    solution.x[j] = member.held.value(qp);
                }
            }
        }
        for fixed in &self.memory.at.fixed {
            solution.bounds[fixed.column] = of_right_sign(fixed.side, self.memory.at.residual[fixed.column]);
        }
        solution.iterations = self.memory.at.iterations;
    }
}

impl QpSolver for ActiveSet {
    fn name(&self) -> &'static str {
        "active_set"
    }

    fn solve(&mut self, qp: &Qp, solution: &mut QpSolution) -> Result<(), QpError> {
        let outcome = self.run(qp).and_then(|error| {
            let detail = || format!("optimality conditions hold to {error:.1e} only");
            if error <= ACCEPTED { Ok(()) } else { Err(QpError::Numerical { detail: detail() }) }
        });
        self.iterations = self.memory.at.iterations;
        self.memory.at.forget_implied();
        if outcome.is_ok() {
            self.columns.store(&qp.column_labels, &self.memory.at.columns);
            self.rows.store(&qp.row_labels, &self.memory.at.rows);
            self.write(qp, solution);
        }
        std::mem::take(&mut self.memory).give_back(outcome.is_ok());
        outcome.map_err(|error| {
            self.reset();
            qp.non_finite().map_or(error, |place| QpError::NonFinite { place })
        })
    }

    fn grant(&mut self, iterations: u32) {
        self.granted = Some(iterations);
    }

    fn spent(&self) -> u32 {
        self.iterations + self.steps
    }

    fn reset(&mut self) {
        self.columns.forget();
        self.rows.forget();
        self.size = None;
    }
}
