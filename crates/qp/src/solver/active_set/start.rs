//! The start of a solve: the order in which unknowns are eliminated, and the initial active set.

use super::ActiveSet;
use super::conflict::{CONSISTENT, certificate, conflict};
use super::dual::{DualFailure, rates_of_fixed};
use super::iterate::Iterate;
use super::limit::{ActiveConstraint, ActiveEnd, Ends, FixedColumn, Normal, ends};
use super::memory::Memory;
use super::working_set::WorkingSet;
use crate::solver::QpError;
use crate::{Limit, Qp};

impl ActiveSet {
    /// Sets up the face with the equalities, and those of the limits active in `at` that leave them independent.
    pub(super) fn start(&mut self, qp: &Qp) -> Result<(), DualFailure> {
        let at = &mut self.memory.at;
        at.fixed.clear();
        at.fixed_rates.clear();
        for j in 0..qp.size() {
            let [lower, upper] = [qp.lower[j], qp.upper[j]];
            let side = standing(lower, upper, at.columns[j]);
            at.columns[j] = side;
            at.x[j] = 0.0;
            if let Some(side) = side {
                let fixed = FixedColumn { column: j, side };
                at.fixed.push(fixed);
                at.x[j] = fixed.held().value(qp);
            }
        }
        let free = self.order.iter().copied().filter(|&j| at.columns[j].is_none());
        self.memory.face.start(qp, free, at.shift)?;
        for k in 0..qp.rows.rows() {
            at.rows[k] = standing(qp.rows_lower[k], qp.rows_upper[k], at.rows[k]);
        }
        // Equalities are added first: other limits must not make them look dependent.
        let rows = |for_good: bool| {
            let sides = at.rows.iter().enumerate();
            let held = sides
                .filter_map(|(k, side)| Some(ActiveConstraint { normal: Normal::Row(k), side: (*side)? }));
            held.filter(move |held| (held.side == ActiveEnd::Both) == for_good)
        };
        let equality = |k| ActiveConstraint { normal: Normal::Equality(k), side: ActiveEnd::Both };
        self.start.clear();
        self.start.extend((0..qp.equality.rows()).map(equality).chain(rows(true)).chain(rows(false)));
        let held = self.memory.face.hold_independent(qp, &self.start);
        self.hold_one_by_one(qp, held)
    }

    /// Adds the initial limits from number `held` on, one by one. An equality that is dependent on fixed columns frees
    /// those of them that are only a guess, beginning with the one on which it depends most.
    fn hold_one_by_one(&mut self, qp: &Qp, held: usize) -> Result<(), DualFailure> {
        for k in held..self.start.len() {
            let held = self.start[k];
            let Memory { face, at, .. } = &mut self.memory;
            face.project(qp, held.normal);
            if face.projection.is_dependent && held.side != ActiveEnd::Both {
                at.set_held(held, false);
                continue;
            }
            while face.projection.is_dependent {
                rates_of_fixed(qp, face, at, held.normal);
                let Some(guessed) = most_involved(at) else { break };
                at.release_fixed(qp, face, guessed)?;
                face.project(qp, held.normal);
            }
            if face.projection.is_dependent {
                check_redundant(qp, face, at, held)?;
            } else {
                face.hold(held, 0.0);
            }
        }
        Ok(())
    }
}

/// The fixed column with the largest rate among those whose bounds differ; the first of equal ones.
fn most_involved(at: &Iterate) -> Option<usize> {
    let guessed = at.fixed.iter().zip(&at.fixed_rates).enumerate();
    let guessed = guessed.filter(|(_, (fixed, rate))| fixed.side != ActiveEnd::Both && **rate != 0.0);
    let larger = |most: (usize, f64), next: (usize, f64)| if next.1 > most.1 { next } else { most };
    guessed.map(|(k, (_, rate))| (k, rate.abs())).reduce(larger).map(|(k, _)| k)
}

/// The side on which a limit starts active: both for an equality, otherwise the stored side if that end still
/// exists.
fn standing(lower: f64, upper: f64, recalled: Option<ActiveEnd>) -> Option<ActiveEnd> {
    if let Ends::One = ends(lower, upper) {
        return Some(ActiveEnd::Both);
    }
    match recalled {
        Some(ActiveEnd::Lower) if lower.is_finite() => recalled,
        Some(ActiveEnd::Upper) if upper.is_finite() => recalled,
        _ => None,
    }
}

/// Rejects limits that no number satisfies and ends that are NaN.
pub(super) fn check_limits(qp: &Qp) -> Result<(), QpError> {
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

/// Whether an equality projected last, a combination of active limits, holds where they do.
fn check_redundant(
    qp: &Qp,
    face: &WorkingSet,
    at: &mut Iterate,
    held: ActiveConstraint,
) -> Result<(), DualFailure> {
    match conflict(qp, face, at, held, CONSISTENT) {
        Some(sign) => Err(DualFailure::Infeasible(certificate(face, at, held, sign))),
        None => Ok(()),
    }
}

/// Sorts columns by block, then by the number of columns they are coupled with, fewest first; ties by index.
///
/// The forces on one foot are not coupled with those on the other in the Hessian, and velocities are coupled
/// with nearly everything. With the forces first, much of the factor stays zero and is skipped.
#[doc(alias = "fill-reducing ordering")]
pub(super) fn sparsest_first(qp: &Qp, order: &mut Vec<usize>, count: &mut Vec<usize>) {
    let size = qp.size();
    count.clear();
    count.extend((0..size).map(|k| qp.hessian.row(k).iter().filter(|value| **value != 0.0).count()));
    order.clear();
    order.extend(0..size);
    order.sort_unstable_by_key(|&k| (qp.blocks.get(k), count[k], k));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{QpSolution, QpSolver};
    use crate::{Label, Origin, RowKind};

    #[test]
    fn an_equality_that_depends_on_recalled_bounds_frees_them() {
        let mut qp = Qp::default();
        qp.reset(2);
        qp.add_squares(1.0, &[1.0, 0.0], &[0.0]);
        qp.add_squares(1.0, &[0.0, 1.0], &[0.0]);
        qp.complete();
        qp.lower.fill(1.0);
        let (mut solver, mut solution) = (ActiveSet::default(), QpSolution::default());
        solver.solve(&qp, &mut solution).expect("a solution");
        assert_eq!(solution.x, [1.0, 1.0]);
        // Both unknowns are recalled at their bounds, where x₀ + x₁ = 5 cannot hold.
        let label = Label { kind: RowKind::Other, name: "sum".into(), unit: "1", origin: Origin::default() };
        qp.push_equality(&[1.0, 1.0], -5.0, 1.0, &label);
        solver.solve(&qp, &mut solution).expect("a solution");
        assert!(solution.x.iter().all(|x| (x - 2.5).abs() < 1e-12), "{:?}", solution.x);
        assert_eq!(solution.bounds, [0.0, 0.0]);
        // If equal bounds fix both for good, the equality contradicts them.
        qp.upper.fill(1.0);
        assert!(matches!(solver.solve(&qp, &mut solution), Err(QpError::Infeasible { .. })));
    }

    #[test]
    fn what_is_coupled_least_comes_first_and_ties_keep_their_order() {
        let mut qp = Qp::default();
        qp.reset(4);
        for (i, j) in [(0, 0), (1, 1), (2, 2), (3, 3), (0, 2), (2, 0), (0, 3), (3, 0)] {
            qp.hessian.row_mut(i)[j] = 1.0;
        }
        let (mut order, mut counts) = (Vec::new(), Vec::new());
        sparsest_first(&qp, &mut order, &mut counts);
        assert_eq!(order, [1, 2, 3, 0]);
        qp.blocks = vec![0, 1, 0, 1];
        sparsest_first(&qp, &mut order, &mut counts);
        assert_eq!(order, [2, 0, 1, 3], "a block stays together");
    }
}
