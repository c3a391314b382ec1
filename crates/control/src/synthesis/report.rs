//! Reports of a frame's solution: its outcome, the relaxed rows, and the rows that contradict each other.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Outcome of the frame's QP.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The QP was solved.
    #[default]
    Solved,
    /// The QP was solved after relaxing the named rows.
    Relaxed {
        /// Rows that were relaxed, with their violations, in the unit of each row.
        rows: Vec<RelaxedRow>,
    },
    /// No solution: the frame is forward dynamics under the last torques without contact forces.
    Failed {
        /// The reason why the QP had no solution.
        reason: String,
        /// Labels of the rows that conflict.
        rows: Vec<String>,
    },
    /// No QP was solved: the body was a ragdoll and moved by its own dynamics. Forces are means over the frame.
    Limp,
}

/// A row that was relaxed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RelaxedRow {
    /// Name of the row.
    pub label: String,
    /// Unit of the amount.
    pub unit: String,
    /// Its violation.
    pub amount: f64,
}

/// A row of a smallest set that contradict each other: without any one of them the others can hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ConflictRow {
    /// Name of the row.
    pub label: String,
    /// Kind of the row: objective, motion (equation of motion), gap, joint_range, torque_limit,
    /// contact_force, stop, grip, apart (collision avoidance of parts) or other.
    pub of: RowOf,
    /// Kind of the limit: equal, at_least or at_most.
    pub side: LimitSide,
    /// Unit of `give`.
    pub unit: String,
    /// Violation with which the other rows of the conflict can hold.
    pub give: f64,
    /// File in which its author wrote it; empty if no file contains it.
    pub file: String,
    /// Line in that file, from 1; 0 without a file.
    pub line: u32,
}

/// Kind of a row in a conflict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowOf {
    /// A hard objective.
    Objective,
    /// An equation of motion of a coordinate without an actuator.
    Motion,
    /// No point penetrates a surface.
    Gap,
    /// A joint stays in its range.
    JointRange,
    /// A joint torque stays within the model's limit, or is zero.
    TorqueLimit,
    /// A contact pushes, within its friction.
    ContactForce,
    /// A joint limit pushes.
    Stop,
    /// A grip stays where it was made, within its friction.
    Grip,
    /// Collision avoidance of parts.
    Apart,
    /// Any other row.
    #[default]
    Other,
}

/// Side on which a row limits its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitSide {
    /// Equality.
    #[default]
    Equal,
    /// Lower limit.
    AtLeast,
    /// Upper limit.
    AtMost,
}

impl RowOf {
    /// Each kind with its name in traces.
    pub const NAMED: [(RowOf, &'static str); 10] = [
        (RowOf::Objective, "objective"),
        (RowOf::Motion, "motion"),
        (RowOf::Gap, "gap"),
        (RowOf::JointRange, "joint_range"),
        (RowOf::TorqueLimit, "torque_limit"),
        (RowOf::ContactForce, "contact_force"),
        (RowOf::Stop, "stop"),
        (RowOf::Grip, "grip"),
        (RowOf::Apart, "apart"),
        (RowOf::Other, "other"),
    ];
}

impl LimitSide {
    /// Each side with its name in traces.
    pub const NAMED: [(LimitSide, &'static str); 3] =
        [(LimitSide::Equal, "equal"), (LimitSide::AtLeast, "at_least"), (LimitSide::AtMost, "at_most")];
}

impl ConflictRow {
    /// `FILE:LINE` of its definition; `None` if it is not defined in a file.
    pub(crate) fn place(&self) -> Option<String> {
        match (self.file.as_str(), self.line) {
            ("", _) => None,
            (file, 0) => Some(file.into()),
            (file, line) => Some(format!("{file}:{line}")),
        }
    }

    /// The requirement as text: `range of knee, upper end`.
    pub(crate) fn said(&self) -> String {
        let end = match (self.of, self.side) {
            (RowOf::JointRange | RowOf::TorqueLimit, LimitSide::AtLeast) => ", lower end",
            (RowOf::JointRange | RowOf::TorqueLimit, LimitSide::AtMost) => ", upper end",
            (RowOf::ContactForce, _) => ", which only pushes, within its friction",
            (RowOf::Gap, LimitSide::AtMost) => ", which is to stay closed",
            _ => "",
        };
        format!("{}{end}", self.label)
    }
}

impl fmt::Display for ConflictRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.said())?;
        self.place().map_or(Ok(()), |place| write!(f, " ({place})"))
    }
}
