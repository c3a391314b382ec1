//! The optimality conditions hold on random strictly convex problems.

use super::{add_equality, add_row, optimality_error, solve};
use aplomb::qp::Qp;
use proptest::prelude::*;

/// P = BᵀB + `least` 1; all limits leave room for one point, so that the problem is feasible.
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
