//! Controllers for a body that another program simulates, or for a real robot.

use crate::character::Character;
use crate::contacts::Contacts;
use crate::controller::ControllerLike;
use crate::convert::vector;
use crate::error::{Trouble, exception, world as world_error};
use crate::model::ModelLike;
use crate::shared::Shared;
use aplomb::contact::MeasuredContact;
use aplomb::language::files::Folder;
use aplomb::model::Model;
use aplomb::trace::Outcome;
use aplomb::world::character::{CharacterOptions, UnknownName};
use aplomb::world::feedback::{Feedback, FeedbackSettings, Measurement, SOFT, Servo};
use aplomb::world::{CharacterId, Ground, StartPose, World};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex};

// Checks the default in the signature below, which Python shows as a number.
const _: () = assert!(SOFT == 2e-5);

/// A controller without a plant: each call takes the measured state and returns the joint commands until the next
/// call. It stores the state of its controller, the contacts with a force and since when, and the torques and contact
/// forces of the previous call; contacts stick at their measured points.
///
/// model, controller: objects, paths, or names of shipped ones.
/// dt: time from one call to the next, s.
/// horizon: prediction horizon of each call, s, at least dt; default: dt. 0.01 suits human bodies at any calling
/// rate.
/// latency: time from the measurement of a state until the torques computed from it act, s, up to 0.1. Each call then
/// starts from the state predicted for that time under the torques already sent.
/// servo: stiffness K and damping D, shapes (nv,), of the plant's drives, if any, which add K (command.q − q) + D
/// (command.v − v) to the torques; only used to predict over the latency.
/// compliance: of the plant's ground at a contact point, m/N. A point no deeper than the whole weight would press it
/// does not count as penetrating. The default suits simulators, whose contacts are soft; if it is too small, the body
/// is thrown off the ground.
/// disturbance_time: time constant of the estimate of unknown external forces, s; None: no estimate. The contact
/// forces should then be measured.
/// friction, ground_height: coefficient of friction and height of the ground in the prediction, m.
///
/// Raises WorldError and FileError.
#[pyclass(frozen, module = "aplomb")]
pub struct FeedbackController {
    shared: Arc<Shared>,
    feedback: Mutex<Feedback>,
    id: CharacterId,
}

/// A measured contact: body, point, and force if measured.
#[derive(FromPyObject)]
enum ContactLike {
    Whole((String, [f64; 3], Option<[f64; 3]>)),
    Touch((String, [f64; 3])),
}

/// Command of a feedback controller until its next call.
#[pyclass(frozen, module = "aplomb")]
pub struct Command {
    torque: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    contacts: Vec<aplomb::trace::Contact>,
    costs: Vec<(String, f64)>,
    disturbance: Option<Vec<f64>>,
    /// Outcome of the QP: `solved`, `relaxed` (some rows were relaxed), `failed` or `limp`.
    #[pyo3(get)]
    outcome: &'static str,
    /// State of the controller.
    #[pyo3(get)]
    state: String,
}

/// # Errors
/// Another count of numbers, or numbers that are not finite.
fn check(what: &str, numbers: &[f64], count: usize) -> PyResult<()> {
    if numbers.len() != count {
        return Err(exception("WorldError", &format!("{what} has {count} numbers, not {}", numbers.len())));
    }
    match numbers.iter().all(|number| number.is_finite()) {
        true => Ok(()),
        false => Err(exception("WorldError", &format!("{what} must be finite"))),
    }
}

#[pymethods]
impl FeedbackController {
    #[new]
    #[pyo3(signature = (
        model, controller, *, dt = 0.01, horizon = None, latency = 0.0, servo = None, compliance = 2e-5, disturbance_time = None,
        friction = 1.0, ground_height = 0.0,
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn new(
        model: ModelLike<'_>,
        controller: ControllerLike<'_>,
        dt: f64,
        horizon: Option<f64>,
        latency: f64,
        servo: Option<(Vec<f64>, Vec<f64>)>,
        compliance: f64,
        disturbance_time: Option<f64>,
        friction: f64,
        ground_height: f64,
    ) -> PyResult<Self> {
        let ground = Ground::flat(friction).at(ground_height);
        let mut world = World::builder().step(dt).ground(ground).build().map_err(world_error)?;
        let (model, controller) = (model.model(Folder::Characters)?, controller.controller()?);
        let pose = StartPose::standing();
        let id = world.add_character_with(model, controller, pose, CharacterOptions::default());
        let id = id.map_err(world_error)?;
        let servo = servo.map(|(stiffness, damping)| Servo { stiffness, damping });
        let settings = FeedbackSettings { horizon, latency, servo, compliance, disturbance_time };
        let feedback = Mutex::new(Feedback::new(&mut world, id, &settings).map_err(world_error)?);
        Ok(FeedbackController { id, feedback, shared: Arc::new(Shared::of_world(world)) })
    }

    /// Default start configuration, standing: shape (nq,).
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let run = self.shared.lock()?;
        let (model, _) = run.world.sensed(Some(self.id));
        let start = StartPose::standing().state(model, run.world.surfaces(), &[]);
        let wrong = |_| exception("WorldError", "this body cannot stand");
        Ok(vector(py, &start.map_err(wrong)?.q))
    }

    /// Its character, for adding objectives and setting parameters.
    #[getter]
    fn character(&self) -> Character {
        Character::new(self.shared.clone(), self.id)
    }

    /// Joint commands for the next dt seconds, starting now or after the latency.
    ///
    /// q, v: the measured state, shapes (nq,) and (nv,).
    /// torque: mean joint torques actually applied since the previous call, shape (nv,); default: the commanded ones.
    /// contacts: the measured contacts with a force: (body, point) or (body, point, force on the body), world axes, m
    /// and N. Default: points within 1 mm of the ground, and contacts of the previous call until they separate.
    ///
    /// Raises WorldError for the state of another body, and StepError.
    #[pyo3(signature = (q, v, torque = None, contacts = None))]
    fn observe(
        &self,
        py: Python<'_>,
        q: Vec<f64>,
        v: Vec<f64>,
        torque: Option<Vec<f64>>,
        contacts: Option<Vec<ContactLike>>,
    ) -> PyResult<Command> {
        let mut guard = self.feedback.try_lock().map_err(|_| Trouble::Busy)?;
        let feedback = &mut *guard;
        let contacts = {
            let run = self.shared.lock()?;
            let model = &run.world.character(self.id).model;
            if let Some(torque) = &torque {
                check("torque", torque, model.nv)?;
            }
            contacts.map(|contacts| measured(model, contacts)).transpose()?
        };
        let told = Measurement { q: &q, v: &v, torque: torque.as_deref(), contacts: contacts.as_deref() };
        self.shared.with_world(py, |world| feedback.observe(world, &told))?;
        let run = self.shared.lock()?;
        let command = feedback.command(&run.world);
        let frame = command.frame;
        let character = run.world.character(self.id);
        Ok(Command {
            torque: command.torque.to_vec(),
            q: command.q.to_vec(),
            v: command.v.to_vec(),
            contacts: frame.contacts.clone(),
            costs: character.objectives.iter().cloned().zip(frame.costs.iter().copied()).collect(),
            disturbance: Some(command.disturbance.to_vec()).filter(|force| !force.is_empty()),
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

/// # Errors
/// A body that does not exist in the model.
fn measured(model: &Model, contacts: Vec<ContactLike>) -> PyResult<Vec<MeasuredContact>> {
    let of = |contact| {
        let (name, point, force) = match contact {
            ContactLike::Whole(whole) => whole,
            ContactLike::Touch((name, point)) => (name, point, None),
        };
        let body = model.body(&name).ok_or_else(|| {
            let known = model.bodies.iter().map(|body| body.name.as_str());
            world_error(UnknownName::new("body", &name, known).into())
        })?;
        Ok(MeasuredContact { body, point: point.into(), force: force.map(Into::into) })
    };
    contacts.into_iter().map(of).collect()
}

#[pymethods]
impl Command {
    /// Joint torques: shape (nv,), N m or N; zeros for a floating root.
    #[getter]
    fn torque<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, &self.torque)
    }

    /// Configuration expected at the next call, or later by the latency: shape (nq,).
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, &self.q)
    }

    /// Velocity expected at the same time: shape (nv,).
    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, &self.v)
    }

    /// Predicted contact forces.
    #[getter]
    fn contacts(&self) -> Contacts {
        Contacts(self.contacts.clone())
    }

    /// Weighted cost of each objective, by name.
    #[getter]
    fn costs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let costs = PyDict::new(py);
        for (name, cost) in &self.costs {
            costs.set_item(name, cost)?;
        }
        Ok(costs)
    }

    /// Estimated unknown generalised force: shape (nv,), N or N m; None without an estimate.
    #[getter]
    fn disturbance<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.disturbance.as_ref().map(|force| vector(py, force))
    }

    fn __repr__(&self) -> String {
        format!("Command(outcome={:?}, state={:?})", self.outcome, self.state)
    }
}
