//! Sets: expressions over all objects of a kind that exist in the frame, as in `argmin(distance(o) for o in
//! objects if is_near(o))`.
//!
//! The first word selects the aggregate. The variable is known only in the value and in the condition, and hides
//! another meaning of its name there. Members are in the order of the scene; of equal ones the first is selected.

use super::interval::Interval;
use super::names::{Meaning, Names};
use super::tree::{Boolean, Number};
use super::value::{Lookup, Type, Value};

/// A set whose members an expression can iterate over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// The passive objects, including those thrown during the run.
    Objects,
    /// The ground, terrains, obstacles, and the surfaces of objects and other characters.
    Surfaces,
    /// Holds and bars.
    Holds,
    /// The other characters.
    Characters,
}

/// Name and description of each set.
const SETS: [(&str, Set, &str); 4] = [
    ("objects", Set::Objects, "Passive objects, including thrown ones."),
    (
        "surfaces",
        Set::Surfaces,
        "The ground, terrains and obstacles that are present, and the surfaces of objects and other characters.",
    ),
    ("holds", Set::Holds, "Holds and bars, except those on the character's own body."),
    (
        "characters",
        Set::Characters,
        "The other characters; in a scene's criterion, all but the character that it \
                                     is about.",
    ),
];

impl Set {
    /// The set with this name.
    pub(super) fn named(name: &str) -> Option<Set> {
        SETS.iter().find(|(known, ..)| *known == name).map(|(_, set, _)| *set)
    }

    /// Names of the sets.
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        SETS.iter().map(|(name, ..)| *name)
    }

    /// Type of its members.
    pub(crate) fn kind(self) -> Type {
        match self {
            Set::Objects => Type::Passive,
            Set::Surfaces => Type::Surface,
            Set::Holds => Type::Hold,
            Set::Characters => Type::Character,
        }
    }

    /// The value for a member by its number, or for no member.
    fn member(self, number: Option<usize>) -> Value {
        match self {
            Set::Objects => Value::Passive(number),
            Set::Surfaces => Value::Surface(number),
            Set::Holds => Value::Hold(number),
            Set::Characters => Value::Character(number),
        }
    }
}

/// Sets of expressions: name and description.
pub fn list_sets() -> impl Iterator<Item = (&'static str, &'static str)> {
    SETS.iter().map(|(name, _, about)| (*name, *about))
}

/// The operation on the values of a set's members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fold {
    /// Whether the condition holds for at least one member.
    Any,
    /// Whether the condition holds for all members.
    All,
    /// Number of members for which the condition holds.
    Count,
    /// Sum of the values.
    Sum,
    /// The smallest value.
    Min,
    /// The largest value.
    Max,
    /// The member with the smallest value.
    ArgMin,
    /// The member with the largest value.
    ArgMax,
}

/// Word, syntax and description of each operation.
const FOLDS: [(&str, Fold, &str, &str); 8] = [
    (
        "any",
        Fold::Any,
        "any(c for x in set)",
        "Whether the condition holds for at least one member; false for an \
                                               empty set.",
    ),
    (
        "all",
        Fold::All,
        "all(c for x in set)",
        "Whether the condition holds for all members; true for an empty set.",
    ),
    ("count", Fold::Count, "count(c for x in set)", "Number of members for which the condition holds."),
    ("sum", Fold::Sum, "sum(n for x in set)", "Sum of the numbers; 0 for an empty set."),
    ("min", Fold::Min, "min(n for x in set)", "The smallest number; ∞ for an empty set."),
    ("max", Fold::Max, "max(n for x in set)", "The largest number; −∞ for an empty set."),
    (
        "argmin",
        Fold::ArgMin,
        "argmin(n for x in set)",
        "The member with the smallest number, the first of equal ones; none for an empty set (see `exists`).",
    ),
    ("argmax", Fold::ArgMax, "argmax(n for x in set)", "The member with the largest number."),
];

impl Fold {
    pub(super) fn named(name: &str) -> Option<Fold> {
        FOLDS.iter().find(|(known, ..)| *known == name).map(|(_, fold, ..)| *fold)
    }

    pub(super) fn usage(self) -> &'static str {
        FOLDS.iter().find(|(_, fold, ..)| *fold == self).map_or("", |(_, _, usage, _)| *usage)
    }

    /// Whether it evaluates a condition for each member, rather than a number.
    pub(super) fn asks_condition(self) -> bool {
        matches!(self, Fold::Any | Fold::All | Fold::Count)
    }
}

/// The operations on sets: word, usage, result.
pub fn list_folds() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    FOLDS.iter().map(|(name, _, usage, about)| (*name, *usage, *about))
}

/// The names in scope and a variable that iterates over a set.
pub(super) struct WithMember<'a> {
    pub outer: &'a dyn Names,
    pub variable: &'a str,
    pub set: Set,
}

impl Names for WithMember<'_> {
    fn meaning(&self, name: &str) -> Option<Meaning> {
        if name == self.variable {
            return Some(Meaning::Member { set: self.set, level: 0 });
        }
        Some(match self.outer.meaning(name)? {
            Meaning::Member { set, level } => Meaning::Member { set, level: level + 1 },
            other => other,
        })
    }

    fn known(&self) -> Vec<String> {
        [vec![self.variable.to_owned()], self.outer.known()].concat()
    }

    fn offered(&self, name: &str) -> Option<Meaning> {
        if name == self.variable { self.meaning(name) } else { self.outer.offered(name) }
    }

    fn not_a_state(&self, name: &str) -> Option<String> {
        self.outer.not_a_state(name)
    }

    fn hint(&self, name: &str) -> Option<String> {
        self.outer.hint(name)
    }
}

/// The frame's values with the current member of a variable.
struct AtMember<'a> {
    outer: &'a dyn Lookup,
    member: Value,
}

impl Lookup for AtMember<'_> {
    fn quantity(&self, slot: usize, arguments: &[Value]) -> Value {
        self.outer.quantity(slot, arguments)
    }

    fn presence(&self, set: Set, number: usize) -> Option<bool> {
        self.outer.presence(set, number)
    }

    fn member(&self, level: usize) -> Value {
        level.checked_sub(1).map_or(self.member, |level| self.outer.member(level))
    }

    fn time(&self) -> f64 {
        self.outer.time()
    }

    fn state_time(&self) -> f64 {
        self.outer.state_time()
    }

    fn level_time(&self, level: usize) -> f64 {
        self.outer.level_time(level)
    }
}

/// A value for each member of a set.
#[derive(Clone, Debug)]
pub(super) struct PerMember<T> {
    pub fold: Fold,
    pub set: Set,
    pub value: T,
    /// The condition that selects members; `None` for all.
    pub condition: Option<Boolean>,
}

impl<T> PerMember<T> {
    /// Calls `see` for each selected member, with the frame's values for it.
    fn each(&self, lookup: &dyn Lookup, mut see: impl FnMut(usize, &T, &dyn Lookup)) {
        let mut number = 0;
        while let Some(is_there) = lookup.presence(self.set, number) {
            let at = AtMember { outer: lookup, member: self.set.member(Some(number)) };
            if is_there && self.condition.as_ref().is_none_or(|condition| condition.value(&at)) {
                see(number, &self.value, &at);
            }
            number += 1;
        }
    }

    /// Number of selected members.
    pub(super) fn members(&self, lookup: &dyn Lookup) -> usize {
        let mut count = 0;
        self.each(lookup, |_, _, _| count += 1);
        count
    }
}

impl PerMember<Boolean> {
    /// Numbers of members for which the condition holds, and for which it does not.
    fn votes(&self, lookup: &dyn Lookup) -> (usize, usize) {
        let (mut yes, mut no) = (0, 0);
        self.each(lookup, |_, value, at| if value.value(at) { yes += 1 } else { no += 1 });
        (yes, no)
    }

    pub(super) fn holds(&self, lookup: &dyn Lookup) -> bool {
        let (yes, no) = self.votes(lookup);
        if self.fold == Fold::All { no == 0 } else { yes > 0 }
    }

    pub(super) fn count(&self, lookup: &dyn Lookup) -> f64 {
        self.votes(lookup).0 as f64
    }

    /// Margin of the deciding member.
    pub(super) fn slack(&self, lookup: &dyn Lookup) -> f64 {
        let mut margin = if self.fold == Fold::All { 1.0_f64 } else { -1.0 };
        self.each(lookup, |_, value, at| {
            let slack = value.slack(at);
            margin = if self.fold == Fold::All { margin.min(slack) } else { margin.max(slack) };
        });
        margin
    }
}

impl PerMember<Number> {
    /// The member with the smallest or largest value, and that value. NaN is ignored.
    fn best(&self, lookup: &dyn Lookup) -> (Option<usize>, f64) {
        let is_least = matches!(self.fold, Fold::Min | Fold::ArgMin);
        let mut best = (None, if is_least { f64::INFINITY } else { f64::NEG_INFINITY });
        self.each(lookup, |number, value, at| {
            let value = value.value(at);
            let is_better = if is_least { value < best.1 } else { value > best.1 };
            if is_better {
                best = (Some(number), value);
            }
        });
        best
    }

    pub(super) fn number(&self, lookup: &dyn Lookup) -> f64 {
        if self.fold == Fold::Sum {
            let mut sum = 0.0;
            self.each(lookup, |_, value, at| sum += value.value(at));
            return sum;
        }
        self.best(lookup).1
    }

    pub(super) fn chosen(&self, lookup: &dyn Lookup) -> Value {
        self.set.member(self.best(lookup).0)
    }
}

impl Fold {
    /// Range of the result if the values have the range `of`.
    pub(super) fn range(self, of: Interval) -> Interval {
        match self {
            Fold::Count => Interval::NEVER_NEGATIVE,
            Fold::Min | Fold::Sum if of.is_never_negative() => Interval::NEVER_NEGATIVE,
            _ => Interval::ANY,
        }
    }
}
