//! Resolution of names in expressions.

use super::bound::Any;
use super::interval::Interval;
use super::sets::Set;
use super::value::{Type, Value};

/// Meaning of a name in an expression.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// A value known when the file is read: a parameter, a body, a site, a joint.
    Constant(Value),
    /// A quantity that is measured again in each frame; without arguments it is written without parentheses.
    /// At most [`MOST_ARGUMENTS`](crate::expression::MOST_ARGUMENTS) arguments. A number is never outside
    /// `range`.
    Quantity {
        /// Slot by which [`Lookup`](super::Lookup) finds it.
        slot: usize,
        /// Types of its arguments, in order.
        arguments: &'static [Type],
        /// Type of its value.
        result: Type,
        /// Range of its value, if it is a number.
        range: Interval,
    },
    /// Another expression, which replaces the name; a number is never outside `range`.
    Definition {
        /// Expression that the name abbreviates.
        expression: Any,
        /// Range of its value, if it is a number.
        range: Interval,
    },
    /// Seconds since the run began.
    Time,
    /// Seconds since the controller's state was entered, on the controller's own clock.
    StateTime,
    /// Seconds since a containing state was entered, by the number of states that contain that one.
    LevelTime(usize),
    /// A member of a set over which an expression iterates.
    Member {
        /// Its argument.
        set: Set,
        /// Number of nested set expressions between the name and the one whose variable it is.
        level: usize,
    },
}

/// The names an expression may use.
pub trait Names {
    /// Meaning of `name`; `None` for an unknown name.
    fn meaning(&self, name: &str) -> Option<Meaning>;

    /// Every name that has a meaning, in an order fit for a list.
    fn known(&self) -> Vec<String>;

    /// Meaning of a known name that may be suggested in place of a wrong one; it does not count as used.
    fn offered(&self, name: &str) -> Option<Meaning> {
        self.meaning(name)
    }

    /// A help sentence for a name that is used as a state, and has another meaning.
    fn not_a_state(&self, _name: &str) -> Option<String> {
        None
    }

    /// A help sentence for a name without a meaning here, if there is a better one than a suggestion.
    fn hint(&self, _name: &str) -> Option<String> {
        None
    }

    /// Like [`hint`](Names::hint), for a name that is compared with another.
    fn hint_beside(&self, name: &str, _other: &str) -> Option<String> {
        self.hint(name)
    }
}

/// Meaning of a name that every expression has, other than functions.
pub(super) fn builtin(name: &str) -> Option<Meaning> {
    match name {
        "pi" => Some(Meaning::Constant(Value::Number(std::f64::consts::PI))),
        "time" => Some(Meaning::Time),
        _ => None,
    }
}
