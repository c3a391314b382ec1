//! How much a goal counts, and how its error is asked to vanish: as expressions, and as the numbers of a solve.

use super::scope::FIRST_WEIGHT;
use super::spec::ObjectiveTerms;
use aplomb_control::objective::{Form, TargetSide};
use aplomb_language::diagnostic::Place;
use aplomb_language::expression::{Lookup, Scalar};

/// How much a goal counts, and how its error is asked to vanish.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GoalTerms {
    /// On the squared dimensionless residual, 0 or more.
    pub weight: f64,
    /// How the error is asked to vanish.
    pub form: Form,
    /// An equality instead of a goal, or a limit.
    pub hard: bool,
    /// Which side of its target it keeps to.
    pub side: TargetSide,
}

/// A weight, response or target that came to nothing usable.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{what} of objective `{objective}`{} is {value} at t = {time} s", said_at(place))]
pub struct BadValue {
    /// The weight, or the time that is wrong, by its name in files.
    pub what: &'static str,
    /// Name of the objective.
    pub objective: String,
    /// Where the objective's name stands; without a file where a program gave it.
    pub place: Place,
    /// What it came to.
    pub value: f64,
    /// s
    pub time: f64,
}

fn said_at(place: &Place) -> String {
    if place.file.is_empty() { String::new() } else { format!(" ({place})") }
}

/// Refuses a value that must be more than 0 and finite.
fn above_zero(what: &'static str, value: f64) -> Result<f64, (&'static str, f64)> {
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err((what, value)) }
}

/// Refuses a value that must be 0 or more and finite.
fn not_negative(what: &'static str, value: f64) -> Result<f64, (&'static str, f64)> {
    if value.is_finite() && value >= 0.0 { Ok(value) } else { Err((what, value)) }
}

impl GoalTerms {
    /// The terms as they stand; `None` where the goal weighs nothing.
    ///
    /// # Errors
    ///
    /// The name and the value of the first that is not usable.
    pub fn checked(self) -> Result<Option<Self>, (&'static str, f64)> {
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
    /// The weight on its way from that of the state before.
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

    /// The numbers of a solve; `None` when the objective does not hold or weighs nothing. `time_scale` is the length
    /// of one second of the controller's clock, s.
    ///
    /// # Errors
    ///
    /// The name and the value of the first that is not usable.
    pub fn evaluate(
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
