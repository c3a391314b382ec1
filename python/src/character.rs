//! A character of a world.

use crate::contacts::Contacts;
use crate::controller::{Controller, ControllerLike, parameters};
use crate::convert::{matrix, point, pose_row, vector};
use crate::error;
use crate::goal::{Goal, Keywords};
use crate::kind::{self, Constraint};
use crate::model::Model;
use crate::senses::Senses;
use crate::shared::Shared;
use aplomb::controller::CommandValue;
use aplomb::scene::Run;
use aplomb::trace::{CharacterFrame, Outcome};
use aplomb::world::{self, CharacterId, Wrench};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyFloat};
use std::sync::Arc;

/// A character of a world. Arrays are copies.
#[pyclass(frozen, module = "aplomb")]
pub struct Character {
    shared: Arc<Shared>,
    id: CharacterId,
}

impl Character {
    pub fn new(shared: Arc<Shared>, id: CharacterId) -> Self {
        Character { shared, id }
    }

    /// Reads from its body, its snapshot or its controller.
    fn of<T>(&self, read: impl FnOnce(&world::character::Character) -> T) -> PyResult<T> {
        Ok(read(self.shared.lock()?.world.character(self.id)))
    }

    /// Reads from the character after its snapshot has been updated to the current state.
    fn sensed<T>(&self, read: impl FnOnce(&world::character::Character) -> T) -> PyResult<T> {
        let mut run = self.shared.lock()?;
        run.world.observe();
        Ok(read(run.world.character(self.id)))
    }

    /// Reads from the record of the last frame.
    fn framed<T>(&self, read: impl FnOnce(&CharacterFrame) -> T) -> PyResult<T> {
        Ok(read(&self.shared.lock()?.world.result(self.id).frame))
    }

    fn tell(&self, tell: impl FnOnce(&mut Run) -> Result<(), world::WorldError>) -> PyResult<()> {
        tell(&mut *self.shared.lock()?).map_err(error::world)
    }
}

/// The value of a command.
#[derive(FromPyObject)]
pub enum CommandLike {
    /// A number.
    Number(f64),
    /// Three numbers.
    Vector([f64; 3]),
}

impl From<CommandLike> for CommandValue {
    fn from(value: CommandLike) -> Self {
        match value {
            CommandLike::Number(number) => CommandValue::Number(number),
            CommandLike::Vector(vector) => CommandValue::Vector(vector),
        }
    }
}

#[pymethods]
impl Character {
    /// Its name in the world.
    #[getter]
    fn name(&self) -> PyResult<String> {
        self.of(|character| character.name.clone())
    }

    /// Its model.
    #[getter]
    fn model(&self) -> PyResult<Model> {
        self.of(|character| Model(Arc::new(character.model.clone())))
    }

    /// Its controller with the current values.
    #[getter]
    fn controller(&self) -> PyResult<Controller> {
        self.of(|character| Controller(Arc::new(character.controller.clone())))
    }

    /// Current configuration: shape (nq,).
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.of(|character| vector(py, &character.snapshot.state.q))
    }

    /// Current velocity: shape (nv,).
    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.of(|character| vector(py, &character.snapshot.state.v))
    }

    /// Current centre of mass: shape (3,), m.
    #[getter]
    fn com<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.sensed(|character| point(py, &character.snapshot.com))
    }

    /// Velocity of the centre of mass: shape (3,), m/s.
    #[getter]
    fn com_velocity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.sensed(|character| point(py, &character.snapshot.com_velocity))
    }

    /// Height of the centre of mass above the ground, m.
    #[getter]
    fn com_height(&self) -> PyResult<f64> {
        self.sensed(|character| character.snapshot.com_height())
    }

    /// Capture point, where a step would bring the body to rest: shape (2,), m.
    #[getter]
    fn capture_point<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.sensed(|character| vector(py, character.snapshot.capture_point().as_slice()))
    }

    /// Current poses of its bodies, in the order of the model: shape (bodies, 7), position (m) and quaternion w, x,
    /// y, z.
    #[getter]
    fn body_poses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mut poses = Vec::new();
        self.shared.lock()?.world.body_poses(self.id, &mut poses);
        let rows = poses.iter().flat_map(|pose| pose_row(&pose.position, &pose.orientation));
        matrix(py, rows.collect(), 7)
    }

    /// Current kinematics of its body, with Jacobians.
    #[getter]
    fn senses(&self) -> PyResult<Senses> {
        self.sensed(|character| Senses::new(Arc::new(character.model.clone()), &character.snapshot))
    }

    /// Current state of its controller.
    #[getter]
    fn state(&self) -> PyResult<String> {
        self.of(|character| character.machine.state_name().to_string())
    }

    /// State transitions of the controller in the last frame, as text.
    #[getter]
    fn transitions(&self) -> PyResult<Vec<String>> {
        let run = self.shared.lock()?;
        let progress = &run.world.result(self.id).progress;
        Ok(progress.transitions.iter().map(ToString::to_string).collect())
    }

    /// Joint torques of the last frame: shape (nv,), N m or N; zeros for a floating root; shape (0,) before the first
    /// frame.
    #[getter]
    fn torque<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.framed(|frame| vector(py, &frame.torque))
    }

    /// Contacts of the last frame, with their forces.
    #[getter]
    fn contacts(&self) -> PyResult<Contacts> {
        self.framed(|frame| Contacts(frame.contacts.clone()))
    }

    /// Names of all objectives, in the order of `cost_values`.
    #[getter]
    fn objectives(&self) -> PyResult<Vec<String>> {
        self.of(|character| character.objectives.clone())
    }

    /// Weighted cost w‖r‖² of each objective in the last frame, by name; empty before the first. Objectives with the
    /// same name share one entry.
    #[getter]
    fn costs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let run = self.shared.lock()?;
        let costs = PyDict::new(py);
        let names = &run.world.character(self.id).objectives;
        for (name, cost) in names.iter().zip(&run.world.result(self.id).frame.costs) {
            costs.set_item(name, cost)?;
        }
        Ok(costs)
    }

    /// Weighted costs of the last frame, in the order of `objectives`: shape (objectives,).
    #[getter]
    fn cost_values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.framed(|frame| vector(py, &frame.costs))
    }

    /// Outcome of the QP in the last frame: `solved`, `relaxed` (some rows were relaxed), `failed` or `limp` (no QP:
    /// a ragdoll).
    #[getter]
    fn outcome(&self) -> PyResult<&'static str> {
        self.framed(|frame| match frame.outcome {
            Outcome::Solved => "solved",
            Outcome::Relaxed { .. } => "relaxed",
            Outcome::Failed { .. } => "failed",
            Outcome::Limp => "limp",
        })
    }

    /// Pushes that were active in the last frame, and changes of grips.
    #[getter]
    fn events(&self) -> PyResult<Vec<String>> {
        self.framed(|frame| frame.events.clone())
    }

    /// Record of the last frame, with the names used in traces: a dict of numbers, lists and strings.
    #[getter]
    fn record<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = self.framed(serde_json::to_string)?;
        let text = text.map_err(|error| PyValueError::new_err(error.to_string()))?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// Provenance of its contact and grip forces in the next frame, as that frame will be without further events; the
    /// world is not changed. A list with one dict per body: `body`, `force` (N, world axes) and `parts`, which add up
    /// to the force, each with `name`, `of` (`objective`, `row` or `remainder`), `place` (FILE:LINE or None),
    /// `multiplier`, `force`, `weight_slope` (change of the force with the logarithm of the weight) and `without`
    /// (change of the force if the part were removed; None for rows). Empty for a ragdoll, and if the frame is solved
    /// together with another character's. Raises StepError.
    fn forces_ahead<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = {
            let mut run = self.shared.lock()?;
            let told = run.world.forces_ahead(self.id).map_err(error::forces_ahead)?;
            let model = &run.world.character(self.id).model;
            serde_json::to_string(&told.map_or_else(Vec::new, |told| told.by_body(model)))
        };
        let text = text.map_err(|error| PyValueError::new_err(error.to_string()))?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// Parameters of the controller and their current values.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.of(|character| parameters(py, &character.controller))?
    }

    /// Applies a force and a torque to a body, starting with the next frame, for `duration` seconds, at least one
    /// frame.
    ///
    /// force: 3 numbers, N, world axes, at the body's centre of mass, or `offset` from it (m, body axes).
    /// torque: 3 numbers, N m, world axes.
    ///
    /// Raises WorldError for an unknown body.
    #[pyo3(signature = (body, force = [0.0; 3], torque = [0.0; 3], *, duration, offset = [0.0; 3]))]
    fn push(
        &self,
        body: &str,
        force: [f64; 3],
        torque: [f64; 3],
        duration: f64,
        offset: [f64; 3],
    ) -> PyResult<()> {
        let wrench = Wrench { force: force.into(), torque: torque.into(), offset: offset.into() };
        self.tell(|run| run.world.push(self.id, body, wrench, duration))
    }

    /// Sets a parameter of the controller, starting with the next frame. Takes about as long as a few frames. Raises
    /// WorldError.
    fn set_parameter(&self, name: &str, value: f64) -> PyResult<()> {
        self.tell(|run| run.world.set_parameter(self.id, name, value))
    }

    /// Sets any value in the controller by its key path (`objectives.NAME.weight`); `value` is in TOML. Raises
    /// FileError.
    fn set_value(&self, path: &str, value: &str) -> PyResult<()> {
        self.tell(|run| run.world.set_value(self.id, path, value))
    }

    /// Sets a command of the controller (`[commands]` in its file) to one or three numbers, starting with the next
    /// frame; values outside its range are clamped. Raises WorldError.
    fn command(&self, name: &str, value: CommandLike) -> PyResult<()> {
        self.tell(|run| run.world.command(self.id, name, CommandValue::from(value)))
    }

    /// Commands of the controller by name, with their current values: a float, or a list of three.
    fn commands(&self, python: Python<'_>) -> PyResult<Py<PyDict>> {
        let dict = PyDict::new(python);
        let commands = self.of(|character| character.machine.commands.clone())?;
        for command in commands.iter() {
            match command.now {
                CommandValue::Number(number) => dict.set_item(&*command.name, number)?,
                CommandValue::Vector(vector) => dict.set_item(&*command.name, vector)?,
            }
        }
        Ok(dict.into())
    }

    /// Replaces the controller between two frames. Raises FileError.
    fn replace_controller(&self, controller: ControllerLike<'_>) -> PyResult<()> {
        let controller = controller.controller()?;
        self.tell(|run| run.world.replace_controller(self.id, controller))
    }

    /// Enables or disables an objective of the controller (`NAME`, or `STATE.NAME`), starting with the next frame.
    /// Raises WorldError.
    fn enable_objective(&self, name: &str, enabled: bool) -> PyResult<()> {
        self.tell(|run| run.world.enable_objective(self.id, name, enabled))
    }

    /// Enables or disables a constraint of the controller, or one that was added, starting with the next frame. Raises
    /// WorldError.
    fn enable_constraint(&self, name: &str, enabled: bool) -> PyResult<()> {
        self.tell(|run| run.world.enable_constraint(self.id, name, enabled))
    }

    /// Makes a site of its body a hold for other characters, under a name that controllers added later may use.
    /// Raises WorldError.
    fn add_hold(&self, name: &str, site: &str) -> PyResult<()> {
        self.tell(|run| run.world.add_hold_on(name, self.id, site))
    }

    /// Makes a site of its body grip a hold as soon as it is within reach, whatever its controller requests. Raises
    /// WorldError.
    fn hold_on(&self, site: &str, hold: &str) -> PyResult<()> {
        self.tell(|run| run.world.hold_on(self.id, site, hold))
    }

    /// Sets its state, shapes (nq,) and (nv,): grips are released, contacts and forces are reset, the controller
    /// keeps its state. Raises WorldError.
    fn teleport(&self, q: Vec<f64>, v: Vec<f64>) -> PyResult<()> {
        self.tell(|run| run.world.teleport(self.id, &q, &v))
    }

    /// Adds an objective that is active in every state.
    ///
    /// objective: an `Objective` of any kind; a `BodyPoint`, `ComPosition` or `Pose`; or any object with a method
    /// `residual(now)` that takes `Senses` and returns an error, shape (k,), and the Jacobian J of its rate J v, shape
    /// (k, nv), or None if it is undefined now. Its attribute `unit` is the unit of the error: "m" (the default),
    /// "rad", "1", or for rate errors "m/s" and "rad/s" (J v is then the rate itself, and the error is the rate minus
    /// its target).
    /// weight: dimensionless weight of the squared dimensionless residual.
    /// response: response time of the error as a critically damped oscillator, s; or horizon: time constant of its
    /// decay, s, at a rate of at most `fastest`, m/s or rad/s. With neither, the error should vanish in the next
    /// frame.
    /// side: "at_least" or "at_most" for a target that has a cost on one side only.
    /// hard: an equality constraint instead of an objective; with a side, an inequality.
    ///
    /// For an `Objective`, weight, response, horizon and fastest may be expressions as text, and there are also
    /// time_to_go: time until the target is reached at rest, s, with a response; when: a condition as text;
    /// axes: factors on the weight along x, y and z, world axes; joints: names of those that contribute.
    ///
    /// An exception in `residual` is raised by the step, after its frame, which was solved without this objective.
    /// Mistakes in an `Objective` and its keywords are ValueErrors.
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    #[pyo3(signature = (
        name, objective, *, weight = None, response = None, horizon = None, fastest = None, hard = false, side = None,
        time_to_go = None, when = None, axes = None, joints = None
    ))]
    fn add_objective(
        &self,
        name: &str,
        objective: &Bound<'_, PyAny>,
        weight: Option<&Bound<'_, PyAny>>,
        response: Option<&Bound<'_, PyAny>>,
        horizon: Option<&Bound<'_, PyAny>>,
        fastest: Option<&Bound<'_, PyAny>>,
        hard: bool,
        side: Option<&str>,
        time_to_go: Option<&Bound<'_, PyAny>>,
        when: Option<&Bound<'_, PyAny>>,
        axes: Option<&Bound<'_, PyAny>>,
        joints: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Goal> {
        let one = PyFloat::new(objective.py(), 1.0).into_any();
        let weight = weight.unwrap_or(&one);
        let keywords =
            Keywords { weight, response, horizon, fastest, time_to_go, when, side, axes, joints, hard };
        Goal::add(self.shared.clone(), self.id, name, objective, &keywords)
    }

    /// Adds a constraint that holds in every state; `enable_constraint` disables and enables it. Raises ValueError.
    fn add_constraint(&self, name: &str, constraint: &Constraint) -> PyResult<()> {
        let (kind, source) = constraint.entry(name);
        let added = self.shared.lock()?.world.character_mut(self.id).add_constraint(kind, &source);
        added.map_err(|mistakes| kind::value_error(name, &mistakes))
    }

    fn __repr__(&self) -> PyResult<String> {
        self.of(|character| format!("Character({:?}, model={:?})", character.name, character.model.name))
    }
}
