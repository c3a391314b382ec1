//! The limits of a QP in the words of their authors.

use crate::qp::solver::QpSolution;
use crate::qp::{Label, Limit, Qp};

pub fn label_of(qp: &Qp, limit: Limit) -> &Label {
    match limit {
        Limit::Equality(k) => &qp.equality_labels[k],
        Limit::RowLower(k) | Limit::RowUpper(k) => &qp.row_labels[k],
        Limit::Lower(k) | Limit::Upper(k) => &qp.column_labels[k],
    }
}

/// Labels of limits, weightiest first; equal weights in row order.
pub fn labels_of(qp: &Qp, limits: &[(Limit, f64)]) -> Vec<String> {
    let mut sorted: Vec<_> = limits.iter().collect();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
    sorted.iter().map(|(limit, _)| label_of(qp, *limit).name.to_string()).collect()
}

/// Limits with a multiplier, strongest first, contact coefficients left out.
pub fn binding(qp: &Qp, solution: &QpSolution) -> Vec<(String, f64)> {
    const LEAST: f64 = 1e-6;
    let rows = solution.rows.iter().enumerate().map(|(k, m)| (&qp.row_labels[k], *m));
    let bounds = solution.bounds.iter().enumerate();
    let bounds = bounds.filter(|(k, _)| qp.column_labels[*k].unit != "m g/8");
    let bounds = bounds.map(|(k, m)| (&qp.column_labels[k], *m));
    let mut list: Vec<(String, f64)> = rows
        .chain(bounds)
        .filter(|(_, multiplier)| multiplier.abs() > LEAST)
        .map(|(label, multiplier)| (label.name.to_string(), multiplier.abs()))
        .collect();
    list.sort_by(|a, b| b.1.total_cmp(&a.1));
    list
}
