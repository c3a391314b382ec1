//! The rows of a frame's objectives: written into the QP of each attempt, and evaluated at its solution.

use aplomb_math::affine::Affine;
use aplomb_math::kernel::dot;
use aplomb_qp::RowLabel;
use std::ops::Range;

/// Rows r(x) = a·x + b of one objective with cost weight ‖r‖².
#[derive(Clone, Debug)]
pub(super) struct Term {
    /// Index in the trace's list of objectives.
    pub cost: usize,
    pub weight: f64,
    pub standing: Standing,
    coefficients: Range<usize>,
    constants: Range<usize>,
    /// If each row has only one coefficient, their columns; otherwise empty.
    columns: Range<usize>,
}

/// The rows of a term.
pub(super) enum TermRows<'t> {
    /// Coefficients over the first unknowns, one row after the other, and constants.
    Full(&'t [f64], &'t [f64]),
    /// Column, coefficient and constant of each row, if every row has only one coefficient.
    Single(&'t [usize], &'t [f64], &'t [f64]),
}

/// How the rows of an objective enter the problem.
#[derive(Clone, Debug, Default)]
pub(super) struct Standing {
    /// Whether they are constraints, equalities or limits, unless they are relaxed.
    pub hard: bool,
    /// Bounds between which r has no cost.
    pub free: [f64; 2],
    /// Label, if they may be rows of the problem.
    pub label: Option<RowLabel>,
}

impl Standing {
    /// Whether only r = 0 has no cost.
    pub(super) fn is_exact(&self) -> bool {
        self.free == [0.0, 0.0]
    }

    /// The part of r that has a cost.
    pub(super) fn excess(&self, r: f64) -> f64 {
        let [least, most] = self.free;
        r - r.clamp(least, most)
    }

    /// Sign with which a slack unknown extends the bounds, and the lower bound of that unknown.
    pub(super) fn give(&self) -> (f64, f64) {
        match self.free.map(f64::is_finite) {
            [true, true] => (1.0, f64::NEG_INFINITY),
            [true, false] => (1.0, 0.0),
            _ => (-1.0, 0.0),
        }
    }
}

impl Term {
    /// The label of a hard objective.
    pub(super) fn hard(&self) -> Option<&RowLabel> {
        self.standing.label.as_ref().filter(|_| self.standing.hard)
    }
}

/// All objectives of a frame except torque change, which follows from the equations of motion. The memory is
/// reused.
#[derive(Clone, Debug, Default)]
pub(super) struct FrameTerms {
    coefficients: Vec<f64>,
    constants: Vec<f64>,
    columns: Vec<usize>,
    pub list: Vec<Term>,
}

impl FrameTerms {
    /// Empties the list for a frame.
    pub(super) fn clear(&mut self) {
        self.coefficients.clear();
        self.constants.clear();
        self.columns.clear();
        self.list.clear();
    }

    /// Allocates for this many more terms with the same number of rows as `rows`.
    pub(super) fn reserve(&mut self, terms: usize, rows: &Affine<'_>) {
        self.coefficients.reserve(terms * rows.all_coefficients().len());
        self.constants.reserve(terms * rows.constants().len());
        self.list.reserve(terms);
    }

    pub(super) fn push(&mut self, cost: usize, weight: f64, standing: Standing, rows: &Affine<'_>) {
        let first = [self.coefficients.len(), self.constants.len(), self.columns.len()];
        // Rows of the problem are stored in full.
        match rows.columns().filter(|_| standing.label.is_none()) {
            Some(columns) => {
                let entries = columns.iter().enumerate().map(|(row, column)| rows.coefficients(row)[*column]);
                self.coefficients.extend(entries);
                self.columns.extend_from_slice(columns);
            }
            None => self.coefficients.extend_from_slice(rows.all_coefficients()),
        }
        self.constants.extend_from_slice(rows.constants());
        self.list.push(Term {
            cost,
            weight,
            standing,
            coefficients: first[0]..self.coefficients.len(),
            constants: first[1]..self.constants.len(),
            columns: first[2]..self.columns.len(),
        });
    }

    /// All rows of a term.
    pub(super) fn all_rows(&self, term: &Term) -> TermRows<'_> {
        let (coefficients, constants) = self.numbers(term);
        match &self.columns[term.columns.clone()] {
            [] => TermRows::Full(coefficients, constants),
            columns => TermRows::Single(columns, coefficients, constants),
        }
    }

    /// Adds the gradient of weight ‖a·x + b‖² over the rows of a term.
    pub(super) fn add_gradient(&self, term: &Term, weight: f64, x: &[f64], gradient: &mut [f64]) {
        match self.all_rows(term) {
            TermRows::Full(rows, constants) => {
                let width = rows.len().checked_div(constants.len()).unwrap_or(0);
                for (k, b) in constants.iter().enumerate() {
                    let row = &rows[k * width..(k + 1) * width];
                    let slope = 2.0 * weight * (dot(row, &x[..width]) + b);
                    gradient.iter_mut().zip(row).for_each(|(gradient, a)| *gradient += slope * a);
                }
            }
            TermRows::Single(columns, a, constants) => {
                for ((&column, a), b) in columns.iter().zip(a).zip(constants) {
                    gradient[column] += 2.0 * weight * (a * x[column] + b) * a;
                }
            }
        }
    }

    fn numbers(&self, term: &Term) -> (&[f64], &[f64]) {
        (&self.coefficients[term.coefficients.clone()], &self.constants[term.constants.clone()])
    }

    /// Coefficients over the first unknowns and constant of each row of a term that has a label.
    pub(super) fn rows(&self, term: &Term) -> impl Iterator<Item = (&[f64], f64)> {
        let (coefficients, constants) = self.numbers(term);
        let width = coefficients.len().checked_div(constants.len()).unwrap_or(0);
        constants.iter().enumerate().map(move |(k, b)| (&coefficients[k * width..(k + 1) * width], *b))
    }

    /// The part of r(x) that has a cost, row by row, for a term that has a label.
    pub(super) fn values<'t>(&'t self, term: &'t Term, x: &'t [f64]) -> impl Iterator<Item = f64> + 't {
        self.rows(term).map(move |(a, b)| term.standing.excess(dot(a, x) + b))
    }
}
