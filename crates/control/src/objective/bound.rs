//! Objectives with expressions: evaluation of the expressions into plain values before each solve.

use super::{Now, Objective, Subject, Target};
use aplomb_language::expression::{Lookup, Scalar, VectorValue};
use nalgebra::Vector3;

/// An objective whose values are evaluated before each solve of a frame.
///
/// Every [`Objective`] is one, with constant values; an objective from a file has expressions, which are evaluated.
pub trait BoundObjective: Send {
    /// The objective with the values of this solve; `None` if a value is undefined, such as the position of a hold
    /// that does not exist.
    fn evaluate(&mut self, values: &dyn Lookup, now: &Now<'_>) -> Option<&dyn Objective>;

    /// Unit of the distance from the moving target that the goal tracks; `None` if it tracks none. The same in every
    /// frame.
    fn followed_unit(&self) -> Option<&'static str>;

    /// Whether the objective depends on the motion of passive objects that the character holds or touches.
    fn is_about_objects(&self) -> bool;

    /// The quantities that the objective compares with its target, the same in every frame; `None` if the objective
    /// itself provides them.
    fn subject(&self) -> Option<Subject> {
        None
    }

    /// The objective itself, if it has constant values that a program may change between frames.
    fn own(&mut self) -> Option<&mut dyn Objective> {
        None
    }
}

impl<O: Objective> BoundObjective for O {
    fn evaluate(&mut self, _: &dyn Lookup, _: &Now<'_>) -> Option<&dyn Objective> {
        Some(self)
    }

    fn followed_unit(&self) -> Option<&'static str> {
        self.follows()
    }

    fn is_about_objects(&self) -> bool {
        Objective::is_about_objects(self)
    }

    fn own(&mut self) -> Option<&mut dyn Objective> {
        Some(self)
    }
}

/// An objective that is constructed from expressions before each solve.
pub(super) struct Evaluated<O, F> {
    subject: Subject,
    follows: Option<&'static str>,
    about_objects: bool,
    make: F,
    last: Option<O>,
}

impl<O, F> Evaluated<O, F>
where
    O: Objective,
    F: Fn(Option<O>, &dyn Lookup, &Now<'_>) -> Option<O> + Send,
{
    /// An objective with this `subject`. `make` receives the objective of the previous solve, whose memory it
    /// may reuse.
    pub(super) fn new(subject: Subject, make: F) -> Self {
        Evaluated { subject, follows: None, about_objects: false, make, last: None }
    }

    /// Marks the objective as dependent on passive objects that the character holds or touches.
    pub(super) fn about_objects(self) -> Self {
        Evaluated { about_objects: true, ..self }
    }

    /// Sets the unit of the distance from a moving target, if the goal `follows` one.
    pub(super) fn following(self, follows: bool, unit: &'static str) -> Self {
        Evaluated { follows: follows.then_some(unit), ..self }
    }
}

impl<O, F> BoundObjective for Evaluated<O, F>
where
    O: Objective,
    F: Fn(Option<O>, &dyn Lookup, &Now<'_>) -> Option<O> + Send,
{
    fn evaluate(&mut self, values: &dyn Lookup, now: &Now<'_>) -> Option<&dyn Objective> {
        self.last = (self.make)(self.last.take(), values, now);
        self.last.as_ref().map(|objective| objective as &dyn Objective)
    }

    fn followed_unit(&self) -> Option<&'static str> {
        self.follows
    }

    fn is_about_objects(&self) -> bool {
        self.about_objects
    }

    fn subject(&self) -> Option<Subject> {
        Some(self.subject.clone())
    }
}

/// The expression of a target, and whether the goal follows its motion.
#[derive(Clone, Debug)]
pub(super) struct Tracked<E> {
    /// Expression whose value is the target.
    pub expression: E,
    /// Whether the goal uses the rates of the target as well.
    pub follow: bool,
}

impl Tracked<Scalar> {
    /// The target in this solve.
    pub(super) fn at(&self, values: &dyn Lookup, now: &Now<'_>) -> Target<f64> {
        let rates = || self.expression.rates(values, now.scales.dt, now.scales.time());
        Target { value: self.expression.value(values), rates: self.follow.then(rates) }
    }

    /// The target, if the values that it depends on are defined.
    pub(super) fn known(&self, values: &dyn Lookup, now: &Now<'_>) -> Option<Target<f64>> {
        self.expression.known(values)?;
        Some(self.at(values, now))
    }
}

impl Tracked<VectorValue> {
    /// The target, if it is defined: one that depends on a missing hold is undefined, and the objective is then
    /// inactive. A target that is not finite for another reason is an error.
    pub(super) fn known(&self, values: &dyn Lookup, now: &Now<'_>) -> Option<Target<Vector3<f64>>> {
        let value = self.expression.known(values)?;
        let rates = || self.expression.rates(values, now.scales.dt, now.scales.time());
        Some(Target { value, rates: self.follow.then(rates) })
    }
}
