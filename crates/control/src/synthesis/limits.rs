//! The limits of a QP: their kinds and labels.

use aplomb_qp::solver::QpSolution;
use aplomb_qp::{Limit, LimitKind, Qp, UnknownKind};

/// An active limit with a non-zero multiplier.
#[doc(alias = "active set")]
#[derive(Clone, Debug, PartialEq)]
pub struct BindingLimit {
    /// Kind of the limit.
    pub kind: LimitKind,
    /// Label of the limit.
    pub label: String,
    /// Multiplier: change of the cost per unit of its row.
    pub multiplier: f64,
}

/// Kind of a limit.
pub(super) fn kind_of(qp: &Qp, limit: Limit) -> LimitKind {
    match limit {
        Limit::Equality(k) => LimitKind::Row(qp.equality_labels[k].kind),
        Limit::RowLower(k) | Limit::RowUpper(k) => LimitKind::Row(qp.row_labels[k].kind),
        Limit::Lower(k) | Limit::Upper(k) => LimitKind::Bound(qp.column_labels[k].kind),
    }
}

pub(super) fn name_of(qp: &Qp, limit: Limit) -> &str {
    match limit {
        Limit::Equality(k) => &qp.equality_labels[k].name,
        Limit::RowLower(k) | Limit::RowUpper(k) => &qp.row_labels[k].name,
        Limit::Lower(k) | Limit::Upper(k) => &qp.column_labels[k].name,
    }
}

/// Labels of limits, the largest weight first; equal weights in row order.
pub(super) fn labels_of(qp: &Qp, limits: &[(Limit, f64)]) -> Vec<String> {
    let mut sorted: Vec<_> = limits.iter().collect();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
    sorted.iter().map(|(limit, _)| name_of(qp, *limit).to_string()).collect()
}

/// Limits with a multiplier, strongest first, without the bounds of contact and grip forces.
pub(super) fn binding(qp: &Qp, solution: &QpSolution) -> Vec<BindingLimit> {
    const LEAST: f64 = 1e-6;
    let rows = solution.rows.iter().enumerate().map(|(k, m)| (Limit::RowLower(k), *m));
    let bounds = solution.bounds.iter().enumerate().map(|(k, m)| (Limit::Lower(k), *m));
    let of_force = |kind: LimitKind| {
        use UnknownKind::{ContactForce, GripForce};
        matches!(kind, LimitKind::Bound(ContactForce { .. } | GripForce { .. }))
    };
    let mut list: Vec<BindingLimit> = rows
        .chain(bounds)
        .filter(|(_, multiplier)| multiplier.abs() > LEAST)
        .map(|(limit, multiplier)| (kind_of(qp, limit), limit, multiplier))
        .filter(|(kind, ..)| !of_force(*kind))
        .map(|(kind, limit, multiplier)| BindingLimit {
            kind,
            label: name_of(qp, limit).to_string(),
            multiplier: multiplier.abs(),
        })
        .collect();
    list.sort_by(|a, b| b.multiplier.total_cmp(&a.multiplier));
    list
}
