//! Problems whose P is only semidefinite, by the proximal point method ([Rockafellar 1976]).
//!
//! x_{k+1} minimises the cost plus ½ δ ‖x − x_k‖² under the same limits. A step changes only the gradient, so
//! that the factors and the active set carry over. If the cost is unbounded below, it is linear along some
//! step and all limits hold along it.

use super::ActiveSet;
use super::dual::DualFailure;
use crate::Qp;
use crate::solver::QpError;

/// δ as a share of the largest diagonal entry of P.
const SHIFT: f64 = 1e-7;
/// δ where P is zero.
const SHIFT_OF_LINEAR: f64 = 1.0;
const MOST_STEPS: usize = 2000;
/// `MOST_STEPS` is halved once for each consecutive problem that converged too slowly, at most this often:
/// similar problems follow in the same frame, and each would also be passed to another solver.
pub(super) const MOST_HALVINGS: u32 = 7;
/// The optimum is reached when δ ‖x_{k+1} − x_k‖ is below this share of 1 + ‖g‖.
const STILL: f64 = 1e-13;
/// Tolerance at which a point is accepted when no steps are left.
const STILL_ENOUGH: f64 = 1e-9;
/// Largest curvature of a ray, relative to its length.
const STRAIGHT: f64 = 1e-9;

/// Solves `qp`, whose P has no Cholesky factor; see [`ActiveSet::run`] for the result.
pub(super) fn solve(solver: &mut ActiveSet, qp: &Qp) -> Result<f64, QpError> {
    let largest = (0..qp.size()).fold(0.0, |most: f64, k| most.max(qp.hessian.row(k)[k]));
    let steepest = qp.gradient.iter().fold(1.0, |most: f64, g| most.max(g.abs()));
    let shift = if largest > 0.0 { SHIFT * largest } else { SHIFT_OF_LINEAR };
    solver.memory.at.shift = shift;
    solver.memory.at.centre.fill(0.0);
    let outcome = descend(solver, qp, shift, steepest);
    solver.crept = match outcome {
        Err(ProximalStop::Slow) => (solver.crept + 1).min(MOST_HALVINGS),
        _ => solver.crept.saturating_sub(1),
    };
    outcome.map_err(|failure| match failure {
        ProximalStop::Unbounded => QpError::Unbounded,
        ProximalStop::Slow => {
            QpError::Numerical { detail: "P is singular, and the method converges too slowly".into() }
        }
        ProximalStop::Failed(failure) => solver.error(failure),
    })
}

enum ProximalStop {
    Unbounded,
    Slow,
    Failed(DualFailure),
}

fn descend(solver: &mut ActiveSet, qp: &Qp, shift: f64, steepest: f64) -> Result<f64, ProximalStop> {
    let mut error = solver.solve_strictly_convex(qp).map_err(ProximalStop::Failed)?;
    let mut moved = f64::INFINITY;
    for _ in 0..MOST_STEPS >> solver.crept {
        solver.steps += 1;
        // A step costs at least as much as an iteration.
        if solver.is_bounded && solver.steps + solver.memory.at.iterations > solver.memory.at.iteration_limit
        {
            return Err(ProximalStop::Slow);
        }
        let at = &mut solver.memory.at;
        // The step from the last point, which becomes the centre.
        for ((step, centre), x) in at.direction.iter_mut().zip(&mut at.centre).zip(&at.x) {
            *step = x - *centre;
            *centre = *x;
        }
        moved = at.direction.iter().fold(0.0, |most: f64, step| most.max(step.abs()));
        if shift * moved <= STILL * steepest {
            return Ok(error);
        }
        if is_ray(qp, &at.direction, moved, shift) {
            return Err(ProximalStop::Unbounded);
        }
        at.evaluate_residual(qp, &solver.memory.face);
        error = solver.descend(qp).map_err(ProximalStop::Failed)?;
    }
    if shift * moved <= STILL_ENOUGH * steepest { Ok(error) } else { Err(ProximalStop::Slow) }
}

/// Whether the cost is unbounded below along `direction`, whose largest entry is `length`. Along a ray d all
/// steps are equal, and the optimality conditions give gᵀd = −δ ‖d‖²; rounding alone gives a smaller
/// decrease.
fn is_ray(qp: &Qp, direction: &[f64], length: f64, shift: f64) -> bool {
    let slope: f64 = qp.gradient.iter().zip(direction).map(|(g, d)| g * d).sum();
    let square: f64 = direction.iter().map(|d| d * d).sum();
    let bend = |row: &[f64]| -> (f64, f64) {
        let terms = || row.iter().zip(direction).map(|(a, d)| a * d);
        (terms().sum(), STRAIGHT * row.iter().fold(0.0, |most: f64, a| most.max(a.abs())) * length)
    };
    let stays = |(value, margin): (f64, f64), lower: f64, upper: f64| {
        (value >= -margin || !lower.is_finite()) && (value <= margin || !upper.is_finite())
    };
    let straight = (0..qp.size()).all(|k| stays(bend(qp.hessian.row(k)), 0.0, 0.0));
    let equalities = || (0..qp.equality.rows()).all(|k| stays(bend(qp.equality.row(k)), 0.0, 0.0));
    let rows =
        || (0..qp.rows.rows()).all(|k| stays(bend(qp.rows.row(k)), qp.rows_lower[k], qp.rows_upper[k]));
    let bounds =
        || (0..qp.size()).all(|j| stays((direction[j], STRAIGHT * length), qp.lower[j], qp.upper[j]));
    slope < -0.5 * shift * square && straight && equalities() && rows() && bounds()
}
