//! The first-order solver OSQP (feature `osqp`): a second opinion from another family of methods.

use super::polish::polish;
use super::{QpError, QpSolution, QpSolver};
use crate::{Limit, Qp};
use osqp::{CscMatrix, Problem, Settings, Status};

/// Residual tolerance. It is small because some terms of a frame have 1e4 times the weight of others; the
/// active set at this accuracy is then polished.
const TOLERANCE: f64 = 1e-9;
const MOST_ITERATIONS: u32 = 50_000;
/// Iterations between updates of the step size; the default of OSQP depends on the clock.
const STEP_SIZE_INTERVAL: u32 = 50;

/// The value that OSQP treats as infinity.
const UNLIMITED: f64 = 1e30;

/// The operator-splitting solver OSQP. Its solutions are polished on the active set that they indicate.
#[derive(Clone)]
pub struct Osqp {
    settings: Settings,
    /// Solution of the previous problem, the warm start of a problem of the same size.
    last: Option<(Vec<f64>, Vec<f64>)>,
}

impl Default for Osqp {
    fn default() -> Self {
        let settings = Settings::default()
            .verbose(false)
            .eps_abs(TOLERANCE)
            .eps_rel(TOLERANCE)
            .max_iter(MOST_ITERATIONS)
            .adaptive_rho_interval(Some(STEP_SIZE_INTERVAL))
            .check_termination(Some(25))
            .polish(false);
        Osqp { settings, last: None }
    }
}

/// Stacks the rows of E, C and the identity for bounds, with their limits.
fn stack(qp: &Qp) -> (Vec<Limit>, Vec<Vec<f64>>, Vec<f64>, Vec<f64>) {
    let n = qp.size();
    let (mut which, mut rows) = (Vec::new(), Vec::new());
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for k in 0..qp.equality.rows() {
        which.push(Limit::Equality(k));
        rows.push(qp.equality.row(k).to_vec());
        lower.push(qp.equality_value[k]);
        upper.push(qp.equality_value[k]);
    }
    for k in 0..qp.rows.rows() {
        which.push(Limit::RowLower(k));
        rows.push(qp.rows.row(k).to_vec());
        lower.push(qp.rows_lower[k]);
        upper.push(qp.rows_upper[k]);
    }
    for k in (0..n).filter(|&k| qp.lower[k].is_finite() || qp.upper[k].is_finite()) {
        which.push(Limit::Lower(k));
        let mut unit = vec![0.0; n];
        unit[k] = 1.0;
        rows.push(unit);
        lower.push(qp.lower[k]);
        upper.push(qp.upper[k]);
    }
    // OSQP multiplies its limits by zero, so that an infinite one must become finite.
    for limit in lower.iter_mut().chain(&mut upper) {
        *limit = limit.clamp(-UNLIMITED, UNLIMITED);
    }
    (which, rows, lower, upper)
}

impl QpSolver for Osqp {
    fn name(&self) -> &'static str {
        "osqp"
    }

    fn solve(&mut self, qp: &Qp, solution: &mut QpSolution) -> Result<(), QpError> {
        if let Some(place) = qp.non_finite() {
            return Err(QpError::NonFinite { place });
        }
        let (which, rows, lower, upper) = stack(qp);
        let hessian: Vec<&[f64]> = (0..qp.size()).map(|k| qp.hessian.row(k)).collect();
        let p = CscMatrix::from(hessian.iter().copied()).into_upper_tri();
        let a = CscMatrix::from(rows.iter().map(Vec::as_slice));
        let mut problem = Problem::new(p, &qp.gradient, a, &lower, &upper, &self.settings)
            .map_err(|error| QpError::Numerical { detail: error.to_string() })?;
        if let Some((x, y)) = &self.last
            && x.len() == qp.size()
            && y.len() == rows.len()
        {
            problem.warm_start(x, y);
        }
        let status = problem.solve();
        let iterations = status.iter();
        let (x, y) = match status {
            Status::Solved(result) => (result.x().to_vec(), result.y().to_vec()),
            Status::PrimalInfeasible(proof) | Status::PrimalInfeasibleInaccurate(proof) => {
                let weights = proof.delta_y();
                let largest = weights.iter().fold(0.0, |most: f64, w| most.max(w.abs()));
                let weighty = which.iter().zip(weights).filter(|(_, w)| w.abs() > 1e-4 * largest);
                let certificate = weighty.map(|(&limit, w)| (side(limit, *w), w.abs() / largest)).collect();
                return Err(QpError::Infeasible { certificate });
            }
            Status::MaxIterationsReached(_) | Status::SolvedInaccurate(_) => {
                return Err(QpError::IterationLimit { iterations: MOST_ITERATIONS });
            }
            Status::NonConvex(_) => {
                return Err(QpError::Numerical { detail: "the Hessian is not positive definite".into() });
            }
            _ => return Err(QpError::Numerical { detail: "OSQP found no solution".into() }),
        };
        solution.iterations = iterations;
        fill(solution, qp, &which, &x, &y);
        self.last = Some((x, y));
        polish(qp, solution);
        Ok(())
    }

    fn reset(&mut self) {
        self.last = None;
    }
}

/// Fills in unknowns and multipliers, with the signs of a [`QpSolution`].
fn fill(solution: &mut QpSolution, qp: &Qp, which: &[Limit], x: &[f64], y: &[f64]) {
    solution.x.clear();
    solution.x.extend_from_slice(x);
    solution.equality.clear();
    solution.rows.clear();
    solution.bounds.clear();
    solution.bounds.resize(qp.size(), 0.0);
    for (limit, multiplier) in which.iter().zip(y) {
        match *limit {
            Limit::Equality(_) => solution.equality.push(-multiplier),
            Limit::RowLower(_) | Limit::RowUpper(_) => solution.rows.push(-multiplier),
            Limit::Lower(k) | Limit::Upper(k) => solution.bounds[k] = -multiplier,
        }
    }
}

/// The side of a two-sided limit that the sign of a certificate's weight indicates.
fn side(limit: Limit, weight: f64) -> Limit {
    match limit {
        Limit::RowLower(k) if weight > 0.0 => Limit::RowUpper(k),
        Limit::Lower(k) if weight > 0.0 => Limit::Upper(k),
        other => other,
    }
}
