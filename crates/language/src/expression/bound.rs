//! Bound expressions with a known type, evaluated in each frame.

use super::function::clamp;
use super::interval::Interval;
use super::keyframes::Track;
use super::tree::{Boolean, Call, Expression, Number, Reference, Vector};
use super::value::{Lookup, Type, Value};
use crate::BodyId;
use crate::diagnostic::Place;
use nalgebra::Vector3;
use std::sync::Arc;

/// Text of an expression and its place in the file.
#[derive(Clone, Debug, Default)]
pub(super) struct ExpressionText {
    pub text: Arc<str>,
    pub place: Place,
}

/// Every possible value of a choice.
macro_rules! values {
    ($type:ty) => {
        impl $type {
            /// Every possible value, where `of_quantity` gives those of quantities by slot; `None` where they
            /// are unknown.
            pub fn values(&self, of_quantity: &dyn Fn(usize) -> Option<Vec<Value>>) -> Option<Vec<Value>> {
                let mut values = Vec::new();
                self.tree.list_values(of_quantity, &mut values).then_some(values)
            }
        }
    };
}

macro_rules! origin {
    ($type:ty) => {
        impl $type {
            /// The expression's text in the file.
            pub fn text(&self) -> &Arc<str> {
                &self.origin.text
            }

            /// The expression's place in the file.
            pub fn place(&self) -> &Place {
                &self.origin.place
            }
        }
    };
}

/// A number, evaluated in each frame.
#[derive(Clone, Debug)]
pub struct Scalar {
    pub(super) form: ScalarForm,
    pub(super) range: Interval,
    pub(super) origin: ExpressionText,
}

#[derive(Clone, Debug)]
pub(super) enum ScalarForm {
    Expression(Number),
    Keyframes(Track<f64>),
}

impl Scalar {
    /// A constant of a program.
    pub fn constant(value: f64) -> Self {
        let form = ScalarForm::Expression(Number::Constant(value));
        Scalar { form, range: Interval::of(value), origin: ExpressionText::default() }
    }

    /// The value in this frame; not finite after a division by zero, for example.
    pub fn value(&self, lookup: &dyn Lookup) -> f64 {
        match &self.form {
            ScalarForm::Expression(tree) => tree.value(lookup),
            ScalarForm::Keyframes(track) => track.value(lookup),
        }
    }

    /// The value; `None` where it depends on something that does not exist, such as a hold. A value that is
    /// not finite for another reason is returned.
    pub fn known(&self, lookup: &dyn Lookup) -> Option<f64> {
        let value = self.value(lookup);
        let is_missing = || matches!(&self.form, ScalarForm::Expression(tree) if tree.lacks(lookup));
        if value.is_finite() || !is_missing() { Some(value) } else { None }
    }

    /// The value, if the form of the expression shows that it is constant.
    pub fn fixed(&self) -> Option<f64> {
        match &self.form {
            ScalarForm::Expression(Number::Constant(value)) => Some(*value),
            _ => None,
        }
    }

    /// Whether the value is given by keyframes over time.
    pub fn is_keyframed(&self) -> bool {
        matches!(self.form, ScalarForm::Keyframes(_))
    }

    /// The range of the value in all frames, by the form of the expression; it may still be NaN.
    pub fn range(&self) -> Interval {
        self.range
    }

    /// Whether the value is constant.
    #[cfg(test)]
    pub(crate) fn is_constant(&self) -> bool {
        match &self.form {
            ScalarForm::Expression(tree) => matches!(tree, Number::Constant(_)),
            ScalarForm::Keyframes(track) => track.is_constant(),
        }
    }
}

origin!(Scalar);

/// A vector, evaluated in each frame.
#[derive(Clone, Debug)]
pub struct VectorValue {
    pub(super) form: VectorForm,
    pub(super) origin: ExpressionText,
}

#[derive(Clone, Debug)]
pub(super) enum VectorForm {
    Expression(Vector),
    Keyframes(Track<Vector3<f64>>),
}

impl VectorValue {
    /// The value in this frame; not finite after a division by zero, for example.
    pub fn value(&self, lookup: &dyn Lookup) -> Vector3<f64> {
        match &self.form {
            VectorForm::Expression(tree) => tree.value(lookup),
            VectorForm::Keyframes(track) => track.value(lookup),
        }
    }

    /// The value; `None` where it depends on something that does not exist, such as a hold. A value that is
    /// not finite for another reason is returned.
    pub fn known(&self, lookup: &dyn Lookup) -> Option<Vector3<f64>> {
        let value = self.value(lookup);
        let is_missing = || matches!(&self.form, VectorForm::Expression(tree) if tree.lacks(lookup));
        if value.iter().all(|part| part.is_finite()) || !is_missing() { Some(value) } else { None }
    }
}

origin!(VectorValue);

/// A condition, evaluated in each frame.
#[derive(Clone, Debug)]
pub struct Condition {
    pub(super) tree: Boolean,
    pub(super) origin: ExpressionText,
}

impl Condition {
    /// Evaluates the condition in the present frame.
    pub fn value(&self, lookup: &dyn Lookup) -> bool {
        self.tree.value(lookup)
    }

    /// Whether the value is constant.
    pub fn is_constant(&self) -> bool {
        matches!(self.tree, Boolean::Constant(_))
    }
}

origin!(Condition);

/// A body, evaluated in each frame.
#[derive(Clone, Debug)]
pub struct BodyChoice {
    pub(super) tree: Reference,
    pub(super) origin: ExpressionText,
}

impl BodyChoice {
    /// Evaluates the choice in the present frame.
    pub fn value(&self, lookup: &dyn Lookup) -> BodyId {
        match self.tree.value(lookup) {
            Value::Body(body) => body,
            other => {
                debug_assert!(false, "a quantity of type body gave {other:?}");
                BodyId(0)
            }
        }
    }

    /// The body, if it is the same in every frame.
    pub fn fixed(&self) -> Option<BodyId> {
        match self.tree {
            Reference::Constant(Value::Body(body)) => Some(body),
            _ => None,
        }
    }
}

origin!(BodyChoice);
values!(BodyChoice);

/// A body or a site, evaluated in each frame.
#[derive(Clone, Debug)]
pub struct PlaceChoice {
    pub(super) tree: Reference,
    pub(super) origin: ExpressionText,
}

impl PlaceChoice {
    /// [`Value::Body`] or [`Value::Site`].
    pub fn value(&self, lookup: &dyn Lookup) -> Value {
        self.tree.value(lookup)
    }

    /// Whether the choice is constant.
    #[cfg(test)]
    pub(crate) fn is_constant(&self) -> bool {
        matches!(self.tree, Reference::Constant(_))
    }
}

origin!(PlaceChoice);

/// A site of the model, evaluated in each frame.
#[derive(Clone, Debug)]
pub struct SiteChoice {
    pub(super) tree: Reference,
    pub(super) origin: ExpressionText,
}

impl SiteChoice {
    /// Index in `Model::sites`.
    pub fn value(&self, lookup: &dyn Lookup) -> usize {
        if let Value::Site(site) = self.tree.value(lookup) { site } else { usize::MAX }
    }
}

origin!(SiteChoice);
values!(SiteChoice);

/// A hold of the scene, evaluated in each frame.
#[derive(Clone, Debug)]
pub struct HoldChoice {
    pub(super) tree: Reference,
    pub(super) origin: ExpressionText,
}

impl HoldChoice {
    /// Index among the scene's holds; `None` if no such hold exists.
    pub fn value(&self, lookup: &dyn Lookup) -> Option<usize> {
        if let Value::Hold(hold) = self.tree.value(lookup) { hold } else { None }
    }
}

origin!(HoldChoice);

/// A passive object of the scene, evaluated in each frame.
#[derive(Clone, Debug)]
pub struct ObjectChoice {
    pub(super) tree: Reference,
    pub(super) origin: ExpressionText,
}

impl ObjectChoice {
    /// Number of the passive object; `None` if no such object exists.
    pub fn value(&self, lookup: &dyn Lookup) -> Option<usize> {
        if let Value::Passive(object) = self.tree.value(lookup) { object } else { None }
    }
}

origin!(ObjectChoice);

/// An expression of any type.
#[derive(Clone, Debug)]
pub struct Any {
    pub(super) tree: Expression,
    pub(super) origin: ExpressionText,
}

impl Any {
    /// Evaluates the expression in the present frame.
    pub fn value(&self, lookup: &dyn Lookup) -> Value {
        self.tree.value(lookup)
    }

    /// Type of the expression's value.
    pub fn kind(&self) -> Type {
        self.tree.kind()
    }

    /// Every possible value, for a value that denotes a part, where `of_quantity` gives those of quantities by slot;
    /// `None` if they are unknown.
    pub fn values(&self, of_quantity: &dyn Fn(usize) -> Option<Vec<Value>>) -> Option<Vec<Value>> {
        let Expression::Reference(_, tree) = &self.tree else { return None };
        let mut values = Vec::new();
        tree.list_values(of_quantity, &mut values).then_some(values)
    }

    /// A quantity with these arguments, which have the types it requires.
    pub fn call(slot: usize, result: Type, arguments: Vec<Any>) -> Self {
        let texts: Vec<&str> = arguments.iter().map(|argument| &**argument.text()).collect();
        let text = texts.join(", ").into();
        let place = arguments.first().map(|argument| argument.place().clone()).unwrap_or_default();
        let arguments = arguments.into_iter().map(|argument| argument.tree).collect();
        let tree = Expression::quantity(Call { slot, arguments }, result);
        Any { tree, origin: ExpressionText { text, place } }
    }

    /// This value with each of its numbers clamped between two ends; values without numbers are unchanged.
    pub fn clamped(self, [low, high]: [f64; 2]) -> Any {
        let clamped = |number: Number| {
            let ends = [low, high].map(Number::Constant);
            let [low, high] = ends;
            Number::Three(clamp, Box::new([number, low, high]))
        };
        let tree = match self.tree {
            Expression::Number(number) => Expression::Number(clamped(number)),
            Expression::Vector(vector) => {
                let axis = |axis| clamped(Number::Component(Box::new(vector.clone()), axis));
                Expression::Vector(Vector::Components(Box::new([0, 1, 2].map(axis))))
            }
            other => other,
        };
        Any { tree, ..self }
    }

    /// The vector of three numbers; NaN for values of another type.
    pub fn of_parts(parts: [Any; 3]) -> Self {
        let texts: Vec<&str> = parts.iter().map(|part| &**part.text()).collect();
        let origin = ExpressionText { text: texts.join(", ").into(), place: parts[0].place().clone() };
        let numbers = parts.map(|part| match part.tree {
            Expression::Number(number) => number,
            _ => Number::Constant(f64::NAN),
        });
        Any { tree: Expression::Vector(Vector::Components(Box::new(numbers))), origin }
    }
}

impl Scalar {
    /// This value as an expression of any type; `None` for keyframes.
    pub fn expression(self) -> Option<Any> {
        let ScalarForm::Expression(tree) = self.form else { return None };
        Some(Any { tree: Expression::Number(tree), origin: self.origin })
    }
}

impl VectorValue {
    /// This value as an expression of any type; `None` for keyframes.
    pub fn expression(self) -> Option<Any> {
        let VectorForm::Expression(tree) = self.form else { return None };
        Some(Any { tree: Expression::Vector(tree), origin: self.origin })
    }
}

impl From<SiteChoice> for Any {
    fn from(choice: SiteChoice) -> Any {
        Any { tree: Expression::Reference(Type::Site, choice.tree), origin: choice.origin }
    }
}

impl From<PlaceChoice> for Any {
    fn from(choice: PlaceChoice) -> Any {
        Any { tree: Expression::Reference(Type::Place, choice.tree), origin: choice.origin }
    }
}

impl From<HoldChoice> for Any {
    fn from(choice: HoldChoice) -> Any {
        Any { tree: Expression::Reference(Type::Hold, choice.tree), origin: choice.origin }
    }
}

origin!(Any);
