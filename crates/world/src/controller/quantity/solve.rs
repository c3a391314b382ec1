//! The solve of the previous frame: whether it had a solution, and what gave way in it.

use super::Quantity;
use aplomb_language::expression::{Interval, Type, Value};

pub(super) const LIST: &[Quantity] = &[
    Quantity {
        name: "solved",
        arguments: &[],
        result: Type::Boolean,
        unit: "",
        range: Interval::ANY,
        about: "Whether the previous frame satisfied all constraints and weighed the objectives: it was no impact, \
                no constraint gave way in it, and it had a solution. True in the first frame, and after that of a \
                ragdoll.",
        value: |now, _| Value::Boolean(now.snapshot.last_solve.is_solved()),
    },
    Quantity {
        name: "gave_way",
        arguments: &[],
        result: Type::Number,
        unit: "",
        range: Interval::NEVER_NEGATIVE,
        about: "Number of constraints that gave way in the previous frame, because torques and contacts could not \
                satisfy all.",
        value: |now, _| Value::Number(now.snapshot.last_solve.gave_way as f64),
    },
    Quantity {
        name: "was_impact",
        arguments: &[],
        result: Type::Boolean,
        unit: "",
        range: Interval::ANY,
        about: "Whether the previous frame was an impact, which has no objectives.",
        value: |now, _| Value::Boolean(now.snapshot.last_solve.impact),
    },
];
