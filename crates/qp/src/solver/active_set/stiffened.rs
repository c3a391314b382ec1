//! A singular P made definite by the equalities: ½ xᵀ P x + gᵀ x + ½ Σ_k ρ_k (E_k x − e_k)² has the minimum and the
//! multipliers of the problem itself, because the sum and its gradient are zero where E x = e ([Hestenes 1969],
//! the augmented Lagrangian).
//!
//! A frame has curvature only along motions that need joint torque; those that need none change the equations of
//! motion of the root, which are equalities.

use crate::Qp;

/// Writes the problem with the squared equalities to `stiff`; false if it has none with coefficients, or a number that
/// is not finite.
pub(super) fn write(qp: &Qp, stiff: &mut Qp) -> bool {
    let largest = (0..qp.size()).fold(0.0, |most: f64, k| most.max(qp.hessian.row(k)[k]));
    let square = |row: &[f64]| row.iter().fold(0.0, |most: f64, a| most.max(a * a));
    let has_rows = (0..qp.equality.rows()).any(|k| square(qp.equality.row(k)) > 0.0);
    if !has_rows || largest <= 0.0 || qp.non_finite().is_some() {
        return false;
    }
    stiff.clone_from(qp);
    // Equalities connect unknowns of several blocks.
    stiff.blocks.clear();
    for (k, value) in qp.equality_value.iter().enumerate() {
        let row = qp.equality.row(k);
        let size = square(row);
        if size > 0.0 {
            // A square of weight w is w (E_k x − e_k)², twice ½ w.
            stiff.add_squares(0.5 * largest / size, row, &[-value]);
        }
    }
    stiff.complete();
    true
}

#[cfg(test)]
mod tests {
    use super::super::ActiveSet;
    use super::*;
    use crate::solver::{QpSolution, QpSolver};
    use crate::{Label, Origin, RowKind};

    #[test]
    fn equalities_make_a_singular_cost_definite_and_change_neither_minimum_nor_multipliers() {
        // ½·2·10⁶ (x₀ + x₁ − 1)² has no curvature along (1, −1); x₀ − x₁ = 3 determines the rest.
        let mut qp = Qp::default();
        qp.reset(2);
        qp.add_squares(1e6, &[1.0, 1.0], &[-1.0]);
        let label =
            Label { kind: RowKind::Other, name: "apart".into(), unit: "1", origin: Origin::default() };
        qp.push_equality(&[1.0, -1.0], -3.0, 1.0, &label);
        qp.complete();
        qp.gradient[0] += 5.0;
        qp.gradient[1] -= 5.0;
        let (mut solver, mut solution) = (ActiveSet::default(), QpSolution::default());
        solver.solve(&qp, &mut solution).expect("a solution");
        assert!((solution.x[0] - 2.0).abs() < 1e-9 && (solution.x[1] + 1.0).abs() < 1e-9, "{:?}", solution.x);
        assert!((solution.equality[0].abs() - 5.0).abs() < 1e-6, "{:?}", solution.equality);
        assert_eq!(solver.steps, 0, "no proximal steps");
    }
}
