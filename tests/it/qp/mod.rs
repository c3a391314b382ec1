//! The QP kernel `active_set` against the optimality conditions, against Clarabel and against constructed
//! problems.

mod conflicts;
mod degenerate;
mod edges;
mod frames;
mod generator;
mod optimality;
mod reference;

use aplomb::math::matrix::RowMatrix;
use aplomb::qp::solver::{QpError, QpSolution, by_name};
use aplomb::qp::{Limit, Qp};

/// A problem without limits: ½ xᵀ P x + gᵀ x.
fn problem(hessian: &[&[f64]], gradient: &[f64]) -> Qp {
    let mut qp = Qp::default();
    qp.reset(gradient.len());
    qp.hessian = matrix(gradient.len(), hessian);
    qp.gradient.copy_from_slice(gradient);
    qp
}

fn matrix(columns: usize, rows: &[&[f64]]) -> RowMatrix {
    let mut matrix = RowMatrix::new(columns);
    for row in rows {
        matrix.push(row);
    }
    matrix
}

fn add_row(qp: &mut Qp, row: &[f64], lower: f64, upper: f64) {
    qp.rows.push(row);
    qp.rows_lower.push(lower);
    qp.rows_upper.push(upper);
}

fn add_equality(qp: &mut Qp, row: &[f64], value: f64) {
    qp.equality.push(row);
    qp.equality_value.push(value);
}

fn solve(name: &str, qp: &Qp) -> Result<QpSolution, QpError> {
    let mut solution = QpSolution::default();
    let mut solver = by_name(name).expect("a solver of this build");
    solver.solve(qp, &mut solution).map(|()| solution)
}

/// Largest residual of the optimality conditions: stationarity relative to its terms, limits and complementarity in
/// their own units, signs of multipliers relative to the largest.
fn optimality_error(qp: &Qp, solution: &QpSolution) -> f64 {
    let x = &solution.x;
    let mut stationarity: Vec<f64> = (0..qp.size()).map(|i| qp.hessian.dot(i, x) + qp.gradient[i]).collect();
    let scale = |values: &[f64]| values.iter().fold(1.0, |most: f64, value| most.max(value.abs()));
    let mut terms = scale(&stationarity).max(scale(&qp.gradient));
    let mut subtract = |rows: &RowMatrix, multipliers: &[f64]| {
        for (k, multiplier) in multipliers.iter().enumerate() {
            for (s, a) in stationarity.iter_mut().zip(rows.row(k)) {
                *s -= multiplier * a;
                terms = terms.max((multiplier * a).abs());
            }
        }
    };
    subtract(&qp.equality, &solution.equality);
    subtract(&qp.rows, &solution.rows);
    for (s, multiplier) in stationarity.iter_mut().zip(&solution.bounds) {
        *s -= multiplier;
        terms = terms.max(multiplier.abs());
    }
    let mut worst = stationarity.iter().fold(0.0, |most: f64, s| most.max(s.abs())) / terms;
    let largest = scale(&solution.rows).max(scale(&solution.bounds));
    let mut check = |value: f64, lower: f64, upper: f64, multiplier: f64| {
        let outside = (lower - value).max(value - upper).max(0.0);
        let below = if lower.is_finite() { value - lower } else { 1.0 };
        let above = if upper.is_finite() { upper - value } else { 1.0 };
        let loose = if multiplier >= 0.0 { below } else { above };
        let pulls = (multiplier.abs() / largest).min(loose.abs());
        worst = worst.max(outside / (1.0 + value.abs())).max(pulls / (1.0 + value.abs()));
    };
    for k in 0..qp.rows.rows() {
        check(qp.rows.dot(k, x), qp.rows_lower[k], qp.rows_upper[k], solution.rows[k]);
    }
    for (j, &value) in x.iter().enumerate() {
        check(value, qp.lower[j], qp.upper[j], solution.bounds[j]);
    }
    for k in 0..qp.equality.rows() {
        let value = qp.equality_value[k];
        worst = worst.max((qp.equality.dot(k, x) - value).abs() / (1.0 + value.abs()));
    }
    worst
}

/// Whether the limits of a certificate, with these weights, add up to 0 ≥ a positive number. Weights of equalities
/// are given without sign, so both signs are tried.
fn proves_conflict(qp: &Qp, certificate: &[(Limit, f64)]) -> bool {
    let equalities: Vec<usize> =
        (0..certificate.len()).filter(|&k| matches!(certificate[k].0, Limit::Equality(_))).collect();
    (0..1_u32 << equalities.len()).any(|signs| {
        let mut sum = vec![0.0; qp.size()];
        let (mut gain, mut terms) = (0.0, 0.0);
        for (k, &(limit, weight)) in certificate.iter().enumerate() {
            let flip = equalities.iter().position(|&e| e == k).is_some_and(|bit| signs >> bit & 1 == 1);
            let (row, sign, value) = normal(qp, limit);
            let factor = if flip { -sign * weight } else { sign * weight };
            for (s, a) in sum.iter_mut().zip(&row) {
                *s += factor * a;
            }
            gain += factor * value;
            terms += (factor * value).abs();
        }
        gain > 1e-9 * (1.0 + terms) && sum.iter().all(|s| s.abs() < 1e-8)
    })
}

/// a, the sign of a·x ≥ value, and the value.
fn normal(qp: &Qp, limit: Limit) -> (Vec<f64>, f64, f64) {
    let unit = |j: usize| (0..qp.size()).map(|k| f64::from(u8::from(k == j))).collect();
    match limit {
        Limit::Equality(k) => (qp.equality.row(k).to_vec(), 1.0, qp.equality_value[k]),
        Limit::RowLower(k) => (qp.rows.row(k).to_vec(), 1.0, qp.rows_lower[k]),
        Limit::RowUpper(k) => (qp.rows.row(k).to_vec(), -1.0, qp.rows_upper[k]),
        Limit::Lower(j) => (unit(j), 1.0, qp.lower[j]),
        Limit::Upper(j) => (unit(j), -1.0, qp.upper[j]),
    }
}
