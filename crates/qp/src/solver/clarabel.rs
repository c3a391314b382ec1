//! The interior-point solver Clarabel: slow and accurate, with no warm start; the reference.

use super::polish::polish;
use super::{QpError, QpSolution, QpSolver};
use crate::{Limit, Qp};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolution, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus, ZeroConeT,
};

/// Gap and feasibility tolerance; the active set at this accuracy is then polished.
const TOLERANCE: f64 = 1e-9;
/// Largest violation with which a point that stalls before `TOLERANCE` still counts as a solution.
const ACCEPTED_VIOLATION: f64 = 1e-7;

/// Weights of a certificate below this share of the largest are the method's noise.
const CERTIFICATE_SHARE: f64 = 1e-3;

/// The interior-point solver Clarabel, as a second opinion on the active-set solver.
#[derive(Clone)]
pub struct Clarabel {
    settings: DefaultSettings<f64>,
}

impl Default for Clarabel {
    fn default() -> Self {
        let settings = DefaultSettings {
            verbose: false,
            max_threads: 1,
            tol_gap_abs: TOLERANCE,
            tol_gap_rel: TOLERANCE,
            tol_feas: TOLERANCE,
            ..DefaultSettings::default()
        };
        Clarabel { settings }
    }
}

/// One row of A x + s = b, s ≥ 0: the limit it stands for, with sign +1 for an upper limit.
struct Inequality {
    limit: Limit,
    sign: f64,
}

fn inequalities(qp: &Qp) -> Vec<Inequality> {
    let mut list = Vec::new();
    let mut add = |lower: &[f64], upper: &[f64], limits: fn(usize) -> [Limit; 2]| {
        for (k, (low, high)) in lower.iter().zip(upper).enumerate() {
            let [below, above] = limits(k);
            if low.is_finite() {
                list.push(Inequality { limit: below, sign: -1.0 });
            }
            if high.is_finite() {
                list.push(Inequality { limit: above, sign: 1.0 });
            }
        }
    };
    add(&qp.rows_lower, &qp.rows_upper, |k| [Limit::RowLower(k), Limit::RowUpper(k)]);
    add(&qp.lower, &qp.upper, |k| [Limit::Lower(k), Limit::Upper(k)]);
    list
}

fn limit_value(qp: &Qp, limit: Limit) -> f64 {
    match limit {
        Limit::Equality(k) => qp.equality_value[k],
        Limit::RowLower(k) => qp.rows_lower[k],
        Limit::RowUpper(k) => qp.rows_upper[k],
        Limit::Lower(k) => qp.lower[k],
        Limit::Upper(k) => qp.upper[k],
    }
}

/// A and b of A x + s = b, equalities first.
fn constraints(qp: &Qp, inequalities: &[Inequality]) -> (CscMatrix<f64>, Vec<f64>) {
    let (n, equalities) = (qp.size(), qp.equality.rows());
    let (mut i, mut j, mut v) = (Vec::new(), Vec::new(), Vec::new());
    let mut b = qp.equality_value.clone();
    let mut push_row = |at: usize, row: &[f64], sign: f64| {
        for (column, &value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            i.push(at);
            j.push(column);
            v.push(sign * value);
        }
    };
    for k in 0..equalities {
        push_row(k, qp.equality.row(k), 1.0);
    }
    let mut unit = vec![0.0; n];
    for (k, Inequality { limit, sign }) in inequalities.iter().enumerate() {
        b.push(sign * limit_value(qp, *limit));
        match *limit {
            Limit::RowLower(row) | Limit::RowUpper(row) => {
                push_row(equalities + k, qp.rows.row(row), *sign);
            }
            Limit::Lower(column) | Limit::Upper(column) => {
                unit[column] = 1.0;
                push_row(equalities + k, &unit, *sign);
                unit[column] = 0.0;
            }
            Limit::Equality(_) => {}
        }
    }
    (CscMatrix::new_from_triplets(equalities + inequalities.len(), n, i, j, v), b)
}

/// Limits with their weights relative to the largest. Weight common to both sides of one row cancels.
fn certificate(limits: impl Iterator<Item = Limit>, z: &[f64]) -> Vec<(Limit, f64)> {
    let mut weighed: Vec<(Limit, f64)> = limits.zip(z).map(|(limit, z)| (limit, z.abs())).collect();
    for k in 1..weighed.len() {
        let [before, this] = [weighed[k - 1], weighed[k]];
        let is_pair = match (before.0, this.0) {
            (Limit::RowLower(a), Limit::RowUpper(b)) | (Limit::Lower(a), Limit::Upper(b)) => a == b,
            _ => false,
        };
        if is_pair {
            let common = before.1.min(this.1);
            weighed[k - 1].1 -= common;
            weighed[k].1 -= common;
        }
    }
    let largest = weighed.iter().fold(0.0, |most: f64, (_, weight)| most.max(*weight));
    weighed.retain(|(_, weight)| *weight > CERTIFICATE_SHARE * largest);
    weighed.iter().map(|(limit, weight)| (*limit, weight / largest)).collect()
}

fn upper_triangle(qp: &Qp) -> CscMatrix<f64> {
    let n = qp.size();
    let (mut i, mut j, mut v) = (Vec::new(), Vec::new(), Vec::new());
    for column in 0..n {
        for row in 0..=column {
            let value = qp.hessian.row(row)[column];
            if value != 0.0 {
                i.push(row);
                j.push(column);
                v.push(value);
            }
        }
    }
    CscMatrix::new_from_triplets(n, n, i, j, v)
}

impl QpSolver for Clarabel {
    fn name(&self) -> &'static str {
        "clarabel"
    }

    fn solve(&mut self, qp: &Qp, solution: &mut QpSolution) -> Result<(), QpError> {
        if let Some(place) = qp.non_finite() {
            return Err(QpError::NonFinite { place });
        }
        let inequalities = inequalities(qp);
        let (a, b) = constraints(qp, &inequalities);
        let equalities = qp.equality.rows();
        let cones = [ZeroConeT(equalities), NonnegativeConeT(inequalities.len())];
        let p = upper_triangle(qp);
        let mut solver = DefaultSolver::new(&p, &qp.gradient, &a, &b, &cones, self.settings.clone())
            .map_err(|error| QpError::Numerical { detail: error.to_string() })?;
        solver.solve();
        let result = &solver.solution;
        let iterations = result.iterations;
        let limits = || {
            let equalities = (0..equalities).map(Limit::Equality);
            equalities.chain(inequalities.iter().map(|inequality| inequality.limit))
        };
        match result.status {
            SolverStatus::Solved => {}
            SolverStatus::PrimalInfeasible | SolverStatus::AlmostPrimalInfeasible => {
                return Err(QpError::Infeasible { certificate: certificate(limits(), &result.z) });
            }
            SolverStatus::DualInfeasible | SolverStatus::AlmostDualInfeasible => {
                return Err(QpError::Unbounded);
            }
            SolverStatus::MaxIterations => return Err(QpError::IterationLimit { iterations }),
            status => {
                let finite = result.x.iter().all(|x| x.is_finite());
                if !finite || qp.violation(&result.x) > ACCEPTED_VIOLATION {
                    return Err(QpError::Numerical { detail: format!("Clarabel says {status:?}") });
                }
            }
        }
        fill(solution, qp, result, &inequalities);
        polish(qp, solution);
        Ok(())
    }

    fn reset(&mut self) {}
}

/// Fills in unknowns and multipliers, with the signs of a [`QpSolution`].
fn fill(solution: &mut QpSolution, qp: &Qp, result: &DefaultSolution<f64>, inequalities: &[Inequality]) {
    solution.x.clone_from(&result.x);
    solution.iterations = result.iterations;
    let equalities = qp.equality.rows();
    solution.equality.clear();
    solution.equality.extend(result.z[..equalities].iter().map(|z| -z));
    solution.rows.clear();
    solution.rows.resize(qp.rows.rows(), 0.0);
    solution.bounds.clear();
    solution.bounds.resize(qp.size(), 0.0);
    for (Inequality { limit, sign }, z) in inequalities.iter().zip(&result.z[equalities..]) {
        match *limit {
            Limit::RowLower(k) | Limit::RowUpper(k) => solution.rows[k] -= sign * z,
            Limit::Lower(k) | Limit::Upper(k) => solution.bounds[k] -= sign * z,
            Limit::Equality(_) => {}
        }
    }
}
