//! Work budget of a frame: counted, not timed, so that the same files always give the same bytes.

use super::relaxation::wants_second_opinion;
use aplomb_qp::Qp;
use aplomb_qp::solver::{QpError, QpSolution, QpSolver};

/// Approximate number of multiplications that the solvers may use in a frame: thousands of times that of ordinary
/// frames.
const MOST: f64 = 2e9;
/// Share of it that every part of a divided frame may use, of which there are up to 32: if all are hard, the frame
/// still ends.
const SHARE: f64 = 1.0 / 8.0;
/// Multiplications of an iteration, relative to the square of the number of unknowns.
const ITERATION: f64 = 4.0;
/// Multiplications of the second solver, relative to the cube of the number of unknowns.
const SECOND: f64 = 10.0;

/// The remaining budget.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WorkBudget {
    left: f64,
}

impl Default for WorkBudget {
    fn default() -> Self {
        WorkBudget { left: MOST }
    }
}

impl WorkBudget {
    /// Begins a frame or a part of one. Later parts use what those before them have left, and at least a share.
    pub(super) fn begin(&mut self, part: u32) {
        self.left = if part > 0 { self.left.max(SHARE * MOST) } else { MOST };
    }

    /// Whether the budget is used up.
    pub(super) fn is_spent(&self) -> bool {
        self.left <= 0.0
    }

    /// Solves a problem within the budget, with a second solver if that may help; returns whether the second was
    /// used.
    pub(super) fn solve(
        &mut self,
        [solver, second]: [&mut dyn QpSolver; 2],
        qp: &Qp,
        solution: &mut QpSolution,
        surfaces_give: bool,
    ) -> (Result<(), QpError>, bool) {
        let unknowns = qp.size().max(1) as f64;
        let (square, cube) = (unknowns * unknowns, unknowns * unknowns * unknowns);
        // The initial factorisation comes first.
        if !self.takes(cube / 3.0) {
            return (Err(QpError::IterationLimit { iterations: 0 }), false);
        }
        solver.grant((self.left / (ITERATION * square)) as u32);
        let solved = solver.solve(qp, solution);
        self.left -= ITERATION * square * f64::from(solver.spent());
        if wants_second_opinion(&solved, surfaces_give) && self.takes(SECOND * cube) {
            return (second.solve(qp, solution), true);
        }
        (solved, false)
    }

    /// Takes this much work from the budget, if more than that is left; otherwise empties the budget.
    fn takes(&mut self, work: f64) -> bool {
        let is_enough = self.left > work;
        self.left = if is_enough { self.left - work } else { 0.0 };
        is_enough
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_qp::solver;

    /// Minimises ‖x‖² subject to x ≥ 1.
    fn problem(size: usize) -> Qp {
        let mut qp = Qp::default();
        qp.reset(size);
        (0..size).for_each(|unknown| {
            qp.add_regularisation(unknown, 1.0);
            qp.lower[unknown] = 1.0;
        });
        qp.complete();
        qp
    }

    #[test]
    fn a_frame_ends_after_so_much_work() {
        let (mut solver, mut second) = (solver::by_name(solver::DEFAULT).unwrap(), solver::reference());
        let (qp, mut solution, mut work) = (problem(40), QpSolution::default(), WorkBudget::default());
        let mut solves = 0;
        loop {
            // The solver is reset before each solve, so that it has no warm start.
            solver.reset();
            let was_spent = work.is_spent();
            let (solved, _) = work.solve([&mut *solver, &mut *second], &qp, &mut solution, false);
            if was_spent {
                assert!(matches!(solved, Err(QpError::IterationLimit { iterations: 0 })));
                break;
            }
            if work.is_spent() {
                // The remaining budget may not have sufficed.
                continue;
            }
            assert!(solved.is_ok() && (solution.x[7] - 1.0).abs() < 1e-9);
            solves += 1;
        }
        assert!((1000..100_000).contains(&solves), "{solves}");
        work.begin(1);
        assert!(!work.is_spent() && work.left < 0.2 * MOST, "a later part has a share");
        work.begin(0);
        assert_eq!(work, WorkBudget::default(), "a frame has all");
        let mut large = WorkBudget::default();
        let (solved, asked) = large.solve([&mut *solver, &mut *second], &problem(2000), &mut solution, false);
        assert!(solved.is_err() && !asked && large.is_spent());
    }
}
