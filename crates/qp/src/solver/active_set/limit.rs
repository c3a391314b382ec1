//! A limit that can be active: an equality, a row or a bound, at one of its ends.

use crate::{Limit, Qp};
use aplomb_math::kernel;

/// The normal of a limit, as a row of the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Normal {
    Equality(usize),
    Row(usize),
    /// A unit vector, which is the normal of a bound.
    Column(usize),
}

/// The end at which a limit is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ActiveEnd {
    Lower,
    Upper,
    /// Both ends coincide: the limit is always active, with a multiplier of either sign.
    Both,
}

impl ActiveEnd {
    /// Sign that the multiplier must have; 0 where either is allowed.
    pub(super) fn sign(self) -> f64 {
        match self {
            ActiveEnd::Lower => 1.0,
            ActiveEnd::Upper => -1.0,
            ActiveEnd::Both => 0.0,
        }
    }
}

/// A limit that holds with equality.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ActiveConstraint {
    pub normal: Normal,
    pub side: ActiveEnd,
}

impl ActiveConstraint {
    /// The value of normal · x at which the limit is active.
    pub(super) fn value(&self, qp: &Qp) -> f64 {
        let end = |lower: &[f64], upper: &[f64], k: usize| match self.side {
            ActiveEnd::Lower => lower[k],
            ActiveEnd::Upper => upper[k],
            ActiveEnd::Both => 0.5 * (lower[k] + upper[k]),
        };
        match self.normal {
            Normal::Equality(k) => qp.equality_value[k],
            Normal::Row(k) => end(&qp.rows_lower, &qp.rows_upper, k),
            Normal::Column(j) => end(&qp.lower, &qp.upper, j),
        }
    }

    /// The limit as the problem names it. An equality counts as the end that corresponds to the sign of
    /// `multiplier`.
    pub(super) fn limit(&self, multiplier: f64) -> Limit {
        let is_lower = match self.side {
            ActiveEnd::Lower => true,
            ActiveEnd::Upper => false,
            ActiveEnd::Both => multiplier >= 0.0,
        };
        match (self.normal, is_lower) {
            (Normal::Equality(k), _) => Limit::Equality(k),
            (Normal::Row(k), true) => Limit::RowLower(k),
            (Normal::Row(k), false) => Limit::RowUpper(k),
            (Normal::Column(j), true) => Limit::Lower(j),
            (Normal::Column(j), false) => Limit::Upper(j),
        }
    }
}

/// A column at one of its bounds, which is not part of the face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FixedColumn {
    pub column: usize,
    pub side: ActiveEnd,
}

impl FixedColumn {
    pub(super) fn held(self) -> ActiveConstraint {
        ActiveConstraint { normal: Normal::Column(self.column), side: self.side }
    }
}

impl Normal {
    /// normal · x
    pub(super) fn dot(self, qp: &Qp, x: &[f64]) -> f64 {
        let row = match self {
            Normal::Equality(k) => qp.equality.row(k),
            Normal::Row(k) => qp.rows.row(k),
            Normal::Column(j) => return x[j],
        };
        let mut product = [0.0];
        kernel::multiply(row, row.len(), x, &mut product);
        product[0]
    }

    /// sum += factor · normal
    pub(super) fn add_to(self, qp: &Qp, factor: f64, sum: &mut [f64]) {
        match self {
            Normal::Equality(k) => kernel::add_rows(sum, qp.equality.row(k), sum.len(), &[factor]),
            Normal::Row(k) => kernel::add_rows(sum, qp.rows.row(k), sum.len(), &[factor]),
            Normal::Column(j) => sum[j] += factor,
        }
    }

    /// Component of the normal along unknown `column`.
    pub(super) fn component(self, qp: &Qp, column: usize) -> f64 {
        match self {
            Normal::Equality(k) => qp.equality.row(k)[column],
            Normal::Row(k) => qp.rows.row(k)[column],
            Normal::Column(j) => f64::from(u8::from(j == column)),
        }
    }

    /// Position in the order by which ties are broken: bounds, then rows; equalities never compete.
    pub(super) fn rank(self, qp: &Qp) -> usize {
        match self {
            Normal::Column(j) => j,
            Normal::Row(k) => qp.size() + k,
            Normal::Equality(k) => qp.size() + qp.rows.rows() + k,
        }
    }
}

/// Ends closer than this count as equal, in the limit's own unit.
const ONE_END: f64 = 1e-12;

/// Order of the two ends of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    Apart,
    One,
    /// The lower end is above the upper one.
    Crossed,
    /// An end is NaN.
    Unordered,
}

/// Compares the ends of a limit.
pub(super) fn ends(lower: f64, upper: f64) -> Ends {
    let gap = upper - lower;
    let margin = ONE_END * (1.0 + lower.abs());
    if lower.is_nan() || upper.is_nan() {
        Ends::Unordered
    } else if lower == f64::INFINITY || upper == f64::NEG_INFINITY || gap < -margin {
        Ends::Crossed
    } else if gap <= margin && lower.is_finite() {
        Ends::One
    } else {
        Ends::Apart
    }
}
