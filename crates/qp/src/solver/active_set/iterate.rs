//! The current iterate, and how well it satisfies the optimality conditions.

use super::limit::{ActiveConstraint, ActiveEnd, FixedColumn, Normal};
use super::working_set::{Singular, WorkingSet};
use crate::Qp;
use aplomb_math::kernel;

/// The iterate and the limits active at it.
#[derive(Clone, Debug, Default)]
pub(super) struct Iterate {
    pub x: Vec<f64>,
    /// C x
    pub values: Vec<f64>,
    /// P x + g − Σ λ_i a_i over the members: zero in free columns, the multiplier in fixed ones.
    pub residual: Vec<f64>,
    /// Magnitude of the terms of the residual.
    scale: f64,
    pub fixed: Vec<FixedColumn>,
    /// Rates of the multipliers of fixed columns along the projection of the face.
    pub fixed_rates: Vec<f64>,
    /// The side at which each column is active, if any; `rows` likewise for each row.
    pub columns: Vec<Option<ActiveEnd>>,
    pub rows: Vec<Option<ActiveEnd>>,
    /// Limits that hold because active ones imply them; they are not members.
    implied: Vec<ActiveConstraint>,
    pub direction: Vec<f64>,
    pub normal: Vec<f64>,
    /// Cost of a unit of violation by column and row, in the metric of the diagonal of P.
    column_prices: Vec<f64>,
    row_prices: Vec<f64>,
    pub iterations: u32,
    pub iteration_limit: u32,
    /// δ of the proximal term ½ δ ‖x − centre‖²; 0 for no such term.
    pub shift: f64,
    pub centre: Vec<f64>,
}

impl Iterate {
    /// Allocates room for `size` unknowns and `rows` rows.
    pub(super) fn reserve(&mut self, size: usize, rows: usize) {
        let vectors = [
            &mut self.x,
            &mut self.residual,
            &mut self.direction,
            &mut self.normal,
            &mut self.centre,
            &mut self.column_prices,
        ];
        for vector in vectors {
            vector.clear();
            vector.resize(size, 0.0);
        }
        self.columns.clear();
        self.columns.resize(size, None);
        self.fixed.clear();
        self.fixed.reserve(size);
        self.fixed_rates.clear();
        self.fixed_rates.reserve(size);
        self.implied.clear();
        self.implied.reserve(size);
        self.reserve_rows(rows);
    }

    pub(super) fn reserve_rows(&mut self, rows: usize) {
        self.values.resize(rows, 0.0);
        self.row_prices.resize(rows, 0.0);
        self.rows.resize(rows, None);
    }

    /// Computes the residual from the problem data.
    pub(super) fn evaluate_residual(&mut self, qp: &Qp, face: &WorkingSet) {
        let n = qp.size();
        if self.x.iter().all(|x| *x == 0.0) {
            self.residual.fill(0.0);
        } else {
            kernel::multiply(qp.hessian.as_slice(), n, &self.x, &mut self.residual);
        }
        self.scale = 1.0;
        for (residual, g) in self.residual.iter_mut().zip(&qp.gradient) {
            self.scale = self.scale.max(residual.abs()).max(g.abs());
            *residual += g;
        }
        if self.shift != 0.0 {
            for ((residual, x), centre) in self.residual.iter_mut().zip(&self.x).zip(&self.centre) {
                *residual += self.shift * (x - centre);
            }
        }
        for member in face.members() {
            if member.multiplier != 0.0 {
                member.held.normal.add_to(qp, -member.multiplier, &mut self.residual);
            }
        }
    }

    /// Computes the prices by which violations are compared. With P taken as diagonal, amount × price is the
    /// square root of twice the cost of satisfying the limit.
    pub(super) fn set_prices(&mut self, qp: &Qp) {
        let n = qp.size();
        self.direction.clear();
        self.direction.extend((0..n).map(|j| {
            let curvature = qp.hessian.row(j)[j] + self.shift;
            if curvature > 0.0 { 1.0 / curvature } else { 1.0 }
        }));
        self.column_prices.clear();
        self.column_prices.extend(self.direction.iter().map(|inverse| inverse.sqrt().recip()));
        self.row_prices.clear();
        self.row_prices.extend((0..qp.rows.rows()).map(|k| {
            let square = weighted_square(qp.rows.row(k), &self.direction);
            if square > 0.0 { square.sqrt().recip() } else { 1.0 }
        }));
    }

    pub(super) fn evaluate_rows(&mut self, qp: &Qp) {
        kernel::multiply(qp.rows.as_slice(), qp.size(), &self.x, &mut self.values);
    }

    /// The largest residual of stationarity in free columns and of active limits, relative to its terms; NaN
    /// where any input is not finite.
    pub(super) fn error(&self, qp: &Qp, face: &WorkingSet) -> f64 {
        // A NaN must survive the maximum.
        let worse = |worst: f64, error: f64| if error <= worst || worst.is_nan() { worst } else { error };
        let entries = self.residual.iter().zip(&self.columns);
        let gradients = entries.map(|(r, held)| if held.is_some() { 0.0 * r } else { r.abs() / self.scale });
        let held = face.members().iter().map(|member| {
            let value = member.held.value(qp);
            (member.held.normal.dot(qp, &self.x) - value).abs() / (1.0 + value.abs())
        });
        let finite = self.values.iter().map(|value| 0.0 * value);
        gradients.chain(held).chain(finite).fold(0.0, worse)
    }

    pub(super) fn set_held(&mut self, held: ActiveConstraint, is_held: bool) {
        let side = is_held.then_some(held.side);
        match held.normal {
            Normal::Row(k) => self.rows[k] = side,
            Normal::Column(j) => self.columns[j] = side,
            Normal::Equality(_) => {}
        }
    }

    /// Marks a limit as active because the active limits imply it.
    pub(super) fn imply(&mut self, held: ActiveConstraint) {
        self.implied.push(held);
        self.set_held(held, true);
    }

    /// Clears the implied limits, because a limit that implied them may have left.
    pub(super) fn forget_implied(&mut self) {
        while let Some(held) = self.implied.pop() {
            self.set_held(held, false);
        }
    }

    /// Frees the fixed column with this index.
    pub(super) fn release_fixed(
        &mut self,
        qp: &Qp,
        face: &mut WorkingSet,
        index: usize,
    ) -> Result<(), Singular> {
        let FixedColumn { column, .. } = self.fixed.remove(index);
        self.columns[column] = None;
        face.set_free(qp, column)
    }

    /// Cost of a unit of violation of a limit with this normal.
    pub(super) fn price(&self, normal: Normal) -> f64 {
        match normal {
            Normal::Column(j) => self.column_prices[j],
            Normal::Row(k) => self.row_prices[k],
            Normal::Equality(_) => 1.0,
        }
    }
}

/// Σ wₖ aₖ²; most entries of a row are zero and are skipped four at a time.
fn weighted_square(row: &[f64], weights: &[f64]) -> f64 {
    let mut sum = 0.0;
    let ((row, row_rest), (weights, weights_rest)) = (row.as_chunks::<4>(), weights.as_chunks::<4>());
    for (row, weights) in row.iter().zip(weights) {
        if *row == [0.0; 4] {
            continue;
        }
        for (a, weight) in row.iter().zip(weights) {
            sum += a * a * weight;
        }
    }
    row_rest.iter().zip(weights_rest).fold(sum, |sum, (a, weight)| sum + a * a * weight)
}
