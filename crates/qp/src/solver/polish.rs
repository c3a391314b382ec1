//! Polishing: from a nearly optimal point to the optimum of the active set that it indicates.
//!
//! First-order and interior-point methods stop a little short of the optimum. The limits with a multiplier
//! become equalities, the remaining linear system is solved exactly, and limits are added or removed as the
//! result demands. A point for which this does not converge is left as it was.

use super::QpSolution;
use crate::Qp;
use nalgebra::{DMatrix, DVector};

/// Largest number of exchanges of limits.
const MOST_EXCHANGES: usize = 12;
/// Feasibility tolerance, in the row's own unit.
const FEASIBILITY: f64 = 1e-10;
/// A multiplier has the right sign above minus this share of the largest.
const SIGN: f64 = 1e-9;
/// Keeps the system solvable when active rows are dependent; refinement removes its effect.
const REGULARISATION: f64 = 1e-9;
const REFINEMENTS: usize = 6;
/// Largest residual of the linear system, as a share of the largest limit and of the largest entry of the
/// gradient.
const RESIDUAL: f64 = 1e-9;

/// A limit as `row · x ≥ value` (sign 1) or `≤` (sign −1).
#[derive(Clone, Copy)]
struct HalfSpace {
    /// Row of C, or of the identity when `is_bound`.
    index: usize,
    is_bound: bool,
    sign: f64,
    value: f64,
}

impl HalfSpace {
    /// Distance of a point from its limit, positive inside.
    fn slack(&self, qp: &Qp, x: &[f64]) -> f64 {
        let at = if self.is_bound { x[self.index] } else { qp.rows.dot(self.index, x) };
        self.sign * (at - self.value)
    }

    fn multiplier(&self, solution: &QpSolution) -> f64 {
        let list = if self.is_bound { &solution.bounds } else { &solution.rows };
        self.sign * list[self.index]
    }
}

fn sides(qp: &Qp) -> Vec<HalfSpace> {
    let of = |lower: &[f64], upper: &[f64], is_bound| {
        let both = lower.iter().zip(upper).enumerate();
        let list = both.flat_map(move |(index, (&low, &high))| {
            [(1.0, low), (-1.0, high)].map(|(sign, value)| HalfSpace { index, is_bound, sign, value })
        });
        list.filter(|side| side.value.is_finite()).collect::<Vec<_>>()
    };
    let mut list = of(&qp.rows_lower, &qp.rows_upper, false);
    list.extend(of(&qp.lower, &qp.upper, true));
    list
}

/// Improves `solution` in place; false when it is left unchanged.
pub(super) fn polish(qp: &Qp, solution: &mut QpSolution) -> bool {
    let sides = sides(qp);
    let is_active = |side: &&HalfSpace| side.multiplier(solution) > side.slack(qp, &solution.x).max(0.0);
    let mut active: Vec<bool> = sides.iter().map(|side| is_active(&side)).collect();
    for _ in 0..MOST_EXCHANGES {
        let chosen: Vec<HalfSpace> =
            sides.iter().zip(&active).filter(|(_, on)| **on).map(|(side, _)| *side).collect();
        let Some(Optimum { x, multipliers, holds }) = solve_equalities(qp, &chosen) else { return false };
        let largest = multipliers.iter().fold(1.0, |most: f64, y| most.max(y.abs()));
        let mut changed = false;
        let mut given = multipliers[qp.equality.rows()..].iter();
        for (side, on) in sides.iter().zip(&mut active) {
            let stays = if *on {
                given.next().is_some_and(|y| *y >= -SIGN * largest)
            } else {
                side.slack(qp, &x) < -FEASIBILITY
            };
            changed |= stays != *on;
            *on = stays;
        }
        if !changed && !holds {
            return false;
        }
        if !changed {
            write(qp, &chosen, x, &multipliers, solution);
            return true;
        }
    }
    false
}

/// The optimum with some limits as equalities.
struct Optimum {
    x: Vec<f64>,
    /// Multipliers of the equalities, then of the active limits.
    multipliers: Vec<f64>,
    /// False where the active limits contradict each other. The signs of the multipliers then only indicate
    /// which to remove.
    holds: bool,
}

/// Minimises ½ xᵀPx + gᵀx with the equalities and `active` as equalities. `None` where rounding errors are
/// too large.
fn solve_equalities(qp: &Qp, active: &[HalfSpace]) -> Option<Optimum> {
    let (n, equalities) = (qp.size(), qp.equality.rows());
    let size = n + equalities + active.len();
    let mut system = DMatrix::zeros(size, size);
    let mut right = DVector::zeros(size);
    for i in 0..n {
        for j in 0..n {
            system[(i, j)] = qp.hessian.row(i)[j];
        }
        right[i] = -qp.gradient[i];
    }
    let mut put = |at: usize, column: usize, value: f64| {
        system[(at, column)] = value;
        system[(column, at)] = -value;
    };
    for k in 0..equalities {
        for (j, &e) in qp.equality.row(k).iter().enumerate() {
            put(n + k, j, e);
        }
        right[n + k] = qp.equality_value[k];
    }
    for (k, side) in active.iter().enumerate() {
        let at = n + equalities + k;
        if side.is_bound {
            put(at, side.index, side.sign);
        } else {
            for (j, &c) in qp.rows.row(side.index).iter().enumerate() {
                put(at, j, side.sign * c);
            }
        }
        right[at] = side.sign * side.value;
    }
    let exact = system;
    let solution = solve_regularised(&exact, &right, n)?;
    let finite = solution.iter().all(|value| value.is_finite());
    let left = &right - &exact * &solution;
    let is_small = |from: usize, count: usize| {
        left.rows(from, count).amax() <= RESIDUAL * right.rows(from, count).amax().max(1.0)
    };
    let holds = is_small(0, n) && is_small(n, size - n);
    let (x, multipliers) = solution.as_slice().split_at(n);
    finite.then(|| Optimum { x: x.to_vec(), multipliers: multipliers.to_vec(), holds })
}

/// Solves by the factors of a regularised matrix, with iterative refinement; `n` is the number of unknowns.
fn solve_regularised(exact: &DMatrix<f64>, right: &DVector<f64>, n: usize) -> Option<DVector<f64>> {
    let mut system = exact.clone();
    for k in n..system.nrows() {
        system[(k, k)] = REGULARISATION;
    }
    let factors = system.lu();
    let mut solution = factors.solve(right)?;
    for _ in 0..REFINEMENTS {
        let residual = right - exact * &solution;
        solution += factors.solve(&residual)?;
    }
    Some(solution)
}

fn write(qp: &Qp, active: &[HalfSpace], x: Vec<f64>, multipliers: &[f64], solution: &mut QpSolution) {
    solution.x = x;
    solution.equality = multipliers[..qp.equality.rows()].to_vec();
    solution.rows.fill(0.0);
    solution.bounds.fill(0.0);
    for (side, multiplier) in active.iter().zip(&multipliers[qp.equality.rows()..]) {
        let list = if side.is_bound { &mut solution.bounds } else { &mut solution.rows };
        list[side.index] += side.sign * multiplier;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Label, RowKind};

    /// Minimises x² + y² with x = each of `values`, from the point given.
    fn polished(values: &[f64], from: [f64; 2]) -> (bool, QpSolution) {
        let mut qp = Qp::default();
        qp.reset(2);
        (0..2).for_each(|k| qp.add_regularisation(k, 1.0));
        for value in values {
            let label =
                Label { kind: RowKind::Other, name: "x".into(), unit: "m", origin: crate::Origin::default() };
            qp.push_equality(&[1.0, 0.0], -value, 1.0, &label);
        }
        let mut solution = QpSolution {
            x: from.to_vec(),
            equality: vec![0.0; values.len()],
            bounds: vec![0.0; 2],
            ..QpSolution::default()
        };
        (polish(&qp, &mut solution), solution)
    }

    #[test]
    fn equalities_that_say_the_same_twice_are_held() {
        let (improved, solution) = polished(&[1.0, 1.0], [0.9, 0.1]);
        assert!(improved);
        assert!((solution.x[0] - 1.0).abs() < 1e-12 && solution.x[1].abs() < 1e-12, "{:?}", solution.x);
        assert!((solution.equality.iter().sum::<f64>() - 2.0).abs() < 1e-9, "they share one multiplier");
    }

    #[test]
    fn a_point_whose_limits_contradict_each_other_is_left_alone() {
        let (improved, solution) = polished(&[1.0, 1.1], [0.9, 0.1]);
        assert!(!improved);
        assert_eq!(solution.x, [0.9, 0.1]);
    }
}
