//! The QP kernel: a dense dual active-set method for strictly convex problems that starts where the last frame
//! ended ([Goldfarb & Idnani 1983], with the working set of the last problem as its start).
//!
//! minimise ½ xᵀ P x + gᵀ x  subject to  E x = e,  l ≤ C x ≤ u,  lower ≤ x ≤ upper.
//!
//! 1. *Start.* Bounds held in the last solution are fixed, which shrinks the problem; equalities, and then rows
//!    held in the last solution, become members of the working set ([`face`], [`memory`]).
//! 2. *Repair.* The optimum on that face is found; limits that pull there instead of push are let go, until
//!    none does. From here on the iterate is dual feasible.
//! 3. *Iterate.* The most violated limit is pushed until it holds; multipliers that reach zero on the way leave
//!    ([`dual`]). The dual objective grows with each limit that joins, so no working set comes back.
//! 4. *Check.* Residuals of the optimality conditions are computed from the problem itself; where rounding
//!    shows, one more Newton step refines.
//!
//! A frame whose working set is the last one's costs a factorisation, two triangular solves and a check.
//!
//! **Degenerate problems.** A row whose normal is combined of held ones never joins: it either already holds,
//! or one of those leaves for it, or the problem is infeasible, with the weights of the combination as the
//! certificate. Equal violations and equal step lengths are decided by rank: bounds before rows, each by index.
//! After half of the iterations allowed, the first violated limit is taken instead of the most violated.
//!
//! **P only semidefinite.** Where its factorisation fails, the proximal point method solves a sequence of
//! strictly convex problems on the same factors ([`proximal`]); a cost without lower bound is said to be one.
//!
//! Numbers that are not finite end in residuals that are not, so that they are looked for only then.

mod dual;
mod face;
mod generic;
mod iterate;
mod kernel;
mod lanes;
mod limit;
mod memory;
mod order;
mod proximal;
mod triangle;

use super::{QpError, QpSolution, QpSolver};
use crate::qp::{Limit, Qp};
use dual::Failure;
use face::Face;
use iterate::Iterate;
use limit::{Ends, Held, Normal, Side, ends};
use memory::Memory;

/// A multiplier is of the wrong sign beyond this share of 1 + the largest.
const WRONG_SIGN: f64 = 1e-11;
/// Residuals of the optimality conditions above this, relative to their terms, are refined.
const ACCURATE: f64 = 1e-11;
/// Residuals with which a solution that refining no longer improves is accepted.
const ACCEPTED: f64 = 1e-7;
/// Rounds of repair, iteration and refinement.
const MOST_ROUNDS: usize = 4;

/// The solver; see the head of this file.
#[derive(Debug, Default)]
pub struct ActiveSet {
    /// Number of unknowns there is room for.
    size: Option<usize>,
    face: Face,
    at: Iterate,
    columns: Memory,
    rows: Memory,
    order: Vec<usize>,
    counts: Vec<usize>,
    start: Vec<Held>,
    most_iterations: Option<u32>,
}

impl ActiveSet {
    /// A solver that gives up after so many changes of the working set.
    pub fn with_iteration_limit(most_iterations: u32) -> Self {
        ActiveSet { most_iterations: Some(most_iterations), ..ActiveSet::default() }
    }

    fn reserve(&mut self, qp: &Qp) {
        let (n, rows) = (qp.size(), qp.rows.rows());
        if self.size != Some(n) {
            self.size = Some(n);
            self.face.reserve(n);
            self.at.reserve(n, rows);
            self.order.clear();
        }
        self.at.reserve_rows(rows);
        self.start.clear();
        self.start.reserve(qp.equality.rows() + rows);
        let usual = 200 + 10 * u32::try_from(n + rows).unwrap_or(u32::MAX / 20);
        self.at.iteration_limit = self.most_iterations.unwrap_or(usual);
        self.at.iterations = 0;
    }

    /// The optimum, or why there is none.
    fn run(&mut self, qp: &Qp) -> Result<(), QpError> {
        check_limits(qp)?;
        self.reserve(qp);
        if self.order.is_empty() {
            order::sparsest_first(qp, &mut self.order, &mut self.counts);
        }
        self.columns.recall(&qp.column_labels, &mut self.at.columns);
        self.rows.recall(&qp.row_labels, &mut self.at.rows);
        self.at.shift = 0.0;
        match self.solve_strictly_convex(qp) {
            Err(Failure::Singular) => proximal::solve(self, qp),
            result => result.map_err(|failure| self.error(failure)),
        }
    }

    fn error(&self, failure: Failure) -> QpError {
        match failure {
            Failure::Infeasible(certificate) => QpError::Infeasible { certificate },
            Failure::IterationLimit => QpError::IterationLimit { iterations: self.at.iterations },
            Failure::Singular => {
                QpError::Numerical { detail: "the Hessian is not positive semidefinite".into() }
            }
        }
    }

    /// Starts from the working set recalled, or where equalities cannot be told apart on it, from none.
    fn solve_strictly_convex(&mut self, qp: &Qp) -> Result<(), Failure> {
        if !self.start(qp, true)? {
            self.start(qp, false)?;
        }
        self.at.evaluate_residual(qp, &self.face);
        self.descend(qp)
    }

    /// Sets up the face with the limits to be held in `at`, or only those held for good. False when equalities
    /// are combined of each other on the fixed columns, so that nothing can be said about them alone.
    fn start(&mut self, qp: &Qp, recalled: bool) -> Result<bool, Failure> {
        let at = &mut self.at;
        at.fixed.clear();
        at.fixed_rates.clear();
        let mut is_guess = false;
        for j in 0..qp.size() {
            let [lower, upper] = [qp.lower[j], qp.upper[j]];
            let side = standing(lower, upper, at.columns[j].filter(|_| recalled));
            at.columns[j] = side;
            at.x[j] = 0.0;
            if let Some(side) = side {
                let held = Held { normal: Normal::Column(j), side };
                at.fixed.push(held);
                at.x[j] = held.value(qp);
                is_guess |= side != Side::Both;
            }
        }
        let free = self.order.iter().copied().filter(|&j| at.columns[j].is_none());
        self.face.start(qp, free, at.shift)?;
        for k in 0..qp.rows.rows() {
            at.rows[k] = standing(qp.rows_lower[k], qp.rows_upper[k], at.rows[k].filter(|_| recalled));
        }
        // Those held for good come first: the others must not make them seem combined.
        let rows = |for_good: bool| {
            let sides = at.rows.iter().enumerate();
            let held = sides.filter_map(|(k, side)| Some(Held { normal: Normal::Row(k), side: (*side)? }));
            held.filter(move |held| (held.side == Side::Both) == for_good)
        };
        let equality = |k| Held { normal: Normal::Equality(k), side: Side::Both };
        self.start.clear();
        self.start.extend((0..qp.equality.rows()).map(equality).chain(rows(true)).chain(rows(false)));
        let held = self.face.hold_independent(qp, &self.start);
        self.hold_one_by_one(qp, held, is_guess)
    }

    /// Holds what is left of the start after `held`; see [`ActiveSet::start`] for the result.
    fn hold_one_by_one(&mut self, qp: &Qp, held: usize, is_guess: bool) -> Result<bool, Failure> {
        for k in held..self.start.len() {
            let held = self.start[k];
            self.face.project(qp, held.normal);
            if !self.face.projection.is_dependent {
                self.face.hold(held, 0.0);
                continue;
            }
            if held.side != Side::Both {
                self.at.set_held(held, false);
                continue;
            }
            if is_guess {
                return Ok(false);
            }
            dual::check_redundant(qp, &self.face, &mut self.at, held)?;
        }
        Ok(true)
    }

    /// From the face set up, and the residual on it, to the optimum.
    fn descend(&mut self, qp: &Qp) -> Result<(), Failure> {
        self.newton(qp);
        for round in 1.. {
            while self.release_wrong_signs(qp)? {
                self.at.evaluate_residual(qp, &self.face);
                self.newton(qp);
            }
            self.at.forget_implied();
            self.at.evaluate_rows(qp);
            let before = self.at.iterations;
            dual::iterate(qp, &mut self.face, &mut self.at)?;
            if self.at.iterations != before {
                self.at.evaluate_residual(qp, &self.face);
            }
            if round == MOST_ROUNDS || self.at.error(qp, &self.face) <= ACCURATE {
                break;
            }
            self.newton(qp);
        }
        Ok(())
    }

    fn newton(&mut self, qp: &Qp) {
        self.face.solve(qp, &self.at.residual, &mut self.at.x);
        self.at.evaluate_residual(qp, &self.face);
    }

    /// Lets go of limits that pull; false when none does.
    fn release_wrong_signs(&mut self, qp: &Qp) -> Result<bool, Failure> {
        let members = self.face.members().iter().map(|member| member.multiplier);
        let largest = members.fold(0.0, |most: f64, multiplier| most.max(multiplier.abs()));
        let least = -WRONG_SIGN * (1.0 + largest);
        let mut changed = false;
        for k in (0..self.face.members().len()).rev() {
            let member = self.face.members()[k];
            if member.held.side.sign() * member.multiplier < least {
                self.at.set_held(member.held, false);
                self.face.release(k);
                changed = true;
            }
        }
        for k in (0..self.at.fixed.len()).rev() {
            let held = self.at.fixed[k];
            let Normal::Column(j) = held.normal else { continue };
            if held.side.sign() * self.at.residual[j] < least {
                self.at.release_fixed(qp, &mut self.face, k)?;
                changed = true;
            }
        }
        Ok(changed)
    }

    fn write(&self, qp: &Qp, solution: &mut QpSolution) {
        solution.x.clone_from(&self.at.x);
        for (list, length) in [
            (&mut solution.equality, qp.equality.rows()),
            (&mut solution.rows, qp.rows.rows()),
            (&mut solution.bounds, qp.size()),
        ] {
            list.clear();
            list.resize(length, 0.0);
        }
        let of_right_sign = |held: Held, multiplier: f64| match held.side {
            Side::Lower => multiplier.max(0.0),
            Side::Upper => multiplier.min(0.0),
            Side::Both => multiplier,
        };
        for member in self.face.members() {
            let multiplier = of_right_sign(member.held, member.multiplier);
            match member.held.normal {
                Normal::Equality(k) => solution.equality[k] = multiplier,
                Normal::Row(k) => solution.rows[k] = multiplier,
                Normal::Column(j) => {
                    solution.bounds[j] = multiplier;
                    solution.x[j] = member.held.value(qp);
                }
            }
        }
        for held in &self.at.fixed {
            if let Normal::Column(j) = held.normal {
                solution.bounds[j] = of_right_sign(*held, self.at.residual[j]);
            }
        }
        solution.iterations = self.at.iterations;
    }
}

impl QpSolver for ActiveSet {
    fn name(&self) -> &'static str {
        "active_set"
    }

    fn solve(&mut self, qp: &Qp, solution: &mut QpSolution) -> Result<(), QpError> {
        let outcome = self.run(qp).and_then(|()| {
            let error = self.at.error(qp, &self.face);
            let detail = || format!("optimality conditions hold to {error:.1e} only");
            if error <= ACCEPTED { Ok(()) } else { Err(QpError::Numerical { detail: detail() }) }
        });
        self.at.forget_implied();
        match outcome {
            Ok(()) => {
                self.columns.store(&qp.column_labels, &self.at.columns);
                self.rows.store(&qp.row_labels, &self.at.rows);
                self.write(qp, solution);
                Ok(())
            }
            Err(error) => {
                self.reset();
                Err(qp.non_finite().map_or(error, |place| QpError::NonFinite { place }))
            }
        }
    }

    fn reset(&mut self) {
        self.columns.forget();
        self.rows.forget();
        // Makes the next solve clear all memory, where something not finite may be left.
        self.size = None;
    }
}

/// Where a limit is held from the start: for good where its ends are one, else where it was, if that end is
/// still there.
fn standing(lower: f64, upper: f64, recalled: Option<Side>) -> Option<Side> {
    if let Ends::One = ends(lower, upper) {
        return Some(Side::Both);
    }
    match recalled {
        Some(Side::Lower) if lower.is_finite() => recalled,
        Some(Side::Upper) if upper.is_finite() => recalled,
        _ => None,
    }
}

/// Refuses limits that no number can keep, and ends that are not numbers.
fn check_limits(qp: &Qp) -> Result<(), QpError> {
    let rows = qp.rows_lower.iter().zip(&qp.rows_upper).enumerate();
    let rows = rows.map(|(k, ends)| (ends, [Limit::RowLower(k), Limit::RowUpper(k)]));
    let bounds = qp.lower.iter().zip(&qp.upper).enumerate();
    let bounds = bounds.map(|(j, ends)| (ends, [Limit::Lower(j), Limit::Upper(j)]));
    for ((&lower, &upper), limits) in rows.chain(bounds) {
        let place = || qp.non_finite().map_or(Ok(()), |place| Err(QpError::NonFinite { place }));
        match ends(lower, upper) {
            Ends::Apart | Ends::One => {}
            Ends::Unordered => place()?,
            Ends::Crossed => {
                place()?;
                return Err(QpError::Infeasible { certificate: limits.map(|limit| (limit, 1.0)).to_vec() });
            }
        }
    }
    Ok(())
}
