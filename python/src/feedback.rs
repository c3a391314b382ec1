//! Controllers for a body that another program simulates, or for a real one.

use crate::character::Character;
use crate::contacts::Contacts;
use crate::controller::ControllerLike;
use crate::convert::vector;
use crate::error::{Trouble, said, world as world_error};
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

// The default in the signature below, where Python shows it as a number.
const _: () = assert!(SOFT == 2e-5);

/// A controller without a plant: it is told the measured state once a call and says what the joints should do until the
/// next. What it remembers is its controller's state, which contacts bear and since when, and the torques and the contact forces
/// of the call before; contacts stick where they are measured to be.
///
/// model, controller: objects, paths, or names of shipped ones.
/// dt: seconds from one call to the next.
/// horizon: seconds that each call looks ahead, at least dt, and dt by default; 0.01 is good for people however often they are
/// asked.
/// latency: seconds from the measurement of a state to the moment from which on the answer acts, up to 0.1. Each call then begins
/// where the body will be under the torques that are under way.
/// servo: stiffness and damping, shapes (nv,), of drives that add K (command.q − q) + D (command.v − v) to the torques, where the
/// plant has some; only what is under way depends on it.
/// compliance: of the plant's ground under a point, m/N. What is no deeper in it than the whole weight would press it penetrates
/// nothing. The default suits simulators, whose contacts are soft; with too little the body is thrown off the ground.
/// disturbance_time: time constant, in seconds, with which forces that nobody told it of are estimated and reckoned with; None:
/// never. The contacts' forces should be measured then.
/// friction, ground_height: of the ground that it reckons with; m.
///
/// Raises WorldError and FileError.
#[pyclass(frozen, module = "aplomb")]
pub struct FeedbackController {
    shared: Arc<Shared>,
    feedback: Mutex<Feedback>,
    id: CharacterId,
}

/// A measured contact: body, point, and force where it is known.
#[derive(FromPyObject)]
enum ContactLike {
    Whole((String, [f64; 3], Option<[f64; 3]>)),
    Touch((String, [f64; 3])),
}

/// What a feedback controller asks for until its next call.
#[pyclass(frozen, module = "aplomb")]
pub struct Command {
    torque: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    contacts: Vec<aplomb::trace::Contact>,
    costs: Vec<(String, f64)>,
    disturbance: Option<Vec<f64>>,
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

    /// What the joints should do for dt seconds: from now on, or once the latency is over.
    ///
    /// q, v: the measured state, shapes (nq,) and (nv,).
    /// torque: what was really applied since the call before, shape (nv,), where that is not what was asked for.
    /// contacts: those that bear, where that is measured: (body, point) or (body, point, force on the body), world axes, m and
    /// N. Without them, what is within 1 mm of the ground bears, and what bore until it is lifted.
    ///
    /// Raises WorldError for a state of another body, StepError.
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
/// A body that the model does not have.
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

    /// Configuration that it expects at the next call, or by as much later as the latency is: shape (nq,).
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, &self.q)
    }

    /// Velocity that it expects then: shape (nv,).
    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, &self.v)
    }

    /// Contact forces that it reckons with.
    #[getter]
    fn contacts(&self) -> Contacts {
        Contacts(self.contacts.clone())
    }

    /// What each objective cost, by name.
    #[getter]
    fn costs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let costs = PyDict::new(py);
        for (name, cost) in &self.costs {
            costs.set_item(name, cost)?;
        }
        Ok(costs)
    }

    /// Generalised force that nobody told it of, as it is estimated: shape (nv,), N or N m; None where it is not.
    #[getter]
    fn disturbance<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.disturbance.as_ref().map(|force| vector(py, force))
    }

    fn __repr__(&self) -> String {
        format!("Command(outcome={:?}, state={:?})", self.outcome, self.state)
    }
}
