//! An objective that a program added to a character.

use crate::objective::{BodyPoint, ComPosition, Own, Pose};
use crate::shared::Shared;
use aplomb::objective::{self, Form, Target};
use aplomb::world::character::GoalId;
use aplomb::world::{self, CharacterId};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// An objective that a program added to a character.
#[pyclass(frozen, module = "aplomb")]
pub struct Goal {
    shared: Arc<Shared>,
    character: CharacterId,
    id: GoalId,
    /// Its name among the objectives.
    #[pyo3(get)]
    name: String,
}

/// Form of an objective from the given ones of `response`, `horizon` and `fastest`.
pub fn form(response: Option<f64>, horizon: Option<f64>, fastest: Option<f64>) -> PyResult<Form> {
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
        weight: f64,
        form: Form,
        hard: bool,
    ) -> PyResult<Self> {
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
            character.add_goal(if hard { goal.hard() } else { goal })
        };
        Ok(Goal { shared, character, id, name: name.into() })
    }

    fn change<T>(&self, change: impl FnOnce(&mut world::Goal) -> T) -> PyResult<T> {
        let mut run = self.shared.lock()?;
        let goal = run.world.character_mut(self.character).goal_mut(self.id);
        goal.map(change).ok_or_else(|| PyValueError::new_err("this goal is of another world"))
    }
}

#[pymethods]
impl Goal {
    /// Weight of the objective, 0 or more.
    #[getter]
    fn weight(&self) -> PyResult<f64> {
        self.change(|goal| goal.terms_mut().map_or(0.0, |terms| terms.weight))
    }

    #[setter]
    fn set_weight(&self, weight: f64) -> PyResult<()> {
        if !(weight >= 0.0 && weight.is_finite()) {
            return Err(PyValueError::new_err("a weight is 0 or more"));
        }
        self.change(|goal| {
            if let Some(terms) = goal.terms_mut() {
                terms.weight = weight;
            }
        })
    }

    /// Enables or disables the objective from the next frame on.
    fn enable(&self, enabled: bool) -> PyResult<()> {
        self.change(|goal| goal.enable(enabled))
    }

    /// Sets the target: a point (3 numbers, m) for a `BodyPoint` or `ComPosition`, joint positions by name (rad or m)
    /// for a `Pose`. Takes no time.
    fn set_target(&self, target: &Bound<'_, PyAny>) -> PyResult<()> {
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
