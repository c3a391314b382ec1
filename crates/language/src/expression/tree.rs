//! Typed expression trees: one type for each type of value, so that evaluation has no errors and does not
//! allocate.

use super::keyframes::Track;
use super::sets::{Fold, PerMember};
use super::value::{Lookup, MOST_ARGUMENTS, Type, Value};
use nalgebra::Vector3;

/// An expression of any type.
#[derive(Clone, Debug)]
pub(super) enum Expression {
    Number(Number),
    Boolean(Boolean),
    Vector(Vector),
    /// A body, site or joint.
    Reference(Type, Reference),
}

#[derive(Clone, Debug)]
pub(super) enum Number {
    Constant(f64),
    Time,
    StateTime,
    /// Time in a state that contains other states.
    LevelTime(usize),
    Quantity(Call),
    One(fn(f64) -> f64, Box<Number>),
    Two(fn(f64, f64) -> f64, Box<[Number; 2]>),
    Three(fn(f64, f64, f64) -> f64, Box<[Number; 3]>),
    Keyframes(Box<Track<f64>>),
    Norm(Box<Vector>),
    Dot(Box<[Vector; 2]>),
    /// Component 0, 1 or 2: x, y or z.
    Component(Box<Vector>, usize),
    Choice(Box<Choice<Number>>),
    /// Sum, smallest or largest value over a set.
    Over(Box<PerMember<Number>>),
    /// The number of members of a set for which a condition holds.
    Count(Box<PerMember<Boolean>>),
}

#[derive(Clone, Debug)]
pub(super) enum Boolean {
    Constant(bool),
    Quantity(Call),
    Not(Box<Boolean>),
    And(Box<[Boolean; 2]>),
    Or(Box<[Boolean; 2]>),
    Compare(fn(&f64, &f64) -> bool, Box<[Number; 2]>),
    Same(Box<[Boolean; 2]>),
    SameReference(Box<[Reference; 2]>),
    Choice(Box<Choice<Boolean>>),
    /// A condition for at least one or for all members of a set.
    Over(Box<PerMember<Boolean>>),
}

#[derive(Clone, Debug)]
pub(super) enum Vector {
    Constant(Vector3<f64>),
    Quantity(Call),
    Components(Box<[Number; 3]>),
    Keyframes(Box<Track<Vector3<f64>>>),
    Sum(Box<[Vector; 2]>),
    Difference(Box<[Vector; 2]>),
    Scaled(Box<(Number, Vector)>),
    Divided(Box<(Vector, Number)>),
    /// a + s (b − a)
    Between(Box<(Vector, Vector, Number)>),
    Choice(Box<Choice<Vector>>),
}

#[derive(Clone, Debug)]
pub(super) enum Reference {
    Constant(Value),
    Quantity(Call),
    Choice(Box<Choice<Reference>>),
    /// The current member of a variable, by the number of sets between it and the innermost one.
    Member(usize),
    /// The member of a set with the smallest or largest value.
    Over(Box<PerMember<Number>>),
}

#[derive(Clone, Debug)]
pub(super) struct Choice<T> {
    pub condition: Boolean,
    pub yes: T,
    pub no: T,
}

impl<T> Choice<T> {
    fn chosen(&self, lookup: &dyn Lookup) -> &T {
        if self.condition.value(lookup) { &self.yes } else { &self.no }
    }
}

/// The number of arguments that suffices for nearly all quantities.
const FEW: usize = 7;

/// A quantity by slot, with its arguments.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub slot: usize,
    /// At most [`MOST_ARGUMENTS`].
    pub arguments: Vec<Expression>,
}

impl Call {
    /// Whether a required object is absent, which quantities express as NaN.
    fn is_nowhere(&self, lookup: &dyn Lookup) -> bool {
        let is_missing = match self.value(lookup) {
            Value::Number(value) => value.is_nan(),
            Value::Vector(value) => value.iter().any(|part| part.is_nan()),
            _ => false,
        };
        is_missing || self.arguments.iter().any(|argument| argument.lacks(lookup))
    }

    fn value(&self, lookup: &dyn Lookup) -> Value {
        // Few quantities have many arguments, and the memory for them must be cleared each time.
        match self.arguments.len() {
            0..=FEW => self.value_in::<FEW>(lookup),
            _ => self.value_in::<MOST_ARGUMENTS>(lookup),
        }
    }

    fn value_in<const ROOM: usize>(&self, lookup: &dyn Lookup) -> Value {
        let mut values = [Value::Boolean(false); ROOM];
        let count = self.arguments.len().min(ROOM);
        for (value, argument) in values.iter_mut().zip(&self.arguments) {
            *value = argument.value(lookup);
        }
        lookup.quantity(self.slot, &values[..count])
    }
}

impl Expression {
    /// Whether a required object is absent now.
    fn lacks(&self, lookup: &dyn Lookup) -> bool {
        match self {
            Expression::Number(tree) => tree.lacks(lookup),
            Expression::Vector(tree) => tree.lacks(lookup),
            Expression::Boolean(_) | Expression::Reference(..) => false,
        }
    }

    /// A call of a quantity of type `result`.
    pub(super) fn quantity(call: Call, result: Type) -> Self {
        match result {
            Type::Number => Expression::Number(Number::Quantity(call)),
            Type::Boolean => Expression::Boolean(Boolean::Quantity(call)),
            Type::Vector => Expression::Vector(Vector::Quantity(call)),
            Type::Body
            | Type::Site
            | Type::Joint
            | Type::Hold
            | Type::Passive
            | Type::Surface
            | Type::Character
            | Type::State
            | Type::Pushes
            | Type::Place
            | Type::Spot
            | Type::Other => Expression::Reference(result, Reference::Quantity(call)),
        }
    }

    pub(super) fn kind(&self) -> Type {
        match self {
            Expression::Number(_) => Type::Number,
            Expression::Boolean(_) => Type::Boolean,
            Expression::Vector(_) => Type::Vector,
            Expression::Reference(kind, _) => *kind,
        }
    }

    pub(super) fn value(&self, lookup: &dyn Lookup) -> Value {
        match self {
            Expression::Number(tree) => Value::Number(tree.value(lookup)),
            Expression::Boolean(tree) => Value::Boolean(tree.value(lookup)),
            Expression::Vector(tree) => Value::Vector(tree.value(lookup)),
            Expression::Reference(_, tree) => tree.value(lookup),
        }
    }
}

impl Number {
    /// Whether a required object is absent now.
    pub(super) fn lacks(&self, lookup: &dyn Lookup) -> bool {
        match self {
            Number::Constant(_) | Number::Time | Number::StateTime | Number::LevelTime(_) => false,
            Number::Quantity(call) => call.is_nowhere(lookup),
            Number::One(_, a) => a.lacks(lookup),
            Number::Two(_, parts) => parts.iter().any(|part| part.lacks(lookup)),
            Number::Three(_, parts) => parts.iter().any(|part| part.lacks(lookup)),
            Number::Keyframes(track) => track.lacks(lookup),
            Number::Norm(vector) | Number::Component(vector, _) => vector.lacks(lookup),
            Number::Dot(sides) => sides.iter().any(|side| side.lacks(lookup)),
            Number::Choice(choice) => choice.chosen(lookup).lacks(lookup),
            Number::Over(over) => over.fold != Fold::Sum && over.members(lookup) == 0,
            Number::Count(_) => false,
        }
    }

    pub(super) fn value(&self, lookup: &dyn Lookup) -> f64 {
        match self {
            Number::Constant(value) => *value,
            Number::Time => lookup.time(),
            Number::StateTime => lookup.state_time(),
            Number::LevelTime(level) => lookup.level_time(*level),
            Number::Quantity(call) => call.value(lookup).number(),
            Number::One(function, a) => function(a.value(lookup)),
            Number::Two(function, parts) => function(parts[0].value(lookup), parts[1].value(lookup)),
            Number::Three(function, parts) => {
                function(parts[0].value(lookup), parts[1].value(lookup), parts[2].value(lookup))
            }
            Number::Keyframes(track) => track.value(lookup),
            Number::Norm(vector) => vector.value(lookup).norm(),
            Number::Dot(sides) => sides[0].value(lookup).dot(&sides[1].value(lookup)),
            Number::Component(vector, axis) => vector.value(lookup)[*axis],
            Number::Choice(choice) => choice.chosen(lookup).value(lookup),
            Number::Over(over) => over.number(lookup),
            Number::Count(over) => over.count(lookup),
        }
    }
}

impl Boolean {
    pub(super) fn value(&self, lookup: &dyn Lookup) -> bool {
        match self {
            Boolean::Constant(value) => *value,
            Boolean::Quantity(call) => call.value(lookup).boolean(),
            Boolean::Not(inner) => !inner.value(lookup),
            Boolean::And(sides) => sides[0].value(lookup) && sides[1].value(lookup),
            Boolean::Or(sides) => sides[0].value(lookup) || sides[1].value(lookup),
            Boolean::Compare(holds, sides) => holds(&sides[0].value(lookup), &sides[1].value(lookup)),
            Boolean::Same(sides) => sides[0].value(lookup) == sides[1].value(lookup),
            Boolean::SameReference(sides) => {
                sides[0].value(lookup).is_same_reference(&sides[1].value(lookup))
            }
            Boolean::Choice(choice) => choice.chosen(lookup).value(lookup),
            Boolean::Over(over) => over.holds(lookup),
        }
    }
}

impl Vector {
    /// Whether a required object is absent now.
    pub(super) fn lacks(&self, lookup: &dyn Lookup) -> bool {
        match self {
            Vector::Constant(_) => false,
            Vector::Quantity(call) => call.is_nowhere(lookup),
            Vector::Components(parts) => parts.iter().any(|part| part.lacks(lookup)),
            Vector::Keyframes(track) => track.lacks(lookup),
            Vector::Sum(sides) | Vector::Difference(sides) => sides.iter().any(|side| side.lacks(lookup)),
            Vector::Scaled(product) => product.0.lacks(lookup) || product.1.lacks(lookup),
            Vector::Divided(quotient) => quotient.0.lacks(lookup) || quotient.1.lacks(lookup),
            Vector::Between(parts) => parts.0.lacks(lookup) || parts.1.lacks(lookup) || parts.2.lacks(lookup),
            Vector::Choice(choice) => choice.chosen(lookup).lacks(lookup),
        }
    }

    pub(super) fn value(&self, lookup: &dyn Lookup) -> Vector3<f64> {
        match self {
            Vector::Constant(value) => *value,
            Vector::Quantity(call) => call.value(lookup).vector(),
            Vector::Components(parts) => {
                Vector3::new(parts[0].value(lookup), parts[1].value(lookup), parts[2].value(lookup))
            }
            Vector::Keyframes(track) => track.value(lookup),
            Vector::Sum(sides) => sides[0].value(lookup) + sides[1].value(lookup),
            Vector::Difference(sides) => sides[0].value(lookup) - sides[1].value(lookup),
            Vector::Scaled(product) => product.1.value(lookup) * product.0.value(lookup),
            Vector::Divided(quotient) => quotient.0.value(lookup) / quotient.1.value(lookup),
            Vector::Between(parts) => {
                let (a, b) = (parts.0.value(lookup), parts.1.value(lookup));
                a + (b - a) * parts.2.value(lookup)
            }
            Vector::Choice(choice) => choice.chosen(lookup).value(lookup),
        }
    }
}

impl Reference {
    /// Adds every possible value, where `of_quantity` gives those of quantities by slot; false if they are
    /// unknown.
    pub(super) fn list_values(
        &self,
        of_quantity: &dyn Fn(usize) -> Option<Vec<Value>>,
        values: &mut Vec<Value>,
    ) -> bool {
        match self {
            Reference::Constant(value) => values.push(*value),
            Reference::Quantity(call) => match of_quantity(call.slot) {
                Some(known) => values.extend(known),
                None => return false,
            },
            Reference::Choice(choice) => {
                return choice.yes.list_values(of_quantity, values)
                    && choice.no.list_values(of_quantity, values);
            }
            Reference::Member(_) | Reference::Over(_) => return false,
        }
        true
    }

    pub(super) fn value(&self, lookup: &dyn Lookup) -> Value {
        match self {
            Reference::Constant(value) => *value,
            Reference::Quantity(call) => call.value(lookup),
            Reference::Choice(choice) => choice.chosen(lookup).value(lookup),
            Reference::Member(level) => lookup.member(*level),
            Reference::Over(over) => over.chosen(lookup),
        }
    }
}
