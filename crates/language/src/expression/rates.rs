//! Rates of a value, for goals that follow their targets.
//!
//! They are differences over one frame, see [`Rates`]. Everything except time is constant in them.

use super::bound::{Scalar, ScalarForm, VectorForm, VectorValue};
use super::keyframes::Interpolation;
use super::sets::Set;
use super::tree::{Boolean, Number, Reference, Vector};
use super::value::{Lookup, Value};
use aplomb_math::interpolation::Rates;
use nalgebra::Vector3;
use std::ops::{Mul, Sub};

/// Lookup of a frame's values with another time.
struct Shifted<'a> {
    values: &'a dyn Lookup,
    /// Time since the run began, s.
    run: f64,
    /// Time since the state was entered, s on the controller's clock.
    state: f64,
}

impl Lookup for Shifted<'_> {
    fn quantity(&self, slot: usize, arguments: &[Value]) -> Value {
        self.values.quantity(slot, arguments)
    }

    fn presence(&self, set: Set, number: usize) -> Option<bool> {
        self.values.presence(set, number)
    }

    fn member(&self, level: usize) -> Value {
        self.values.member(level)
    }

    fn time(&self) -> f64 {
        self.values.time() + self.run
    }

    fn state_time(&self) -> f64 {
        self.values.state_time() + self.state
    }

    fn level_time(&self, level: usize) -> f64 {
        self.values.level_time(level) + self.state
    }
}

/// Differences of `value` over frames of `dt` s; `time_scale` is the length of one second of the controller's clock,
/// s. A piecewise linear value has no acceleration, because it could not be tracked at its corners; a value that
/// jumps has no rate either.
fn differences<T: Copy + Default + Sub<Output = T> + Mul<f64, Output = T>>(
    value: impl Fn(&dyn Lookup) -> T,
    interpolation: Option<Interpolation>,
    values: &dyn Lookup,
    dt: f64,
    time_scale: f64,
) -> Rates<T> {
    let at = |by: f64| value(&Shifted { values, run: by, state: by / time_scale });
    if interpolation == Some(Interpolation::Step) {
        return Rates::default();
    }
    let (before, here, after) = (at(-dt), at(0.0), at(dt));
    let (past, coming) = ((here - before) * (1.0 / dt), (after - here) * (1.0 / dt));
    match interpolation {
        Some(Interpolation::Linear) => Rates { velocity: past, acceleration: T::default() },
        _ => Rates { velocity: past, acceleration: (coming - past) * (1.0 / dt) },
    }
}

impl Scalar {
    /// Rates of change of the value with time in this frame.
    pub fn rates(&self, values: &dyn Lookup, dt: f64, time_scale: f64) -> Rates<f64> {
        let interpolation = match &self.form {
            ScalarForm::Keyframes(track) => Some(track.interpolation()),
            ScalarForm::Expression(_) => None,
        };
        differences(|values| self.value(values), interpolation, values, dt, time_scale)
    }

    /// Whether the value depends on time and on no other quantity that changes.
    pub fn is_of_time(&self) -> bool {
        match &self.form {
            ScalarForm::Keyframes(track) => Dependence::of(|seen| track.seen_by(seen)).is_of_time(),
            ScalarForm::Expression(tree) => tree.is_of_time(),
        }
    }
}

impl VectorValue {
    /// Rates of change of the value with time in this frame.
    pub fn rates(&self, values: &dyn Lookup, dt: f64, time_scale: f64) -> Rates<Vector3<f64>> {
        let interpolation = match &self.form {
            VectorForm::Keyframes(track) => Some(track.interpolation()),
            VectorForm::Expression(_) => None,
        };
        differences(|values| self.value(values), interpolation, values, dt, time_scale)
    }

    /// Whether the value depends on time and on no other quantity that changes.
    pub fn is_of_time(&self) -> bool {
        match &self.form {
            VectorForm::Keyframes(track) => Dependence::of(|seen| track.seen_by(seen)).is_of_time(),
            VectorForm::Expression(tree) => Dependence::of(|seen| tree.seen_by(seen)).is_of_time(),
        }
    }
}

/// The inputs that an expression depends on.
#[derive(Default)]
pub(super) struct Dependence {
    time: bool,
    /// Any other value of the frame.
    frame: bool,
}

impl Dependence {
    /// Records a dependence on time.
    pub(super) fn on_time(&mut self) {
        self.time = true;
    }

    fn of(see: impl FnOnce(&mut Dependence)) -> Self {
        let mut seen = Dependence::default();
        see(&mut seen);
        seen
    }

    fn is_of_time(&self) -> bool {
        self.time && !self.frame
    }
}

impl Number {
    /// Whether the value changes with time, and with nothing else.
    fn is_of_time(&self) -> bool {
        Dependence::of(|seen| self.seen_by(seen)).is_of_time()
    }

    pub(super) fn seen_by(&self, seen: &mut Dependence) {
        match self {
            Number::Constant(_) => {}
            Number::Time | Number::StateTime | Number::LevelTime(_) => seen.time = true,
            Number::Quantity(_) | Number::Over(_) | Number::Count(_) => seen.frame = true,
            Number::One(_, a) => a.seen_by(seen),
            Number::Two(_, parts) => parts.iter().for_each(|part| part.seen_by(seen)),
            Number::Three(_, parts) => parts.iter().for_each(|part| part.seen_by(seen)),
            Number::Keyframes(track) => track.seen_by(seen),
            Number::Norm(vector) | Number::Component(vector, _) => vector.seen_by(seen),
            Number::Dot(sides) => sides.iter().for_each(|side| side.seen_by(seen)),
            Number::Choice(choice) => {
                choice.condition.seen_by(seen);
                choice.yes.seen_by(seen);
                choice.no.seen_by(seen);
            }
        }
    }
}

impl Boolean {
    fn seen_by(&self, seen: &mut Dependence) {
        match self {
            Boolean::Constant(_) => {}
            Boolean::Quantity(_) | Boolean::Over(_) => seen.frame = true,
            Boolean::Not(inner) => inner.seen_by(seen),
            Boolean::And(sides) | Boolean::Or(sides) | Boolean::Same(sides) => {
                sides.iter().for_each(|side| side.seen_by(seen));
            }
            Boolean::Compare(_, sides) => sides.iter().for_each(|side| side.seen_by(seen)),
            Boolean::SameReference(sides) => {
                seen.frame |= sides.iter().any(|side| !matches!(side, Reference::Constant(_)));
            }
            Boolean::Choice(choice) => {
                [&choice.condition, &choice.yes, &choice.no].iter().for_each(|part| part.seen_by(seen));
            }
        }
    }
}

impl Vector {
    fn seen_by(&self, seen: &mut Dependence) {
        match self {
            Vector::Constant(_) => {}
            Vector::Quantity(_) => seen.frame = true,
            Vector::Components(parts) => parts.iter().for_each(|part| part.seen_by(seen)),
            Vector::Keyframes(track) => track.seen_by(seen),
            Vector::Sum(sides) | Vector::Difference(sides) => {
                sides.iter().for_each(|side| side.seen_by(seen));
            }
            Vector::Scaled(product) => {
                product.0.seen_by(seen);
                product.1.seen_by(seen);
            }
            Vector::Divided(quotient) => {
                quotient.0.seen_by(seen);
                quotient.1.seen_by(seen);
            }
            Vector::Between(parts) => {
                parts.0.seen_by(seen);
                parts.1.seen_by(seen);
                parts.2.seen_by(seen);
            }
            Vector::Choice(choice) => {
                choice.condition.seen_by(seen);
                choice.yes.seen_by(seen);
                choice.no.seen_by(seen);
            }
        }
    }
}
