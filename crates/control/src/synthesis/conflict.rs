//! The rows of a frame that cannot hold together, for records: a smallest set of them, each with its origin.

use crate::synthesis::{ConflictRow, LimitSide, RowOf};
use aplomb_body::model::scales::Scales;
use aplomb_qp::conflict::{Conflict, Conflicting, least_give};
use aplomb_qp::{Limit, LimitKind, Qp, RowKind, UnknownKind};

use super::limits::{kind_of, name_of};

/// Largest number of small problems that are solved in a frame to find the fewest rows; usually none is
/// needed. If the number does not suffice, the reported rows still contradict each other but may not be the
/// fewest.
const MOST_SOLVES: usize = 6;
/// Largest number of small problems for a frame that is explained, regardless of cost.
const MOST_SOLVES_EXPLAINING: usize = 400;

/// The rows of the conflict that a certificate of `qp` proves. Rows of one origin on one side are merged into one,
/// with the smallest violation that any of them needs. `throughout`: report the violation of a row with which all
/// other rows of the frame can hold, not only those of the conflict; this takes one QP solve per row.
pub(super) fn rows(
    qp: &Qp,
    certificate: &[(Limit, f64)],
    scales: &Scales,
    throughout: bool,
) -> Vec<ConflictRow> {
    let mut rows: Vec<ConflictRow> = Vec::new();
    let most = if throughout { MOST_SOLVES_EXPLAINING } else { MOST_SOLVES };
    for Conflicting { limit, give } in Conflict::minimal(qp, certificate, most).limits {
        let give = throughout.then(|| least_give(qp, limit)).flatten().unwrap_or(give);
        let row = row(qp, limit, give, scales);
        match rows.iter_mut().find(|known| known.label == row.label && known.side == row.side) {
            Some(known) => known.give = known.give.min(row.give),
            None => rows.push(row),
        }
    }
    rows
}

fn row(qp: &Qp, limit: Limit, give: f64, scales: &Scales) -> ConflictRow {
    let (unit, place) = match limit {
        Limit::Equality(k) => (qp.equality_labels[k].unit, &qp.equality_labels[k].origin),
        Limit::RowLower(k) | Limit::RowUpper(k) => (qp.row_labels[k].unit, &qp.row_labels[k].origin),
        Limit::Lower(k) | Limit::Upper(k) => (qp.column_labels[k].unit, &qp.column_labels[k].origin),
    };
    let side = match limit {
        Limit::Equality(_) => LimitSide::Equal,
        Limit::RowLower(_) | Limit::Lower(_) => LimitSide::AtLeast,
        Limit::RowUpper(_) | Limit::Upper(_) => LimitSide::AtMost,
    };
    let kind = kind_of(qp, limit);
    let (factor, unit) = in_si(kind, scales).unwrap_or((1.0, unit));
    let give = factor * give;
    ConflictRow {
        label: name_of(qp, limit).to_string(),
        of: row_of(kind),
        side,
        unit: unit.to_string(),
        give: if give.is_finite() { give } else { f64::MAX },
        file: place.file.to_string(),
        line: u32::try_from(place.line).unwrap_or(u32::MAX),
    }
}

/// Unit of a row whose unknowns are in units of the body.
fn in_si(kind: LimitKind, scales: &Scales) -> Option<(f64, &'static str)> {
    let torque = (scales.torque(), "N m");
    Some(match kind {
        // The first three coordinates of a floating root are translations.
        LimitKind::Row(RowKind::RootDynamics { coordinate }) if coordinate < 3 => (scales.weight(), "N"),
        LimitKind::Row(RowKind::RootDynamics { .. } | RowKind::TorqueLimit { .. } | RowKind::Limp { .. })
        | LimitKind::Bound(UnknownKind::StopReaction { .. }) => torque,
        LimitKind::Row(RowKind::Unloading { .. } | RowKind::LoadChange { .. }) => (scales.weight(), "N"),
        LimitKind::Bound(
            UnknownKind::ContactForce { .. }
            | UnknownKind::GripForce { .. }
            | UnknownKind::SelfContact { .. },
        ) => (scales.contact_force(), "N"),
        _ => return None,
    })
}

pub(super) fn row_of(kind: LimitKind) -> RowOf {
    match kind {
        LimitKind::Row(row) => match row {
            RowKind::RootDynamics { .. } => RowOf::Motion,
            RowKind::Gap { .. } => RowOf::Gap,
            RowKind::Grip { .. } => RowOf::Grip,
            RowKind::TorqueLimit { .. } | RowKind::Limp { .. } => RowOf::TorqueLimit,
            RowKind::KeepApart { .. } => RowOf::Apart,
            RowKind::Objective { .. } => RowOf::Objective,
            RowKind::Coupling { .. }
            | RowKind::Stuck { .. }
            | RowKind::Unloading { .. }
            | RowKind::LoadChange { .. }
            | RowKind::Other => RowOf::Other,
        },
        LimitKind::Bound(bound) => match bound {
            UnknownKind::Rate { .. } => RowOf::JointRange,
            UnknownKind::ContactForce { .. } | UnknownKind::SelfContact { .. } => RowOf::ContactForce,
            UnknownKind::GripForce { .. } | UnknownKind::Load { .. } => RowOf::Grip,
            UnknownKind::StopReaction { .. } => RowOf::Stop,
            UnknownKind::SurfaceVelocity { .. } | UnknownKind::Slack | UnknownKind::Other => RowOf::Other,
        },
    }
}
