//! Rows of a frame that were relaxed or contradict each other, as records of a trace.

use super::field::{FieldKind, FieldValue, Sink, Supply, describe, lists};
use aplomb_control::synthesis::{ConflictRow, LimitSide, RelaxedRow, RowOf};

describe! {
    /// A row among the fewest that cannot hold together: without any one of them the others can.
    struct ConflictRow {
        /// Name of the row.
        pub label: String,
        /// What the row is: objective, motion (equation of motion), gap, joint_range, torque_limit,
        /// contact_force, stop, grip, apart (parts kept apart) or other.
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

    /// A row that gave way.
    struct RelaxedRow {
        /// Name of the row.
        pub label: String,
        /// Unit of the amount.
        pub unit: String,
        /// How much it gave.
        pub amount: f64 ["unit"],
    }
}

lists!(ConflictRow, RelaxedRow);

macro_rules! named {
    ($($type:ty),+) => {$(
        impl FieldValue for $type {
            const KIND: FieldKind = String::KIND;

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
