//! The quadratic program of one frame as plain data, with a label for every row and column.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

#[doc(hidden)] // shared with aplomb-control, not a public API
pub mod conflict;
mod labels;
mod shares;
pub mod solver;

pub use labels::{Label, Labels, LimitKind, Origin, RowKind, RowLabel, UnknownKind, UnknownLabel};
pub use shares::{LimitShare, Shares};

use aplomb_math::kernel;
use aplomb_math::matrix::RowMatrix;
use serde::{Deserialize, Serialize};

/// minimise ½ xᵀ P x + gᵀ x  subject to  E x = e,  l ≤ C x ≤ u,  lower ≤ x ≤ upper.
///
/// P is symmetric positive definite (n × n, stored in full). Bounds are stored apart from rows and equalities apart
/// from inequalities, so that solvers can use the structure. An infinite limit is not imposed.
#[doc(alias = "quadratic program")]
#[doc(alias = "QP")]
#[derive(Clone, Debug, Default)]
pub struct Qp {
    /// P, n × n, symmetric and stored in full.
    pub hessian: RowMatrix,
    /// g, n numbers.
    pub gradient: Vec<f64>,
    /// E, one row per equality.
    pub equality: RowMatrix,
    /// e, one number per row of E.
    pub equality_value: Vec<f64>,
    /// C, one row per two-sided inequality.
    pub rows: RowMatrix,
    /// l, one number per row of C; −∞ for none.
    pub rows_lower: Vec<f64>,
    /// u, one number per row of C; ∞ for none.
    pub rows_upper: Vec<f64>,
    /// Lower bounds of the unknowns, n numbers; −∞ for none.
    pub lower: Vec<f64>,
    /// Upper bounds of the unknowns, n numbers; ∞ for none.
    pub upper: Vec<f64>,
    /// Labels of the rows of E.
    pub equality_labels: Labels<RowKind>,
    /// Labels of the rows of C.
    pub row_labels: Labels<RowKind>,
    /// Labels of the unknowns.
    pub column_labels: Labels<UnknownKind>,
    /// Block number of each unknown, where P is known to be zero between any two different blocks except the
    /// last; empty where no such structure is known.
    pub blocks: Vec<usize>,
}

impl Qp {
    /// Resets the problem to `size` unknowns without limits, and keeps its allocations.
    pub fn reset(&mut self, size: usize) {
        self.hessian.reshape(size, size);
        for i in 0..size {
            // `complete` writes the entries below the diagonal.
            self.hessian.row_mut(i)[i..].fill(0.0);
        }
        for rows in [&mut self.equality, &mut self.rows] {
            rows.reset(size);
        }
        self.gradient.clear();
        self.gradient.resize(size, 0.0);
        self.equality_value.clear();
        self.rows_lower.clear();
        self.rows_upper.clear();
        self.lower.clear();
        self.lower.resize(size, f64::NEG_INFINITY);
        self.upper.clear();
        self.upper.resize(size, f64::INFINITY);
        self.equality_labels.clear();
        self.row_labels.clear();
        self.column_labels.clear();
        self.blocks.clear();
    }

    /// Adds weight Σ (a·x + b)² over rows of one length, stored one after the other, to the upper triangle of
    /// P (see [`Qp::complete`]). Rows of an articulated body are zero except in a few blocks of unknowns (the
    /// joints between a point and the root), and only those are multiplied; the coefficients of unknowns
    /// beyond the rows are zero.
    pub fn add_squares(&mut self, weight: f64, rows: &[f64], constants: &[f64]) {
        let length = rows.len().checked_div(constants.len()).unwrap_or(0);
        if length == 0 {
            return;
        }
        for (rows, constants) in rows.chunks(4 * length).zip(constants.chunks(4)) {
            // A group of fewer than four rows is filled up with the first row at weight 0.
            let mut four = [&rows[..length]; 4];
            let (mut factors, mut offsets) = ([0.0; 4], [0.0; 4]);
            for (k, (row, b)) in rows.chunks_exact(length).zip(constants).enumerate() {
                (four[k], factors[k], offsets[k]) = (row, 2.0 * weight, *b);
            }
            kernel::add_squares(self.hessian.as_mut_slice(), &mut self.gradient, &factors, &offsets, four);
        }
    }

    /// Adds weight Σ (a xⱼ + b)² over rows that have a coefficient in one of the `columns` each.
    pub fn add_single_squares(&mut self, weight: f64, columns: &[usize], a: &[f64], b: &[f64]) {
        let hessian = self.hessian.as_mut_slice();
        kernel::add_single_squares(hessian, &mut self.gradient, 2.0 * weight, columns, a, b);
    }

    /// Adds unknowns without limits, cost or label, up to `size`.
    #[doc(alias = "slack variables")]
    pub fn widen(&mut self, size: usize) {
        if size == self.size() {
            return;
        }
        for matrix in [&mut self.hessian, &mut self.equality, &mut self.rows] {
            matrix.widen(size);
        }
        while self.hessian.rows() < size {
            self.hessian.push_zeros();
        }
        self.gradient.resize(size, 0.0);
        self.lower.resize(size, f64::NEG_INFINITY);
        self.upper.resize(size, f64::INFINITY);
    }

    /// Adds weight x_j² to the cost.
    #[doc(alias = "Tikhonov")]
    #[doc(alias = "damping")]
    pub fn add_regularisation(&mut self, column: usize, weight: f64) {
        self.hessian.row_mut(column)[column] += 2.0 * weight;
    }

    /// Mirrors the upper triangle of P into the lower one.
    pub fn complete(&mut self) {
        let n = self.size();
        kernel::mirror(self.hessian.as_mut_slice(), n);
    }

    /// Adds the equality a·x + b = 0, multiplied by `scale`.
    pub fn push_equality(&mut self, a: &[f64], b: f64, scale: f64, label: &RowLabel) {
        self.equality.push_scaled(a, scale);
        self.equality_value.push(-scale * b);
        self.equality_labels.push(label);
    }

    /// Adds the inequality lower ≤ a·x + b ≤ upper, multiplied by `scale`.
    pub fn push_row(&mut self, a: &[f64], b: f64, [lower, upper]: [f64; 2], scale: f64, label: &RowLabel) {
        self.rows.push_scaled(a, scale);
        self.rows_lower.push(scale * (lower - b));
        self.rows_upper.push(scale * (upper - b));
        self.row_labels.push(label);
    }

    /// Number of unknowns.
    pub fn size(&self) -> usize {
        self.gradient.len()
    }

    /// ½ xᵀ P x + gᵀ x
    pub fn objective(&self, x: &[f64]) -> f64 {
        (0..self.size()).map(|i| x[i] * (0.5 * self.hessian.dot(i, x) + self.gradient[i])).sum()
    }

    /// The largest violation of any constraint at `x`, in the rows' own scaling.
    pub fn violation(&self, x: &[f64]) -> f64 {
        let equalities =
            self.equality_value.iter().enumerate().map(|(i, value)| (self.equality.dot(i, x) - value).abs());
        let rows = (0..self.rows.rows()).map(|i| {
            let value = self.rows.dot(i, x);
            (self.rows_lower[i] - value).max(value - self.rows_upper[i])
        });
        let bounds = (0..self.size()).map(|j| (self.lower[j] - x[j]).max(x[j] - self.upper[j]));
        equalities.chain(rows).chain(bounds).fold(0.0, f64::max)
    }

    /// Name of the first entry that is not finite (limits may be infinite but not NaN), if there is one.
    pub fn non_finite(&self) -> Option<String> {
        let bad = |values: &[f64]| values.iter().position(|value| !value.is_finite());
        let nan = |values: &[f64]| values.iter().position(|value| value.is_nan());
        let n = self.size().max(1);
        if let Some(k) = bad(self.hessian.as_slice()) {
            return Some(format!("Hessian at `{}`", self.column_name(k / n)));
        }
        if let Some(k) = bad(&self.gradient) {
            return Some(format!("gradient at `{}`", self.column_name(k)));
        }
        if let Some(k) = bad(self.equality.as_slice()).map(|k| k / n).or(bad(&self.equality_value)) {
            return Some(format!("equality `{}`", name_of(&self.equality_labels, k)));
        }
        if let Some(k) =
            bad(self.rows.as_slice()).map(|k| k / n).or(nan(&self.rows_lower)).or(nan(&self.rows_upper))
        {
            return Some(format!("row `{}`", name_of(&self.row_labels, k)));
        }
        nan(&self.lower).or(nan(&self.upper)).map(|k| format!("bound of `{}`", self.column_name(k)))
    }

    fn column_name(&self, column: usize) -> String {
        name_of(&self.column_labels, column)
    }
}

fn name_of<K>(labels: &[Label<K>], index: usize) -> String {
    labels.get(index).map_or_else(|| format!("number {index}"), |label| label.name.to_string())
}

/// A limit of a QP, for certificates and reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Limit {
    /// Row of E, by index.
    Equality(usize),
    /// Lower end of a row of C, by index.
    RowLower(usize),
    /// Upper end of a row of C, by index.
    RowUpper(usize),
    /// Lower bound of an unknown, by index.
    Lower(usize),
    /// Upper bound of an unknown, by index.
    Upper(usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_add_the_outer_products_of_their_rows_wherever_these_are_not_zero() {
        const SIZE: usize = 90;
        for count in 1..=6 {
            let mut rows = vec![0.0; count * SIZE];
            let constants: Vec<f64> = (0..count).map(|k| k as f64 - 2.0).collect();
            for (r, row) in rows.chunks_mut(SIZE).enumerate() {
                for k in [0, 1, 7, 8, 20, 40, 45, 50, 56, 62, 68, 74, 80, 86, 89] {
                    row[(k + r) % SIZE] = 1.0 + (k * (r + 1) % 7) as f64;
                }
            }
            let mut qp = Qp::default();
            qp.reset(SIZE);
            qp.add_squares(0.5, &rows, &constants);
            qp.complete();
            let sum = |of: &dyn Fn(&[f64], f64) -> f64| -> f64 {
                rows.chunks(SIZE).zip(&constants).map(|(row, b)| of(row, *b)).sum()
            };
            for i in 0..SIZE {
                assert_eq!(qp.gradient[i], sum(&|row, b| row[i] * b));
                for j in 0..SIZE {
                    assert_eq!(qp.hessian.row(i)[j], sum(&|row, _| row[i] * row[j]), "{count}: {i}, {j}");
                }
            }
        }
    }

    #[test]
    fn squares_of_rows_of_any_length_and_of_single_entries_are_those_of_full_rows() {
        // All sizes leave a remainder of a block; the last exceeds the list of blocks.
        for size in [3, 41, 602] {
            let columns = [size - 1, 0, 1, size / 2, 0];
            let (a, b) = ([0.3, -0.7, 1.1, 0.9, 0.2], [0.5, 0.0, -0.1, 0.4, 0.6]);
            let mut rows = vec![0.0; 5 * size];
            for (row, (column, a)) in rows.chunks_mut(size).zip(columns.iter().zip(a)) {
                row[*column] = a;
            }
            let mut qps = [Qp::default(), Qp::default(), Qp::default()];
            qps.iter_mut().for_each(|qp| qp.reset(size));
            qps[0].add_squares(0.7, &rows, &b);
            qps[1].add_single_squares(0.7, &columns, &a, &b);
            assert_eq!(qps[0].gradient, qps[1].gradient);
            assert_eq!(qps[0].hessian, qps[1].hessian);
            let waves: Vec<f64> = (0..5 * size).map(|k| (k as f64).sin()).collect();
            qps[2].add_squares(0.7, &waves, &b);
            for (i, j) in [(0, 0), (0, size - 1), (size / 3, size / 2), (size - 1, size - 1)] {
                let sum: f64 = waves.chunks(size).map(|row| 1.4 * row[i] * row[j]).sum();
                assert!((qps[2].hessian.row(i)[j] - sum).abs() < 1e-12, "{size}: {i}, {j}");
            }
        }
    }
}
