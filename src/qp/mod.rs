//! The quadratic program of one frame as plain data, with the author of every row and column.

use crate::diagnostic::Place;
use crate::matrix::RowMatrix;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Who asked for a row or column, in words its author knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// e.g. `root force z`, `gap of left_foot.sole.2 over ground`, `knee_l at its upper limit`.
    pub name: Arc<str>,
    /// Unit of the row's value (of the column's, for a column).
    pub unit: &'static str,
    pub source: Place,
}

/// minimise ½ xᵀ P x + gᵀ x  subject to  E x = e,  l ≤ C x ≤ u,  lower ≤ x ≤ upper.
///
/// P is symmetric positive definite (n × n, stored whole). Bounds are kept apart from rows and equalities apart
/// from inequalities, so that solvers can use the structure. Infinite limits mean none.
#[derive(Clone, Debug, Default)]
pub struct Qp {
    pub hessian: RowMatrix,
    pub gradient: Vec<f64>,
    pub equality: RowMatrix,
    pub equality_value: Vec<f64>,
    pub rows: RowMatrix,
    pub rows_lower: Vec<f64>,
    pub rows_upper: Vec<f64>,
    pub lower: Vec<f64>,
    pub upper: Vec<f64>,
    pub equality_labels: Vec<Label>,
    pub row_labels: Vec<Label>,
    pub column_labels: Vec<Label>,
}

impl Qp {
    /// Empties the problem for `size` unknowns without limits, keeping its memory.
    pub fn reset(&mut self, size: usize) {
        self.hessian.reset(size);
        for _ in 0..size {
            self.hessian.push_zeros();
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
    }

    /// Adds weight (a·x + b)² (to the upper triangle of P alone; see [`Qp::complete`]). Rows of an articulated body are zero but for a few runs of unknowns (the joints
    /// between a point and the root), and only these cost anything.
    pub fn add_square(&mut self, weight: f64, a: &[f64], b: f64) {
        let runs = Runs::of(a);
        let runs = runs.as_slice();
        for (first, run) in runs.iter().enumerate() {
            for i in run.clone() {
                let scaled = 2.0 * weight * a[i];
                self.gradient[i] += scaled * b;
                let row = self.hessian.row_mut(i);
                add_multiple(&mut row[i..run.end], &a[i..run.end], scaled);
                for other in &runs[first + 1..] {
                    add_multiple(&mut row[other.clone()], &a[other.clone()], scaled);
                }
            }
        }
    }

    /// Adds unknowns without limits, cost or name, up to `size`.
    pub fn widen(&mut self, size: usize) {
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
    pub fn add_regularisation(&mut self, column: usize, weight: f64) {
        self.hessian.row_mut(column)[column] += 2.0 * weight;
    }

    /// Mirrors the upper triangle of P into the lower one.
    pub fn complete(&mut self) {
        for i in 1..self.size() {
            for j in 0..i {
                self.hessian.row_mut(i)[j] = self.hessian.row(j)[i];
            }
        }
    }

    /// Demands a·x + b = 0, scaled.
    pub fn push_equality(&mut self, a: &[f64], b: f64, scale: f64, label: Label) {
        for (e, a) in self.equality.push_zeros().iter_mut().zip(a) {
            *e = scale * a;
        }
        self.equality_value.push(-scale * b);
        self.equality_labels.push(label);
    }

    /// Demands lower ≤ a·x + b ≤ upper, all scaled.
    pub fn push_row(&mut self, a: &[f64], b: f64, [lower, upper]: [f64; 2], scale: f64, label: Label) {
        for (c, a) in self.rows.push_zeros().iter_mut().zip(a) {
            *c = scale * a;
        }
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

    /// Names the first number that is not finite (limits may be infinite, not NaN), if any.
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

fn name_of(labels: &[Label], index: usize) -> String {
    labels.get(index).map_or_else(|| format!("number {index}"), |label| label.name.to_string())
}

/// Which limit of a QP, for certificates and reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Limit {
    Equality(usize),
    RowLower(usize),
    RowUpper(usize),
    Lower(usize),
    Upper(usize),
}

/// y += s x
fn add_multiple(y: &mut [f64], x: &[f64], s: f64) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += s * x;
    }
}

/// Where a row is not zero: runs of columns in order, with short gaps taken in.
struct Runs {
    list: [std::ops::Range<usize>; Runs::MOST],
    count: usize,
}

impl Runs {
    const MOST: usize = 12;
    /// Zeros between two runs that are cheaper to take in than to step over.
    const GAP: usize = 4;

    fn of(a: &[f64]) -> Runs {
        let mut runs = Runs { list: std::array::from_fn(|_| 0..0), count: 0 };
        for (k, &value) in a.iter().enumerate() {
            if value != 0.0 {
                match runs.count.checked_sub(1) {
                    Some(last) if k <= runs.list[last].end + Runs::GAP || runs.count == Runs::MOST => {
                        runs.list[last].end = k + 1;
                    }
                    _ => {
                        runs.list[runs.count] = k..k + 1;
                        runs.count += 1;
                    }
                }
            }
        }
        runs
    }

    fn as_slice(&self) -> &[std::ops::Range<usize>] {
        &self.list[..self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_adds_the_outer_product_of_its_row_wherever_the_row_is_not_zero() {
        let mut row = vec![0.0; 90];
        for k in [0, 1, 7, 8, 20, 40, 45, 50, 56, 62, 68, 74, 80, 86, 89] {
            row[k] = 1.0 + k as f64;
        }
        let mut qp = Qp::default();
        qp.reset(row.len());
        qp.add_square(0.5, &row, -2.0);
        qp.complete();
        for i in 0..row.len() {
            assert_eq!(qp.gradient[i], -2.0 * row[i]);
            for j in 0..row.len() {
                assert_eq!(qp.hessian.row(i)[j], row[i] * row[j], "{i}, {j}");
            }
        }
    }
}
