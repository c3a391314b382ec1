//! Relaxation of an infeasible frame: first the hard objectives in the contradiction, then surfaces, then all
//! remaining rows.

use super::terms::FrameTerms;
use crate::objective::Now;
use crate::predict::{Linearisation, limited_coordinates};
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_qp::solver::QpError;
use aplomb_qp::{Label, Limit, Origin, Qp, RowKind, RowLabel, UnknownKind};

/// Weight of the squared violation of a relaxed row, in its dimensionless unit.
pub(super) const SLACK_WEIGHT: f64 = 1e4;

/// The relaxed rows of a frame.
#[doc(alias = "soft constraints")]
#[doc(alias = "slack")]
#[derive(Clone, Debug, Default)]
pub(super) struct Relaxation {
    /// Indices of hard terms that are relaxed to costs of high weight.
    pub terms: Vec<usize>,
    /// Whether surfaces may be entered at a cost.
    pub surfaces: bool,
}

/// Result of an attempt to relax more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Widened {
    /// More rows are relaxed.
    Relaxed,
    /// No row should be relaxed before distant limits and surfaces may push.
    NeedsImpact,
    NothingLeft,
}

impl Relaxation {
    /// Relaxes more rows after `error`: the hard objectives that contribute to the contradiction; if none does,
    /// surfaces, once the frame is solved as an `impact`; all remaining rows if that does not help.
    pub(super) fn widen(&mut self, error: &QpError, terms: &FrameTerms, qp: &Qp, impact: bool) -> Widened {
        let is_of = |limit: Limit, label: &RowLabel| match limit {
            Limit::Equality(k) => qp.equality_labels[k] == *label,
            Limit::RowLower(k) | Limit::RowUpper(k) => qp.row_labels[k] == *label,
            Limit::Lower(_) | Limit::Upper(_) => false,
        };
        let contradicts = |label: &RowLabel| match error {
            QpError::Infeasible { certificate } => certificate.iter().any(|(limit, _)| is_of(*limit, label)),
            _ => true,
        };
        let hard = terms.list.iter().enumerate().filter_map(|(k, term)| Some((k, term.hard()?)));
        let left: Vec<(usize, &RowLabel)> = hard.filter(|(k, _)| !self.terms.contains(k)).collect();
        let mut blamed: Vec<usize> =
            left.iter().filter(|(_, label)| contradicts(label)).map(|(k, _)| *k).collect();
        if blamed.is_empty() && self.surfaces {
            blamed = left.iter().map(|(k, _)| *k).collect();
        } else if blamed.is_empty() && !impact {
            return Widened::NeedsImpact;
        } else if blamed.is_empty() {
            self.surfaces = true;
            return Widened::Relaxed;
        }
        self.terms.extend(&blamed);
        if blamed.is_empty() { Widened::NothingLeft } else { Widened::Relaxed }
    }
}

/// Whether the reference solver should also be used: if rounding or the iteration limit stopped the scene's solver,
/// or if it reports a contradiction although penetration of surfaces is allowed, before the frame is reported as
/// failed.
pub(super) fn wants_second_opinion(solved: &Result<(), QpError>, surfaces_give: bool) -> bool {
    match solved {
        Err(QpError::Infeasible { .. }) => surfaces_give,
        Err(QpError::IterationLimit { .. } | QpError::Numerical { .. }) => true,
        _ => false,
    }
}

/// Disables braking in this frame for the joints whose braking contributes to the contradiction, because their
/// torques do not suffice. Returns false if there are none left.
pub(super) fn stop_braking(error: &QpError, now: &Now<'_>, linearisation: &mut Linearisation) -> bool {
    if now.limp || linearisation.torques_held || linearisation.is_impact() {
        return false;
    }
    let contradicts = |coordinate: usize| match error {
        QpError::Infeasible { certificate } => certificate
            .iter()
            .any(|(limit, _)| matches!(limit, Limit::Lower(k) | Limit::Upper(k) if *k == coordinate)),
        _ => true,
    };
    let before = linearisation.unbraked.len();
    let with_range = limited_coordinates(now.model, &now.state.q).map(|(coordinate, ..)| coordinate);
    let rates = now.model.velocity_limits.iter().enumerate();
    let with_rate = rates.filter(|(_, limit)| limit.is_finite()).map(|(coordinate, _)| coordinate);
    for coordinate in with_range.chain(with_rate) {
        if contradicts(coordinate) && !linearisation.unbraked.contains(&coordinate) {
            linearisation.unbraked.push(coordinate);
        }
    }
    linearisation.unbraked.len() > before
}

pub(super) fn certificate(error: &QpError) -> Vec<(Limit, f64)> {
    match error {
        QpError::Infeasible { certificate } => certificate.clone(),
        _ => Vec::new(),
    }
}

/// Relaxes every non-penetration row: each gets one slack s ≥ 0 (in dt g) with a cost. Returns pairs (row, unknown).
pub(super) fn add_slack(qp: &mut Qp, now: &Now<'_>) -> Vec<(usize, usize)> {
    let unit = now.scales.dt * STANDARD_GRAVITY;
    let is_gap = |row: &usize| matches!(qp.row_labels[*row].kind, RowKind::Gap { .. });
    let gaps: Vec<usize> = (0..qp.rows.rows()).filter(is_gap).collect();
    let first = qp.size();
    qp.widen(first + gaps.len());
    let pairs: Vec<(usize, usize)> = gaps.into_iter().enumerate().map(|(k, row)| (row, first + k)).collect();
    for &(row, unknown) in &pairs {
        qp.rows.row_mut(row)[unknown] = unit;
        qp.lower[unknown] = 0.0;
        qp.add_regularisation(unknown, SLACK_WEIGHT);
        let name = format!("give of {}", qp.row_labels[row].name).into();
        qp.column_labels.push(&Label {
            kind: UnknownKind::Slack,
            name,
            unit: "dt g",
            origin: Origin::default(),
        });
    }
    pairs
}
