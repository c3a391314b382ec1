//! The rows of a frame's objectives, kept as long as the frame: written into the QP of each attempt, evaluated
//! at its solution.

use crate::affine::Affine;
use crate::matrix::RowMatrix;
use crate::qp::Label;
use std::ops::Range;

/// Rows r(x) = a·x + b of one objective, weighed as weight ‖r‖².
#[derive(Clone, Debug)]
pub struct Term {
    /// Index in the trace's list of objectives.
    pub cost: usize,
    pub weight: f64,
    /// Author of a hard objective: its rows are equalities as long as they can hold.
    pub hard: Option<Label>,
    rows: Range<usize>,
}

/// All objectives of a frame but muscle change, which is read off the equations of motion. Memory is reused.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    coefficients: RowMatrix,
    constants: Vec<f64>,
    pub list: Vec<Term>,
}

impl Terms {
    /// Empties the list for a frame of so many unknowns.
    pub fn reset(&mut self, unknowns: usize) {
        self.coefficients.reset(unknowns);
        self.constants.clear();
        self.list.clear();
    }

    pub fn push(&mut self, cost: usize, weight: f64, hard: Option<Label>, rows: &Affine<'_>) {
        let first = self.constants.len();
        for row in 0..rows.rows() {
            self.coefficients.push_zeros()[..rows.width()].copy_from_slice(rows.coefficients(row));
            self.constants.push(rows.constant(row));
        }
        self.list.push(Term { cost, weight, hard, rows: first..self.constants.len() });
    }

    /// Coefficients and constants of a term's rows.
    pub fn rows(&self, term: &Term) -> impl Iterator<Item = (&[f64], f64)> {
        term.rows.clone().map(|row| (self.coefficients.row(row), self.constants[row]))
    }

    /// r(x) of a term, row by row.
    pub fn values<'t>(&'t self, term: &'t Term, x: &'t [f64]) -> impl Iterator<Item = f64> + 't {
        self.rows(term).map(move |(a, b)| dot(a, x) + b)
    }
}

/// a·x over the entries of `a`; x may be longer.
pub fn dot(a: &[f64], x: &[f64]) -> f64 {
    // Four sums, so that the processor need not wait for one.
    let mut sums = [0.0; 4];
    let (fours, rest) = a.split_at(a.len() / 4 * 4);
    for (a, x) in fours.chunks_exact(4).zip(x.chunks_exact(4)) {
        for k in 0..4 {
            sums[k] += a[k] * x[k];
        }
    }
    let tail: f64 = rest.iter().zip(&x[fours.len()..]).map(|(a, x)| a * x).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + tail
}
