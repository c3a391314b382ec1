//! Conflicting rows, set by set.

use aplomb_trace::{ConflictRow, Frame};
use serde::Serialize;

/// Number of sets of rows that are distinguished; further ones are counted with the last.
const MOST_SETS: usize = 20;

/// Frames with the same conflicting rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConflictSummary {
    /// The minimal set of conflicting rows in the first of these frames.
    pub rows: Vec<ConflictRow>,
    /// Number of frames.
    pub frames: u64,
    /// Time of the first such frame, s.
    pub first_at: f64,
}

impl ConflictSummary {
    /// The row with the smallest violation in its own unit: preferably one that its author can change, rather
    /// than equations of motion and forces.
    pub fn least(&self) -> Option<&ConflictRow> {
        least(&self.rows)
    }

    /// The rows, the most informative first: see [`most_telling`].
    pub fn most_telling(&self) -> Vec<&ConflictRow> {
        most_telling(&self.rows)
    }
}

/// How readily a row's author could relax it: an objective first, then a limit of the body, then any other row.
fn rank(row: &ConflictRow) -> u8 {
    use aplomb_trace::RowOf;
    match row.of {
        RowOf::Objective => 0,
        RowOf::Apart | RowOf::Grip => 1,
        RowOf::TorqueLimit | RowOf::JointRange => 2,
        RowOf::Gap | RowOf::ContactForce | RowOf::Stop | RowOf::Other => 3,
        RowOf::Motion => 4,
    }
}

/// The row that its author could relax: an objective first, then a limit of the body, then any other row;
/// among these the one with the smallest relaxation, and the first of equal ones.
pub fn least(rows: &[ConflictRow]) -> Option<&ConflictRow> {
    most_telling(rows).first().copied()
}

/// The rows, those first that their author could relax (in the order of [`least`]), the smallest relaxation
/// first.
pub(crate) fn most_telling(rows: &[ConflictRow]) -> Vec<&ConflictRow> {
    let mut rows: Vec<&ConflictRow> = rows.iter().collect();
    rows.sort_by(|a, b| rank(a).cmp(&rank(b)).then(a.give.total_cmp(&b.give)));
    rows
}

/// Adds the conflict of a frame, if it has one.
pub(super) fn add(list: &mut Vec<ConflictSummary>, frame: &Frame) {
    if frame.conflict.is_empty() {
        return;
    }
    let is_same = |known: &ConflictSummary| {
        known.rows.len() == frame.conflict.len()
            && known.rows.iter().zip(&frame.conflict).all(|(a, b)| a.side == b.side && a.label == b.label)
    };
    let is_full = list.len() == MOST_SETS;
    let place = list.iter().position(is_same).or(is_full.then_some(MOST_SETS - 1));
    match place {
        Some(known) => list[known].frames += 1,
        None => list.push(ConflictSummary { rows: frame.conflict.clone(), frames: 1, first_at: frame.time }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_trace::{LimitSide, RowOf};

    fn row(label: &str, of: RowOf, give: f64) -> ConflictRow {
        let side = LimitSide::AtMost;
        ConflictRow { label: label.into(), of, side, unit: "N m".into(), give, ..ConflictRow::default() }
    }

    #[test]
    fn frames_with_the_same_rows_are_counted_together_and_the_rows_of_a_person_give_first() {
        let frame = |time: f64, labels: &[&str]| {
            let rows = labels.iter().map(|label| row(label, RowOf::TorqueLimit, 1.0)).collect();
            Frame { time, conflict: rows, ..Frame::default() }
        };
        let mut list = Vec::new();
        for (time, labels) in [(0.0, &["a", "b"][..]), (0.1, &[]), (0.2, &["a"]), (0.3, &["a", "b"])] {
            add(&mut list, &frame(time, labels));
        }
        let counted: Vec<(usize, u64, f64)> =
            list.iter().map(|set| (set.rows.len(), set.frames, set.first_at)).collect();
        assert_eq!(counted, [(2, 2, 0.0), (1, 1, 0.2)]);
        let rows = [
            row("root", RowOf::Motion, 0.1),
            row("reach", RowOf::Objective, 3.0),
            row("knee", RowOf::TorqueLimit, 0.5),
            row("stand", RowOf::Objective, 2.0),
        ];
        assert_eq!(least(&rows).map(|row| row.label.as_str()), Some("stand"));
        let telling: Vec<&str> = most_telling(&rows).iter().map(|row| row.label.as_str()).collect();
        assert_eq!(telling, ["stand", "reach", "knee", "root"]);
    }
}
