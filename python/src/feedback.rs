//! A controller for a body that somebody else simulates, or that is real.

use crate::arrays::vector;
use crate::character::Character;
use crate::contacts::Contacts;
use crate::controller::ControllerLike;
use crate::error::{said, world as world_error};
use crate::model::ModelLike;
use crate::shared::Shared;
use aplomb::language::files::Folder;
use aplomb::trace::Outcome;
use aplomb::world::character::CharacterOptions;
use aplomb::world::{CharacterId, Ground, StartPose, World};
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::Arc;

/// A controller without a plant: it is told the measured state once a frame and says what the joints should do until the
/// next. What it remembers is its controller's state, the torques and the contact forces of the frame before; contacts are taken
/// anew from the measured state each time.
///
/// model, controller: objects, paths, or names of shipped ones.
/// dt: seconds from one call to the next, which is how far each call looks ahead.
/// friction, ground_height: of the ground that it reckons with; m.
///
/// Raises WorldError and FileError.
#[pyclass(frozen, module = "aplomb")]
pub struct FeedbackController {
    shared: Arc<Shared>,
    id: CharacterId,
}

/// What a feedback controller asks for until its next call.
#[pyclass(frozen, module = "aplomb")]
pub struct Command {
    torque: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    contacts: Vec<aplomb::trace::Contact>,
    /// How its QP ended: `solved`, `relaxed` (rows gave way), `failed` or `limp`.
    #[pyo3(get)]
    outcome: &'static str,
    /// State of the controller.
    #[pyo3(get)]
    state: String,
}

/// # Errors
/// Numbers that are not so many, or not finite.
fn check(what: &str, numbers: &[f64], count: usize) -> PyResult<()> {
    if numbers.len() != count {
        return Err(said("WorldError", &format!("{what} has {count} numbers, not {}", numbers.len())));
    }
    match numbers.iter().all(|number| number.is_finite()) {
        true => Ok(()),
        false => Err(said("WorldError", &format!("{what} must be finite"))),
    }
}

#[pymethods]
impl FeedbackController {
    #[new]
    #[pyo3(signature = (model, controller, *, dt = 0.01, friction = 1.0, ground_height = 0.0))]
    fn new(
        model: ModelLike<'_>,
        controller: ControllerLike<'_>,
        dt: f64,
        friction: f64,
        ground_height: f64,
    ) -> PyResult<Self> {
        let ground = Ground::flat(friction).at(ground_height);
        let mut world = World::builder().step(dt).ground(ground).build().map_err(world_error)?;
        let (model, controller) = (model.model(Folder::Characters)?, controller.controller()?);
        let pose = StartPose::standing();
        let id = world.add_character_with(model, controller, pose, CharacterOptions::default());
        Ok(FeedbackController { id: id.map_err(world_error)?, shared: Arc::new(Shared::of_world(world)) })
    }

    /// Where it would begin by itself: shape (nq,).
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let run = self.shared.lock()?;
        let (model, _) = run.world.sensed(Some(self.id));
        let start = StartPose::standing().state(model, run.world.surfaces(), &[]);
        let wrong = |_| said("WorldError", "this body cannot stand");
        Ok(vector(py, &start.map_err(wrong)?.q))
    }

    /// Its character, to be given objectives and parameters.
    #[getter]
    fn character(&self) -> Character {
        Character::new(self.shared.clone(), self.id)
    }

    /// What the joints should do from now on for dt seconds.
    ///
    /// q, v: the measured state, shapes (nq,) and (nv,).
    /// torque: what was really applied since the call before, shape (nv,), where that is not what was asked for.
    ///
    /// Raises WorldError for a state of another body, StepError.
    #[pyo3(signature = (q, v, torque = None))]
    fn observe(
        &self,
        py: Python<'_>,
        q: Vec<f64>,
        v: Vec<f64>,
        torque: Option<Vec<f64>>,
    ) -> PyResult<Command> {
        {
            let mut run = self.shared.lock()?;
            let before = run.world.character(self.id);
            if let Some(torque) = &torque {
                check("torque", torque, before.model.nv)?;
            }
            let torque = torque.unwrap_or_else(|| before.snapshot.last_torque.clone());
            let (force, velocity) = (before.snapshot.last_force.clone(), before.previous_velocity.clone());
            // Contacts begin anew: feet are where they were measured to be. The rest is remembered.
            run.world.teleport(self.id, &q, &v).map_err(world_error)?;
            let character = run.world.character_mut(self.id);
            character.snapshot.last_torque = torque;
            character.snapshot.last_force = force;
            character.previous_velocity = velocity;
        }
        let mut left = 1;
        self.shared.step_while(py, |_| std::mem::take(&mut left) > 0)?;
        let run = self.shared.lock()?;
        let frame = &run.world.result(Some(self.id)).frame;
        let character = run.world.character(self.id);
        let state = &character.snapshot.state;
        Ok(Command {
            torque: frame.torque.clone(),
            q: state.q.clone(),
            v: state.v.clone(),
            contacts: frame.contacts.clone(),
            outcome: match frame.outcome {
                Outcome::Solved => "solved",
                Outcome::Relaxed { .. } => "relaxed",
                Outcome::Failed { .. } => "failed",
                Outcome::Limp => "limp",
            },
            state: character.machine.state_name().to_string(),
        })
    }
}

#[pymethods]
impl Command {
    /// Joint torques: shape (nv,), N m or N; zeros for a floating root.
    #[getter]
    fn torque<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, &self.torque)
    }

    /// Configuration that it expects at the next call: shape (nq,).
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, &self.q)
    }

    /// Velocity that it expects at the next call: shape (nv,).
    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, &self.v)
    }

    /// Contact forces that it reckons with.
    #[getter]
    fn contacts(&self) -> Contacts {
        Contacts(self.contacts.clone())
    }

    fn __repr__(&self) -> String {
        format!("Command(outcome={:?}, state={:?})", self.outcome, self.state)
    }
}
