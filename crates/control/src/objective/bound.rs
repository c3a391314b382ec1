//! What stands between an objective's expressions and its plain values.

use super::{Now, Objective, Subject, Target};
use aplomb_language::expression::{Lookup, Scalar, VectorValue};
use nalgebra::Vector3;

/// An objective whose values are found before each solve of a frame.
///
/// Every [`Objective`] is one, with the values it has; a file's objective is one whose expressions are evaluated.
pub trait BoundObjective: Send {
    /// The objective with the values of this solve; `None` where one of them is not there to be had, such as the
    /// place of a hold that does not exist.
    fn evaluate(&mut self, values: &dyn Lookup, now: &Now<'_>) -> Option<&dyn Objective>;

    /// Unit of the distance from a moving target that the goal keeps up with; `None` where it follows none. The same
    /// in every frame.
    fn followed_unit(&self) -> Option<&'static str>;

    /// Whether it is about passive objects that the character holds or touches.
    fn is_about_objects(&self) -> bool;

    /// What it compares with its target, the same in every frame; `None` where that is asked of the objective itself.
    fn subject(&self) -> Option<Subject> {
        None
    }

    /// The objective itself, where its values are its own and may be changed between frames.
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

/// An objective that is made anew from expressions before each solve.
pub struct Evaluated<O, F> {
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
    /// An objective about this `subject`. `make` gets the objective of the solve before, whose memory it may use again.
    pub fn new(subject: Subject, make: F) -> Self {
        Evaluated { subject, follows: None, about_objects: false, make, last: None }
    }

    /// Says that it is about passive objects that the character holds or touches.
    pub fn about_objects(self) -> Self {
        Evaluated { about_objects: true, ..self }
    }

    /// Says in which unit the distance from a moving target is that the goal keeps up with, if it `follows` one.
    pub fn following(self, follows: bool, unit: &'static str) -> Self {
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

/// The expression of a target, and whether the goal keeps up with it.
#[derive(Clone, Debug)]
pub struct Tracked<E> {
    /// What the target comes to in a frame.
    pub expression: E,
    /// Whether its rates count too.
    pub follow: bool,
}

impl Tracked<Scalar> {
    /// The target of this solve.
    pub fn at(&self, values: &dyn Lookup, now: &Now<'_>) -> Target<f64> {
        let rates = || self.expression.rates(values, now.scales.dt, now.scales.time());
        Target { value: self.expression.value(values), rates: self.follow.then(rates) }
    }

    /// The target, where what it depends on is there.
    pub fn known(&self, values: &dyn Lookup, now: &Now<'_>) -> Option<Target<f64>> {
        self.expression.known(values)?;
        Some(self.at(values, now))
    }
}

impl Tracked<VectorValue> {
    /// The target, where it is a point at all: one that depends on a hold that is not there has no place, and what
    /// is wanted of it has no meaning. What is not finite for another reason is a target that nothing can be computed
    /// with.
    pub fn known(&self, values: &dyn Lookup, now: &Now<'_>) -> Option<Target<Vector3<f64>>> {
        let value = self.expression.known(values)?;
        let rates = || self.expression.rates(values, now.scales.dt, now.scales.time());
        Some(Target { value, rates: self.follow.then(rates) })
    }
}
