//! Largest depth of nested set expressions: each level multiplies the time of a frame by the number of
//! members.

use super::sets::PerMember;
use super::tree::{Boolean, Call, Choice, Expression, Number, Reference, Vector};

/// Largest depth of nested sets, including those in definitions: with 100 members each, 10 000 values.
pub(super) const MOST: usize = 2;

/// A node that may contain iterations over sets.
pub(super) trait Nesting {
    /// Largest depth of nested set expressions.
    fn sets_deep(&self) -> usize;
}

fn deepest<'a, T: Nesting + 'a>(parts: impl IntoIterator<Item = &'a T>) -> usize {
    parts.into_iter().map(Nesting::sets_deep).max().unwrap_or(0)
}

impl<T: Nesting> Nesting for PerMember<T> {
    fn sets_deep(&self) -> usize {
        1 + self.value.sets_deep().max(deepest(&self.condition))
    }
}

impl<T: Nesting> Nesting for Choice<T> {
    fn sets_deep(&self) -> usize {
        self.condition.sets_deep().max(self.yes.sets_deep()).max(self.no.sets_deep())
    }
}

impl Nesting for Call {
    fn sets_deep(&self) -> usize {
        deepest(&self.arguments)
    }
}

impl Nesting for Expression {
    fn sets_deep(&self) -> usize {
        match self {
            Expression::Number(tree) => tree.sets_deep(),
            Expression::Boolean(tree) => tree.sets_deep(),
            Expression::Vector(tree) => tree.sets_deep(),
            Expression::Reference(_, tree) => tree.sets_deep(),
        }
    }
}

impl Nesting for Number {
    fn sets_deep(&self) -> usize {
        match self {
            Number::Constant(_) | Number::Time | Number::StateTime | Number::LevelTime(_) => 0,
            Number::Quantity(call) => call.sets_deep(),
            Number::One(_, part) => part.sets_deep(),
            Number::Two(_, parts) => deepest(parts.as_slice()),
            Number::Three(_, parts) => deepest(parts.as_slice()),
            Number::Keyframes(track) => track.sets_deep(),
            Number::Norm(vector) | Number::Component(vector, _) => vector.sets_deep(),
            Number::Dot(sides) => deepest(sides.as_slice()),
            Number::Choice(choice) => choice.sets_deep(),
            Number::Over(over) => over.sets_deep(),
            Number::Count(over) => over.sets_deep(),
        }
    }
}

impl Nesting for Boolean {
    fn sets_deep(&self) -> usize {
        match self {
            Boolean::Constant(_) => 0,
            Boolean::Quantity(call) => call.sets_deep(),
            Boolean::Not(inner) => inner.sets_deep(),
            Boolean::And(sides) | Boolean::Or(sides) | Boolean::Same(sides) => deepest(sides.as_slice()),
            Boolean::Compare(_, sides) => deepest(sides.as_slice()),
            Boolean::SameReference(sides) => deepest(sides.as_slice()),
            Boolean::Choice(choice) => choice.sets_deep(),
            Boolean::Over(over) => over.sets_deep(),
        }
    }
}

impl Nesting for Vector {
    fn sets_deep(&self) -> usize {
        match self {
            Vector::Constant(_) => 0,
            Vector::Quantity(call) => call.sets_deep(),
            Vector::Components(parts) => deepest(parts.as_slice()),
            Vector::Keyframes(track) => track.sets_deep(),
            Vector::Sum(sides) | Vector::Difference(sides) => deepest(sides.as_slice()),
            Vector::Scaled(parts) => parts.0.sets_deep().max(parts.1.sets_deep()),
            Vector::Divided(parts) => parts.0.sets_deep().max(parts.1.sets_deep()),
            Vector::Between(parts) => parts.0.sets_deep().max(parts.1.sets_deep()).max(parts.2.sets_deep()),
            Vector::Choice(choice) => choice.sets_deep(),
        }
    }
}

impl Nesting for Reference {
    fn sets_deep(&self) -> usize {
        match self {
            Reference::Constant(_) | Reference::Member(_) => 0,
            Reference::Quantity(call) => call.sets_deep(),
            Reference::Choice(choice) => choice.sets_deep(),
            Reference::Over(over) => over.sets_deep(),
        }
    }
}
