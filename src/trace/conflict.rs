//! Rows of a frame that cannot hold together.

use super::field::{Kind, Sink, Supply, Value, lists, record};
use serde::{Deserialize, Serialize};
use std::fmt;

record! {
    /// A row among the fewest that cannot hold together: without any one of them the others can.
    pub struct ConflictRow {
        /// Name of the row.
        pub label: String,
        /// What the row is: objective, motion (equation of motion), gap, joint_range, torque_limit, contact_force,
        /// stop, grip, apart (parts kept apart) or other.
        pub of: RowOf,
        /// How it limits: equal, at_least or at_most.
        pub side: LimitSide,
        /// Unit of `give`.
        pub unit: String,
        /// By how much it would have to give for the other rows of the conflict to hold.
        pub give: f64 ["unit"],
        /// File in which its author wrote it; empty where nobody did.
        pub file: String,
        /// Line there, from 1; 0 without a file.
        pub line: u32 ["1"],
    }
}

lists!(ConflictRow);

/// What a row in a conflict is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowOf {
    /// A hard objective.
    Objective,
    /// An equation of motion of a coordinate without an actuator.
    Motion,
    /// Nothing enters a surface.
    Gap,
    /// A joint stays in its range.
    JointRange,
    /// A joint torque stays within the model's limit, or is zero.
    TorqueLimit,
    /// A contact pushes, within its friction.
    ContactForce,
    /// A stop pushes.
    Stop,
    /// A grip stays where it is, within its friction.
    Grip,
    /// Parts are kept apart.
    Apart,
    /// Anything else.
    #[default]
    Other,
}

/// On which side a row limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitSide {
    /// It demands a value.
    #[default]
    Equal,
    /// From below.
    AtLeast,
    /// From above.
    AtMost,
}

impl RowOf {
    const NAMED: [(RowOf, &'static str); 10] = [
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
    const NAMED: [(LimitSide, &'static str); 3] =
        [(LimitSide::Equal, "equal"), (LimitSide::AtLeast, "at_least"), (LimitSide::AtMost, "at_most")];
}

macro_rules! named {
    ($($type:ty),+) => {$(
        impl Value for $type {
            const KIND: Kind = String::KIND;

            fn give(&self, sink: &mut impl Sink) {
                let named = Self::NAMED.iter().find(|(kind, _)| kind == self);
                sink.text(named.map_or("", |(_, name)| name));
            }

            fn take(supply: &mut impl Supply) -> Option<Self> {
                let text = supply.text()?;
                Self::NAMED.iter().find(|(_, name)| *name == text).map(|(kind, _)| *kind)
            }
        }
    )+};
}
named!(RowOf, LimitSide);

impl ConflictRow {
    /// `file:line` of what its author wrote; `None` where nobody did.
    pub fn place(&self) -> Option<String> {
        match (self.file.as_str(), self.line) {
            ("", _) => None,
            (file, 0) => Some(file.into()),
            (file, line) => Some(format!("{file}:{line}")),
        }
    }

    /// What it asks for, in words: `range of knee, upper end`.
    pub fn said(&self) -> String {
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
