//! A goal of the controller with the numbers it has in this frame.

use crate::language::diagnostic::Place;
use crate::language::expression::{Lookup, Scalar};
use crate::objective::Form;
use crate::synthesis::ActiveGoal;
use crate::world::character::Goal;

/// A weight, response or target that came to nothing usable.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{what} of objective `{objective}` ({place}) is {value} at t = {time} s")]
pub struct BadValue {
    pub what: &'static str,
    pub objective: String,
    pub place: Place,
    pub value: f64,
    pub time: f64,
}

/// The goal as it stands in this frame; `None` when it does not hold or weighs nothing.
pub fn in_force<'g>(
    goal: &'g Goal,
    values: &dyn Lookup,
    time_scale: f64,
) -> Result<Option<ActiveGoal<'g>>, BadValue> {
    let terms = &goal.terms;
    if terms.when.as_ref().is_some_and(|when| !when.value(values)) {
        return Ok(None);
    }
    let bad = |what, value| BadValue {
        what,
        objective: terms.name.clone(),
        place: terms.place.clone(),
        value,
        time: values.time(),
    };
    let weight = terms.weight.value(values);
    if !(weight.is_finite() && weight >= 0.0) {
        return Err(bad("weight", weight));
    }
    let above_zero = |what, value: &Option<Scalar>| match value.as_ref().map(|value| value.value(values)) {
        Some(value) if !(value.is_finite() && value > 0.0) => Err(bad(what, value)),
        value => Ok(value),
    };
    let response = above_zero("response", &terms.response)?;
    let horizon = above_zero("horizon", &terms.horizon)?;
    let fastest = above_zero("fastest", &terms.fastest)?.unwrap_or(f64::INFINITY);
    if weight == 0.0 && !terms.hard {
        return Ok(None);
    }
    let arrive_in = terms.arrive_in.as_ref().map(|time| time.value(values));
    if let Some(time) = arrive_in.filter(|time| time.is_nan()) {
        return Err(bad("arrive_in", time));
    }
    let form = match (arrive_in, response) {
        (Some(time), Some(response)) if time > 2.0 * response => Form::Arriving { time: time * time_scale },
        (_, Some(response)) => Form::Shaped { response: response * time_scale },
        (_, None) => match horizon {
            Some(time) => Form::Horizon { time: time * time_scale, fastest },
            None => Form::Direct,
        },
    };
    Ok(Some(ActiveGoal {
        index: goal.index,
        objective: &*goal.objective,
        label: &goal.label,
        weight,
        form,
        hard: terms.hard,
    }))
}
