//! Weight and form of a goal: as expressions, and as the numbers of a solve.

use super::scope::FIRST_WEIGHT;
use super::spec::ObjectiveTerms;
use aplomb_control::objective::{Form, TargetSide};
use aplomb_language::diagnostic::Place;
use aplomb_language::expression::{Lookup, Scalar};

/// Weight and form of a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GoalTerms {
    /// Weight of the squared dimensionless residual, 0 or more.
    pub weight: f64,
    /// The rate at which the error should vanish.
    pub form: Form,
    /// Whether it is an equality, or with a side a limit, instead of a cost.
    pub(crate) hard: bool,
    /// Which side of its target has no cost.
    pub(crate) side: TargetSide,
}

/// A weight, response or target with an unusable value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{what} of objective `{objective}`{} is {value} at t = {time} s", said_at(place))]
pub struct BadValue {
    /// Name in files of the invalid weight or time.
    pub(crate) what: &'static str,
    /// Name of the objective.
    pub(crate) objective: String,
    /// Place of the objective's name; without a file if a program set it.
    pub(crate) place: Place,
    /// The value.
    pub(crate) value: f64,
    /// Time at which it was evaluated, s.
    pub(crate) time: f64,
}

fn said_at(place: &Place) -> String {
    if place.file.is_empty() { String::new() } else { format!(" ({place})") }
}

/// Rejects a value that must be positive and finite.
fn above_zero(what: &'static str, value: f64) -> Result<f64, (&'static str, f64)> {
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err((what, value)) }
}

/// Rejects a value that must be 0 or more and finite.
fn not_negative(what: &'static str, value: f64) -> Result<f64, (&'static str, f64)> {
    if value.is_finite() && value >= 0.0 { Ok(value) } else { Err((what, value)) }
}

impl GoalTerms {
    /// The goal's parameters as given; `None` if the weight is 0.
    ///
    /// # Errors
    ///
    /// Name and value of the first that is unusable.
    pub(crate) fn checked(self) -> Result<Option<Self>, (&'static str, f64)> {
        not_negative("weight", self.weight)?;
        match self.form {
            Form::Direct => {}
            Form::Shaped { response } => {
                above_zero("response", response)?;
            }
            Form::Arriving { time } => {
                above_zero("time of arrival", time)?;
            }
            Form::Horizon { time, fastest } => {
                above_zero("horizon", time)?;
                if fastest.is_nan() || fastest <= 0.0 {
                    return Err(("fastest", fastest));
                }
            }
        }
        Ok((self.weight > 0.0 || self.hard).then_some(self))
    }
}

impl ObjectiveTerms {
    /// The weight, blended from that of the previous state.
    fn blended(&self, weight: f64, values: &dyn Lookup) -> f64 {
        let Some((name, seconds)) = self.blend else { return weight };
        let share = values.state_time() / seconds;
        if share >= 1.0 {
            return weight;
        }
        let before = values.quantity(FIRST_WEIGHT + name, &[]).number();
        if !(before.is_finite() && before >= 0.0) {
            return weight;
        }
        let share = share.max(0.0);
        before + (weight - before) * share * share * (3.0 - 2.0 * share)
    }

    /// The numbers of a solve; `None` if the objective is not active or has weight 0. `time_scale` is the length of
    /// one second of the controller's clock, s.
    ///
    /// # Errors
    ///
    /// Name and value of the first that is unusable.
    pub(crate) fn evaluate(
        &self,
        values: &dyn Lookup,
        time_scale: f64,
    ) -> Result<Option<GoalTerms>, (&'static str, f64)> {
        if self.when.as_ref().is_some_and(|when| !when.value(values)) {
            return Ok(None);
        }
        let value = |scalar: &Option<Scalar>| scalar.as_ref().map(|scalar| scalar.value(values));
        let positive = |what, scalar| value(scalar).map(|value| above_zero(what, value)).transpose();
        let weight = self.blended(not_negative("weight", self.weight.value(values))?, values);
        let response = positive("response", &self.response)?;
        let horizon = positive("horizon", &self.horizon)?;
        let fastest = positive("fastest", &self.fastest)?.unwrap_or(f64::INFINITY);
        if weight == 0.0 && !self.hard {
            return Ok(None);
        }
        let time_to_go = value(&self.time_to_go);
        if let Some(time) = time_to_go.filter(|time| time.is_nan()) {
            return Err(("time_to_go", time));
        }
        let form = match (time_to_go, response) {
            (Some(time), Some(response)) if time > 2.0 * response => {
                Form::Arriving { time: time * time_scale }
            }
            (_, Some(response)) => Form::Shaped { response: response * time_scale },
            (_, None) => match horizon {
                Some(time) => Form::Horizon { time: time * time_scale, fastest },
                None => Form::Direct,
            },
        };
        Ok(Some(GoalTerms { weight, form, hard: self.hard, side: self.side }))
    }
}
