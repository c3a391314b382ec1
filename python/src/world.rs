//! A world.

use crate::character::Character;
use crate::controller::ControllerLike;
use crate::convert::{orientation, pairs, vector};
use crate::error;
use crate::model::ModelLike;
use crate::obstacle::Obstacle;
use crate::passive::Passive;
use crate::shared::Shared;
use crate::snapshot::Snapshot;
use aplomb::contact::Pose;
use aplomb::dynamics::BiasVelocity;
use aplomb::language::files::Folder;
use aplomb::passive;
use aplomb::world::character::CharacterOptions;
use aplomb::world::reaction_delay::ReactionDelaySettings;
use aplomb::world::{self, Advance, CharacterId, Ground, ObstacleId, StartPose, WorldError};
use nalgebra::{UnitQuaternion, Vector3};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// A world of characters, passive objects, the ground and obstacles.
///
/// dt: length of a frame, s; 0.0001 to 0.05.
/// gravity: m/s², world axes; z is up.
/// friction, ground_height: coefficient of friction and height of the ground, m.
/// obstacles: boxes that characters and objects collide with.
/// solver: name of the QP solver; default: `active_set`.
/// bias_velocity: `backward`, `extrapolated`, `midpoint` or `momentum`: velocity at which the bias force is taken.
/// simulated: whether frames end in the state of forward dynamics instead of the state that the QP predicts.
/// parallel: whether characters are solved in parallel; the results are bit-identical.
///
/// Only one thread at a time may use a world; other threads get a BusyError. Raises WorldError.
#[pyclass(frozen, module = "aplomb")]
pub struct World {
    pub shared: Arc<Shared>,
}

impl World {
    fn of<T>(&self, read: impl FnOnce(&world::World) -> T) -> PyResult<T> {
        Ok(read(&self.shared.lock()?.world))
    }

    fn add(&self, name: &str, object: impl Into<passive::Passive>) -> PyResult<Passive> {
        let number = self.shared.lock()?.world.add_passive(name, object).map_err(error::world)?;
        Ok(Passive::new(self.shared.clone(), number))
    }
}

#[pymethods]
impl World {
    #[new]
    #[pyo3(signature = (
        *, dt = 0.01, gravity = [0.0, 0.0, -9.81], friction = 1.0, ground_height = 0.0, obstacles = Vec::new(),
        solver = None, bias_velocity = "backward", simulated = false, parallel = false
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn new(
        dt: f64,
        gravity: [f64; 3],
        friction: f64,
        ground_height: f64,
        obstacles: Vec<Bound<'_, Obstacle>>,
        solver: Option<&str>,
        bias_velocity: &str,
        simulated: bool,
        parallel: bool,
    ) -> PyResult<Self> {
        let ground = Ground::flat(friction).at(ground_height);
        let mut builder = world::World::builder().step(dt).gravity(gravity).ground(ground).parallel(parallel);
        builder = builder.bias_velocity(bias(bias_velocity)?);
        if simulated {
            builder = builder.advance(Advance::Simulated);
        }
        if let Some(solver) = solver {
            builder = builder.solver(solver);
        }
        for obstacle in obstacles {
            builder = builder.obstacle(obstacle.get().0.clone());
        }
        let world = builder.build().map_err(error::world)?;
        Ok(World { shared: Arc::new(Shared::of_world(world)) })
    }

    /// Adds a character, before the first frame or between two frames.
    ///
    /// model, controller: objects, paths, or names of shipped ones.
    /// position: added to x and y of the rest pose, m. heading: rad; 0 faces along x. height: of the lowest point
    /// above the ground, m. velocity: of the root, m/s.
    /// joints: joint values that differ from the rest pose, rad or m, by name.
    /// reach: target positions of bodies, sites or the `com`, 3 numbers, m. orientation: roll, pitch and yaw of
    /// bodies, rad.
    /// limp: whether it is a ragdoll without joint torques. torque_limits: whether the model's torque limits apply.
    /// self_collision: whether collisions of limbs with each other and with the trunk are avoided.
    /// reaction_delay: delay, s, and torque-change weight of the joint torques' reaction to disturbances. perception:
    /// delay until the controller perceives a disturbance, s; 0: none. Human values are (0.1, 3e4) and 0.2.
    /// objects: names of passive objects that are added later and that the controller refers to.
    ///
    /// Raises WorldError and FileError.
    #[pyo3(signature = (
        model, controller, *, name = None, position = [0.0; 2], heading = 0.0, height = 0.0, velocity = [0.0; 3],
        joints = None, reach = None, orientation = None, limp = false, torque_limits = true,
        self_collision = true, reaction_delay = None, perception = 0.0, objects = Vec::new()
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn add_character(
        &self,
        model: ModelLike<'_>,
        controller: ControllerLike<'_>,
        name: Option<String>,
        position: [f64; 2],
        heading: f64,
        height: f64,
        velocity: [f64; 3],
        joints: Option<&Bound<'_, PyDict>>,
        reach: Option<&Bound<'_, PyDict>>,
        orientation: Option<&Bound<'_, PyDict>>,
        limp: bool,
        torque_limits: bool,
        self_collision: bool,
        reaction_delay: Option<(f64, f64)>,
        perception: f64,
        objects: Vec<String>,
    ) -> PyResult<Character> {
        let (model, controller) = (model.model(Folder::Characters)?, controller.controller()?);
        let points =
            |list: Vec<(String, [f64; 3])>| list.into_iter().map(|(name, to)| (name, to.into())).collect();
        let pose = StartPose {
            position,
            heading,
            height,
            joints: pairs("joints", joints)?,
            reach: points(pairs("reach", reach)?),
            orientation: points(pairs("orientation", orientation)?),
            velocity: velocity.into(),
        };
        let mut run = self.shared.lock()?;
        let name = name.unwrap_or_else(|| match run.world.characters().len() {
            0 => "character".into(),
            number => format!("character {}", number + 1),
        });
        let options = CharacterOptions {
            name,
            limp,
            torque_limits,
            self_collision,
            reaction_delay: reaction_delay.map(|(time, weight)| ReactionDelaySettings {
                time,
                weight,
                perception,
            }),
            objects: objects.iter().map(|name| name.as_str().into()).collect(),
            ..CharacterOptions::default()
        };
        let added = run.world.add_character_with(model, controller, pose, options);
        Ok(Character::new(self.shared.clone(), added.map_err(error::world)?))
    }

    /// Adds a passive object, a body without actuators, such as a ball, a crate or a ragdoll.
    ///
    /// model: an object, a path, or the name of a shipped one.
    /// position: offset from the position in the model, m. orientation: quaternion w, x, y, z. velocity: of its
    /// centre of mass, m/s. angular_velocity: rad/s, world axes.
    /// joints: joint values that differ from the rest pose, rad or m, by name.
    /// restitution: 0 to 1. friction: of its shapes. damping: of joints that have none, N m s/rad.
    ///
    /// Raises WorldError.
    #[pyo3(signature = (
        name, model, *, position = [0.0; 3], orientation = [1.0, 0.0, 0.0, 0.0], velocity = [0.0; 3],
        angular_velocity = [0.0; 3], joints = None, restitution = 0.0, friction = None, damping = 0.0
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn add_passive(
        &self,
        name: &str,
        model: ModelLike<'_>,
        position: [f64; 3],
        orientation: [f64; 4],
        velocity: [f64; 3],
        angular_velocity: [f64; 3],
        joints: Option<&Bound<'_, PyDict>>,
        restitution: f64,
        friction: Option<f64>,
        damping: f64,
    ) -> PyResult<Passive> {
        let mut object = passive::Passive::articulated(model.model(Folder::Passive)?)
            .at(position.into())
            .turned(crate::convert::orientation(orientation)?)
            .restitution(restitution)
            .damping(damping);
        if velocity != [0.0; 3] || angular_velocity != [0.0; 3] {
            object = object.thrown(velocity.into(), angular_velocity.into());
        }
        if let Some(friction) = friction {
            object = object.friction(friction);
        }
        object.pose = pairs("joints", joints)?;
        self.add(name, object)
    }

    /// Adds a stiff chain through points (m) with `links` links between each two and a total `mass` in kg; its first
    /// end is fixed. Raises WorldError.
    fn add_chain(&self, name: &str, points: Vec<[f64; 3]>, links: usize, mass: f64) -> PyResult<Passive> {
        let points = points.into_iter().map(Vector3::from).collect();
        self.add(name, passive::Passive::chain(points, links, mass))
    }

    /// Adds a rope of `sticks` sticks between two points (m) with `mass` in kg; its first end is fixed. Raises
    /// WorldError.
    fn add_rope(&self, name: &str, ends: [[f64; 3]; 2], sticks: usize, mass: f64) -> PyResult<Passive> {
        let rope = passive::Passive::rope(ends.map(Vector3::from), sticks, mass);
        self.add(name, rope.map_err(|error| error::world(WorldError::PassiveObject(error)))?)
    }

    /// Adds a cloth of `grid` rows and columns of particles and a total `mass` in kg: first row from `corner` along
    /// `sides[0]`, first column along `sides[1]`, m. Particles at rows and columns of `pins` are fixed. Raises
    /// WorldError.
    #[pyo3(signature = (name, corner, sides, grid, mass, pins = Vec::new()))]
    fn add_cloth(
        &self,
        name: &str,
        corner: [f64; 3],
        sides: [[f64; 3]; 2],
        grid: [usize; 2],
        mass: f64,
        pins: Vec<[usize; 2]>,
    ) -> PyResult<Passive> {
        let cloth = passive::Passive::cloth(corner.into(), sides.map(Vector3::from), grid, mass, &pins);
        self.add(name, cloth.map_err(|error| error::world(WorldError::PassiveObject(error)))?)
    }

    /// The characters, in the order in which they were added.
    #[getter]
    fn characters(&self) -> PyResult<Vec<Character>> {
        let characters: Vec<CharacterId> = self.of(|world| world.characters().collect())?;
        Ok(characters.into_iter().map(|id| Character::new(self.shared.clone(), id)).collect())
    }

    /// The character with this name. Raises WorldError.
    fn character(&self, name: &str) -> PyResult<Character> {
        let run = self.shared.lock()?;
        let names: Vec<&str> =
            run.world.characters().map(|id| run.world.character(id).name.as_str()).collect();
        match run.world.find_character(name) {
            Some(id) => Ok(Character::new(self.shared.clone(), id)),
            None => Err(error::unknown("character", name, names)),
        }
    }

    /// The passive objects, in the order in which they were added.
    #[getter]
    fn passive(&self) -> PyResult<Vec<Passive>> {
        let count = self.of(|world| world.passive().objects.len())?;
        Ok((0..count).map(|number| Passive::new(self.shared.clone(), number)).collect())
    }

    /// Simulated time at which the next frame begins, s.
    #[getter]
    fn time(&self) -> PyResult<f64> {
        self.of(world::World::time)
    }

    /// Index of the next frame, from 0.
    #[getter]
    fn frame(&self) -> PyResult<u64> {
        self.of(world::World::frame_index)
    }

    /// Length of a frame, s.
    #[getter]
    fn dt(&self) -> PyResult<f64> {
        self.of(|world| world.settings().dt)
    }

    /// Gravity: shape (3,), m/s².
    #[getter]
    fn gravity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.of(|world| vector(py, world.settings().gravity.as_slice()))
    }

    /// Computes `frames` frames, without the interpreter's lock. Raises StepError.
    #[pyo3(signature = (frames = 1))]
    fn step(&self, py: Python<'_>, frames: u64) -> PyResult<()> {
        let mut left = frames;
        self.shared.step_while(py, |_| {
            let goes_on = left > 0;
            left = left.saturating_sub(1);
            goes_on
        })?;
        Ok(())
    }

    /// Computes frames until the world reaches `time`, s. Raises ValueError if that has passed, and StepError.
    fn run_until(&self, py: Python<'_>, time: f64) -> PyResult<()> {
        if !time.is_finite() {
            return Err(PyValueError::new_err("a world runs until a time that is finite"));
        }
        let (now, dt) = {
            let run = self.shared.lock()?;
            (run.world.time(), run.world.settings().dt)
        };
        // Half a frame of tolerance: times are sums of steps.
        if time < now - 0.5 * dt {
            let message =
                format!("the world is at {now} s: it cannot run until {time} s, `time` is no duration");
            return Err(PyValueError::new_err(message));
        }
        self.shared.step_while(py, |run| run.world.time() < time - 0.5 * run.world.settings().dt)?;
        Ok(())
    }

    /// Saves everything that changes, for `restore`. Objectives added by the program are not included.
    fn snapshot(&self) -> PyResult<Snapshot> {
        Ok(Snapshot::of(&*self.shared.lock()?))
    }

    /// Restores a snapshot of this world, or of one that was built in the same way. Raises WorldError.
    fn restore(&self, snapshot: &Snapshot) -> PyResult<()> {
        snapshot.put_into(&self.shared)
    }

    /// Moves the ground (`ground`) or an obstacle during the next frame to a position, m, and an orientation,
    /// quaternion w, x, y, z. Raises WorldError.
    #[pyo3(signature = (name, position, orientation = [1.0, 0.0, 0.0, 0.0]))]
    fn move_obstacle(&self, name: &str, position: [f64; 3], orientation: [f64; 4]) -> PyResult<()> {
        let turn: UnitQuaternion<f64> = self::orientation(orientation)?;
        let mut run = self.shared.lock()?;
        let known: Vec<String> =
            run.world.surfaces().iter().map(|surface| surface.name.to_string()).collect();
        let unknown = || error::unknown("obstacle", name, known.iter().map(String::as_str));
        let id: ObstacleId = run.world.find_obstacle(name).ok_or_else(unknown)?;
        let pose = Pose { position: position.into(), orientation: turn };
        run.world.move_obstacle(id, pose).map_err(error::world)
    }

    fn __repr__(&self) -> PyResult<String> {
        self.of(|world| {
            let (characters, objects) = (world.characters().len(), world.passive().objects.len());
            format!("World(time={:?}, {characters} characters, {objects} passive objects)", world.time())
        })
    }
}

fn bias(name: &str) -> PyResult<BiasVelocity> {
    use BiasVelocity::{Backward, Extrapolated, Midpoint, Momentum};
    let all = [Backward, Extrapolated, Midpoint, Momentum];
    all.into_iter().find(|bias| bias.name() == name).ok_or_else(|| {
        let known = all.map(BiasVelocity::name).join(", ");
        PyValueError::new_err(format!("there is no bias velocity `{name}`; known: {known}"))
    })
}
