//! An objective that a program added to a character.

use crate::kind::{self, Objective, Terms};
use crate::objective::{BodyPoint, ComPosition, Own, Pose};
use crate::shared::Shared;
use aplomb::language::files::in_quotes;
use aplomb::objective::{self, Form, Target, TargetSide};
use aplomb::world::character::GoalId;
use aplomb::world::{self, CharacterId};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex, PoisonError};

/// An objective that a program added to a character.
#[pyclass(frozen, module = "aplomb")]
pub struct Goal {
    shared: Arc<Shared>,
    character: CharacterId,
    id: GoalId,
    /// Its name among the objectives.
    #[pyo3(get)]
    name: String,
    /// How it is written; None for objectives of other classes than `Objective`.
    written: Option<(Mutex<Objective>, Terms)>,
}

/// The keywords of `add_objective`: numbers, or expressions as text.
pub struct Keywords<'a, 'py> {
    pub weight: &'a Bound<'py, PyAny>,
    pub response: Option<&'a Bound<'py, PyAny>>,
    pub horizon: Option<&'a Bound<'py, PyAny>>,
    pub fastest: Option<&'a Bound<'py, PyAny>>,
    pub time_to_go: Option<&'a Bound<'py, PyAny>>,
    pub when: Option<&'a Bound<'py, PyAny>>,
    pub side: Option<&'a str>,
    pub axes: Option<&'a Bound<'py, PyAny>>,
    pub joints: Option<&'a Bound<'py, PyAny>>,
    pub hard: bool,
}

impl Keywords<'_, '_> {
    /// As keys of a controller file.
    fn terms(&self, name: &str) -> PyResult<Terms> {
        let mut terms = Terms(vec![("name".into(), in_quotes(name))]);
        terms.add("weight", Some(self.weight))?;
        for (key, value) in [
            ("response", self.response),
            ("horizon", self.horizon),
            ("fastest", self.fastest),
            ("time_to_go", self.time_to_go),
            ("when", self.when),
            ("axes", self.axes),
            ("joints", self.joints),
        ] {
            terms.add(key, value)?;
        }
        if let Some(side) = self.side {
            terms.0.push(("side".into(), in_quotes(side)));
        }
        if self.hard {
            terms.0.push(("hard".into(), "true".into()));
        }
        Ok(terms)
    }

    /// The numbers of a goal whose objective has no expressions.
    ///
    /// # Errors
    /// An expression, and what only an `Objective` has.
    fn numbers(&self) -> PyResult<(f64, Form)> {
        for (key, value) in [
            ("time_to_go", self.time_to_go),
            ("when", self.when),
            ("axes", self.axes),
            ("joints", self.joints),
        ] {
            if value.is_some() {
                let message = format!("`{key}` is for an aplomb.Objective");
                return Err(PyValueError::new_err(message));
            }
        }
        let number = |key: &str, value: &Bound<'_, PyAny>| {
            value.extract::<f64>().map_err(|_| {
                let of = "an expression needs an aplomb.Objective";
                PyTypeError::new_err(format!("`{key}` is a number; {of}"))
            })
        };
        let maybe = |key, value: Option<&Bound<'_, PyAny>>| value.map(|value| number(key, value)).transpose();
        let (response, horizon) = (maybe("response", self.response)?, maybe("horizon", self.horizon)?);
        let form = form(response, horizon, maybe("fastest", self.fastest)?)?;
        Ok((number("weight", self.weight)?, form))
    }

    fn side(&self) -> PyResult<TargetSide> {
        match self.side {
            None | Some("exactly") => Ok(TargetSide::Exactly),
            Some("at_least") => Ok(TargetSide::AtLeast),
            Some("at_most") => Ok(TargetSide::AtMost),
            Some(side) => {
                let message = format!("a side is at_least, at_most or exactly, not {side:?}");
                Err(PyValueError::new_err(message))
            }
        }
    }
}

/// Form of an objective from the given ones of `response`, `horizon` and `fastest`.
fn form(response: Option<f64>, horizon: Option<f64>, fastest: Option<f64>) -> PyResult<Form> {
    match (response, horizon, fastest) {
        (None, None, None) => Ok(Form::Direct),
        (Some(response), None, None) => Ok(Form::Shaped { response }),
        (None, Some(time), fastest) => Ok(Form::Horizon { time, fastest: fastest.unwrap_or(f64::INFINITY) }),
        _ => Err(PyValueError::new_err("give `response`, or `horizon` and perhaps `fastest`")),
    }
}

impl Goal {
    /// Adds an objective to a character.
    pub fn add(
        shared: Arc<Shared>,
        character: CharacterId,
        name: &str,
        objective: &Bound<'_, PyAny>,
        keywords: &Keywords<'_, '_>,
    ) -> PyResult<Self> {
        if let Ok(objective) = objective.cast::<Objective>() {
            let (objective, terms) = (objective.get().clone(), keywords.terms(name)?);
            let source = objective.source(&terms);
            let added = shared.lock()?.world.character_mut(character).add_objective(&source);
            let id = added.map_err(|mistakes| kind::value_error(name, &mistakes))?;
            let written = Some((Mutex::new(objective), terms));
            return Ok(Goal { shared, character, id, name: name.into(), written });
        }
        let (weight, form) = keywords.numbers()?;
        let side = keywords.side()?;
        let id = {
            let mut run = shared.lock()?;
            let character = run.world.character_mut(character);
            let model = &character.model;
            let goal = if let Ok(point) = objective.cast::<BodyPoint>() {
                world::Goal::new(name, weight, form, point.get().bound(model)?)
            } else if let Ok(com) = objective.cast::<ComPosition>() {
                world::Goal::new(name, weight, form, com.get().bound())
            } else if let Ok(pose) = objective.cast::<Pose>() {
                world::Goal::new(name, weight, form, pose.get().bound(model)?)
            } else {
                world::Goal::new(name, weight, form, Own::new(objective, model, shared.failure.clone())?)
            };
            let goal = goal.on(side);
            character.add_goal(if keywords.hard { goal.hard() } else { goal })
        };
        Ok(Goal { shared, character, id, name: name.into(), written: None })
    }

    fn change<T>(&self, change: impl FnOnce(&mut world::Goal) -> T) -> PyResult<T> {
        let mut run = self.shared.lock()?;
        let goal = run.world.character_mut(self.character).goal_mut(self.id);
        goal.map(change).ok_or_else(|| PyValueError::new_err("this goal is of another world"))
    }
}

#[pymethods]
impl Goal {
    /// Weight of the objective, 0 or more. Raises ValueError if it is an expression; a number may take its place.
    #[getter]
    fn weight(&self) -> PyResult<f64> {
        let weight = self.change(|goal| goal.weight())?;
        weight.ok_or_else(|| PyValueError::new_err("this goal's weight is an expression"))
    }

    #[setter]
    fn set_weight(&self, weight: f64) -> PyResult<()> {
        if !(weight >= 0.0 && weight.is_finite()) {
            return Err(PyValueError::new_err("a weight is 0 or more"));
        }
        self.change(|goal| goal.set_weight(weight))
    }

    /// Enables or disables the objective from the next frame on.
    fn enable(&self, enabled: bool) -> PyResult<()> {
        self.change(|goal| goal.enable(enabled))
    }

    /// Sets the target: a point (3 numbers, m) for a `BodyPoint` or `ComPosition`, joint positions by name (rad or m)
    /// for a `Pose`, which takes no time; for an `Objective`, its key `target`, or `angles` for a dict.
    fn set_target(&self, target: &Bound<'_, PyAny>) -> PyResult<()> {
        if self.written.is_some() {
            let keys = PyDict::new(target.py());
            let is_pose = target.cast::<PyDict>().is_ok();
            keys.set_item(if is_pose { "angles" } else { "target" }, target)?;
            return self.set(Some(&keys));
        }
        if let Ok(joints) = target.cast::<PyDict>() {
            return self.set_joints(joints);
        }
        let to: [f64; 3] = target.extract()?;
        let is_changed = self.change(|goal| {
            if let Some(point) = goal.objective_mut::<objective::BodyPoint>() {
                point.target = Target::fixed(to.into());
            } else if let Some(com) = goal.objective_mut::<objective::ComPosition>() {
                com.target = Target::fixed(to.into());
            } else {
                return false;
            }
            true
        })?;
        match is_changed {
            true => Ok(()),
            false => Err(PyTypeError::new_err("this goal has no point for a target")),
        }
    }

    /// Sets keys of an `Objective`: `goal.set(target=[0.3, 0.2, 1.1])`; None removes a key. Its text is read and bound
    /// again, which takes some tens of microseconds. A weight that was set stays. Raises ValueError, and the objective
    /// then continues as it was.
    #[pyo3(signature = (**keys))]
    fn set(&self, keys: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let Some((objective, terms)) = &self.written else {
            return Err(PyTypeError::new_err("only the goal of an aplomb.Objective has keys"));
        };
        let Some(keys) = keys else { return Ok(()) };
        let mut objective = objective.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = objective.changed(keys)?;
        let weight = self.change(|goal| goal.weight())?;
        let source = changed.source(terms);
        let mut run = self.shared.lock()?;
        let character = run.world.character_mut(self.character);
        let replaced = character.replace_objective(self.id, &source);
        replaced.map_err(|mistakes| kind::value_error(&self.name, &mistakes))?;
        if let (Some(goal), Some(weight)) = (character.goal_mut(self.id), weight) {
            goal.set_weight(weight);
        }
        *objective = changed;
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("Goal({:?})", self.name)
    }
}

impl Goal {
    fn set_joints(&self, joints: &Bound<'_, PyDict>) -> PyResult<()> {
        let model = self.shared.lock()?.world.character(self.character).model.clone();
        let asked = Pose::of(joints)?.bound(&model)?;
        let is_pose = self.change(|goal| {
            let Some(pose) = goal.objective_mut::<objective::Pose>() else { return false };
            for joint in asked.joints {
                match pose.joints.iter_mut().find(|known| known.joint == joint.joint) {
                    Some(known) => known.target = joint.target,
                    None => pose.joints.push(joint),
                }
            }
            true
        })?;
        match is_pose {
            true => Ok(()),
            false => Err(PyTypeError::new_err("only a Pose has joints for a target")),
        }
    }
}
