//! The optimality conditions hold on random strictly convex problems.

use super::{add_equality, add_row, optimality_error, solve};
use aplomb::qp::Qp;
use proptest::prelude::*;

/// P = BᵀB + `least` 1; one point satisfies all limits, so that the problem is feasible.
fn feasible() -> impl Strategy<Value = Qp> {
    (1..20_usize, 0..6_usize, 0..25_usize, -6..1_i32).prop_flat_map(|(n, equalities, rows, exponent)| {
        let numbers = |count: usize| prop::collection::vec(-1.0..1.0_f64, count);
        let room =
            prop::collection::vec(prop_oneof![Just(0.0), 0.0..1.0_f64, Just(f64::INFINITY)], 2 * (rows + n));
        let equalities = equalities.min(n / 2);
        (numbers(n * n), numbers(n), numbers(n), numbers(equalities * n), numbers(rows * n), room).prop_map(
            move |(b, g, point, e, c, room)| {
                let mut qp = Qp::default();
                qp.reset(n);
                for i in 0..n {
                    for j in 0..n {
                        let product: f64 = (0..n).map(|k| b[k * n + i] * b[k * n + j]).sum();
                        qp.hessian.row_mut(i)[j] = product;
                    }
                    qp.hessian.row_mut(i)[i] += 10_f64.powi(exponent);
                    qp.gradient[i] = 10.0 * g[i];
                }
                let value = |row: &[f64]| row.iter().zip(&point).map(|(a, x)| a * x).sum::<f64>();
                for row in e.chunks_exact(n) {
                    add_equality(&mut qp, row, value(row));
                }
                let room = |k: usize| (room[2 * k], room[2 * k + 1]);
                for (k, row) in c.chunks_exact(n).enumerate() {
                    let (below, above) = room(k);
                    add_row(&mut qp, row, value(row) - below, value(row) + above);
                }
                for (j, x) in point.iter().enumerate() {
                    let (below, above) = room(rows + j);
                    (qp.lower[j], qp.upper[j]) = (x - below, x + above);
                }
                qp
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn solutions_satisfy_the_optimality_conditions(qp in feasible()) {
        let solution = solve("active_set", &qp).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let error = optimality_error(&qp, &solution);
        prop_assert!(error < 1e-9, "off by {error:e}");
    }
}

/// Three equations whose condition number is 1000 determine the point, which also lies on all three bounds: residuals
/// of 1e-11, which the solver accepts, are 1e-8 in the point.
#[test]
fn a_vertex_of_nearly_parallel_rows_is_off_by_no_more_than_their_condition_makes_of_a_residual() {
    let mut qp = Qp::default();
    qp.reset(3);
    let hessian = [[0.489, 0.518, 0.730], [0.518, 1.143, 0.211], [0.730, 0.211, 1.740]];
    for (i, row) in hessian.iter().enumerate() {
        qp.hessian.row_mut(i).copy_from_slice(row);
    }
    qp.gradient = vec![-8.566, 0.928, 0.0];
    let (point, mut rows) = ([0.9752, 0.0, 0.0], [[-0.0676, -0.0283, -0.8996]; 3]);
    (rows[1], rows[2]) = ([-0.9576, 0.9186, 0.7015], [0.9905, -0.8226, 0.6236]);
    let value = |row: &[f64; 3]| row[0] * point[0];
    add_equality(&mut qp, &rows[0], value(&rows[0]));
    for row in &rows[1..] {
        add_row(&mut qp, row, value(row), value(row));
    }
    (qp.lower, qp.upper) = (vec![0.1, -0.8, 0.0], vec![point[0], 0.0, 0.6]);
    let solution = solve("active_set", &qp).expect("feasible");
    for (x, exact) in solution.x.iter().zip(point) {
        assert!((x - exact).abs() < 1e-8, "{:?}", solution.x);
    }
}
