//! Construction of a world by a program.

use super::command::near;
use super::contents::{World, WorldError};
use super::settings::{Advance, WorldSettings};
use crate::controller::NeedsSpec;
use aplomb_body::contact::grip::Hold;
use aplomb_body::contact::{Surface, SurfaceShape, Trajectory, is_friction};
use aplomb_body::dynamics::BiasVelocity;
use aplomb_passive::PassiveSettings;
use aplomb_qp::solver;
use nalgebra::{UnitQuaternion, Vector3};

/// Name of the floor in traces and reports.
pub(crate) const GROUND: &str = "ground";

/// The floor: the half-space below a horizontal plane.
#[derive(Clone, Debug)]
pub struct Ground {
    friction: f64,
    height: f64,
    trajectory: Trajectory,
}

impl Ground {
    /// A floor at height 0 with a Coulomb friction coefficient.
    pub fn flat(friction: f64) -> Self {
        Ground { friction, height: 0.0, trajectory: Trajectory::default() }
    }

    /// Sets its height, m.
    pub fn at(mut self, height: f64) -> Self {
        self.height = height;
        self
    }

    /// Adds a trajectory to its initial pose.
    pub fn moving(mut self, trajectory: Trajectory) -> Self {
        self.trajectory = trajectory;
        self
    }
}

/// A box that only its trajectory and [`World::move_obstacle`] move.
#[derive(Clone, Debug)]
pub struct Obstacle {
    name: String,
    half_lengths: Vector3<f64>,
    position: Vector3<f64>,
    orientation: UnitQuaternion<f64>,
    friction: Option<f64>,
    contact_weight: Option<f64>,
    trajectory: Trajectory,
}

impl Obstacle {
    /// A box from its half-lengths and its centre in the world, m, with the ground's friction.
    pub fn block(name: &str, half_lengths: [f64; 3], position: [f64; 3]) -> Self {
        Obstacle {
            name: name.into(),
            half_lengths: half_lengths.into(),
            position: position.into(),
            orientation: UnitQuaternion::identity(),
            friction: None,
            contact_weight: None,
            trajectory: Trajectory::default(),
        }
    }

    /// Rotates it by roll, pitch and yaw about the world's x, y and z axes, in that order, rad.
    pub fn turned(mut self, [roll, pitch, yaw]: [f64; 3]) -> Self {
        self.orientation = UnitQuaternion::from_euler_angles(roll, pitch, yaw);
        self
    }

    /// Sets its coefficient of friction.
    pub fn friction(mut self, friction: f64) -> Self {
        self.friction = Some(friction);
        self
    }

    /// Sets the weight of keeping contacts on it where they were made; 0 for a wall that is used only for
    /// collisions.
    pub fn contact_weight(mut self, weight: f64) -> Self {
        self.contact_weight = Some(weight);
        self
    }

    /// Adds a trajectory to its initial pose.
    pub fn moving(mut self, trajectory: Trajectory) -> Self {
        self.trajectory = trajectory;
        self
    }
}

impl World {
    /// A builder with the defaults of scene files: a floor of friction 1, steps of 10 ms.
    pub fn builder() -> WorldBuilder {
        WorldBuilder::default()
    }
}

/// Constructs a world; created by [`World::builder`]. The defaults are those of scene files.
#[derive(Clone, Debug)]
pub struct WorldBuilder {
    settings: WorldSettings,
    passive: PassiveSettings,
    ground: Ground,
    obstacles: Vec<Obstacle>,
    holds: Vec<Hold>,
    parallel: bool,
}

impl Default for WorldBuilder {
    fn default() -> Self {
        WorldBuilder {
            settings: WorldSettings::default(),
            passive: PassiveSettings::default(),
            ground: Ground::flat(1.0),
            obstacles: Vec::new(),
            holds: Vec::new(),
            parallel: false,
        }
    }
}

impl WorldBuilder {
    /// World gravity, m/s²; z is up.
    pub fn gravity(mut self, gravity: [f64; 3]) -> Self {
        self.settings.gravity = gravity.into();
        self
    }

    /// Length of a frame, s; 0.0001 to 0.05.
    pub fn step(mut self, dt: f64) -> Self {
        self.settings.dt = dt;
        self
    }

    /// Enables contacts between characters, with this coefficient of friction; without it they pass through
    /// each other.
    pub fn friction_between_characters(mut self, friction: f64) -> Self {
        self.settings.friction_between_characters = Some(friction);
        self
    }

    /// Sets the floor.
    pub fn ground(mut self, ground: Ground) -> Self {
        self.ground = ground;
        self
    }

    /// Adds a box that characters and passive objects collide with.
    pub fn obstacle(mut self, obstacle: Obstacle) -> Self {
        self.obstacles.push(obstacle);
        self
    }

    /// Adds small obstacles, 1 km away, for the names that a controller needs, so that it can be checked
    /// without a scene.
    pub fn stand_ins(mut self, needs: &NeedsSpec) -> Self {
        for name in &needs.obstacles {
            self.obstacles.push(Obstacle::block(name.get_ref(), [0.1; 3], [0.0, 1e3, 0.0]));
        }
        self
    }

    /// Adds a hold.
    pub fn hold(mut self, hold: Hold) -> Self {
        self.holds.push(hold);
        self
    }

    /// Sets the QP solver by name; the default is `active_set`.
    pub fn solver(mut self, name: &str) -> Self {
        self.settings.solver = name.into();
        self
    }

    /// Sets the velocity at which the bias force of a frame is computed.
    pub fn bias_velocity(mut self, bias: BiasVelocity) -> Self {
        self.settings.synthesis.bias_velocity = bias;
        self
    }

    /// Sets how the state advances to the end of a solved frame.
    pub fn advance(mut self, advance: Advance) -> Self {
        self.settings.advance = advance;
        self
    }

    /// Sets step, gravity, solver and weights at once.
    pub fn settings(mut self, settings: WorldSettings) -> Self {
        self.settings = settings;
        self
    }

    /// Sets the step settings of passive objects.
    pub fn passive_settings(mut self, settings: PassiveSettings) -> Self {
        self.passive = settings;
        self
    }

    /// Solves characters that hold no passive object in parallel, on the thread pool that [`World::step`] is
    /// called in (rayon's global one by default). The results are the same bytes for any number of threads.
    pub fn parallel(mut self, parallel: bool) -> Self {
        self.parallel = parallel;
        self
    }

    /// The world, without characters.
    ///
    /// # Errors
    /// A number out of its range, a position too far from the origin, two obstacles or holds with one name,
    /// and a solver that this build does not have.
    pub fn build(self) -> Result<World, WorldError> {
        self.check()?;
        let WorldBuilder { settings, passive, ground, obstacles, holds, parallel } = self;
        let dt = settings.dt;
        let floor = Vector3::new(0.0, 0.0, ground.height);
        let turn = UnitQuaternion::identity();
        let floor = Surface::new(GROUND, SurfaceShape::HalfSpace, floor, turn, ground.friction);
        let boxes = obstacles.into_iter().map(|obstacle| {
            let Obstacle { name, half_lengths, position, orientation, friction, .. } = obstacle;
            let friction = friction.unwrap_or(ground.friction);
            let shape = SurfaceShape::Box { half_lengths };
            let mut surface = Surface::new(&name, shape, position, orientation, friction);
            surface.contact_weight = obstacle.contact_weight;
            surface.on(obstacle.trajectory, dt)
        });
        let surfaces = std::iter::once(floor.on(ground.trajectory, dt)).chain(boxes).collect();
        let mut world = World::new(settings, surfaces, holds);
        world.set_passive_settings(passive);
        world.set_parallel(parallel);
        Ok(world)
    }

    fn check(&self) -> Result<(), WorldError> {
        let WorldSettings { dt, gravity, solver, synthesis, .. } = &self.settings;
        let is_right = |is_right: bool, what: &'static str| match is_right {
            true => Ok(()),
            false => Err(WorldError::BadValue(what)),
        };
        is_right((1e-4..=0.05).contains(dt), "the step must be from 0.0001 to 0.05 s")?;
        is_right(gravity.iter().all(|part| part.is_finite()), "gravity must be finite")?;
        is_right(matches!(synthesis.friction_directions, 4 | 8), "a friction pyramid has 4 or 8 edges")?;
        let positive = [synthesis.torque_change_weight, synthesis.force_weight, synthesis.contact_response];
        is_right(
            positive.iter().all(|weight| *weight > 0.0 && weight.is_finite()),
            "weights must be positive",
        )?;
        let response = synthesis.joint_limit_response;
        is_right(
            response >= 0.0 && response.is_finite(),
            "the response before joint limits must be 0 s or more",
        )?;
        is_right(self.settings.momentum_tolerance >= 0.0, "the tolerance of momentum must be 0 or more")?;
        let PassiveSettings { dt, residual, limit_restitution, .. } = &self.passive;
        is_right(*dt > 0.0 && dt.is_finite(), "the step of passive objects must be more than 0 s")?;
        is_right(*residual >= 0.0, "the residual of passive objects must be 0 or more")?;
        is_right((0.0..=1.0).contains(limit_restitution), "a restitution must be from 0 to 1")?;
        let frictions = self.obstacles.iter().filter_map(|obstacle| obstacle.friction);
        let frictions = frictions.chain(self.settings.friction_between_characters);
        let of_holds = self.holds.iter().map(|hold| hold.friction);
        let mut frictions = frictions.chain([self.ground.friction]).chain(of_holds);
        is_right(frictions.all(is_friction), "friction must be from 0 to 1e6")?;
        let mut lengths = self.obstacles.iter().flat_map(|obstacle| obstacle.half_lengths.iter());
        is_right(
            lengths.all(|length| *length > 0.0 && length.is_finite()),
            "half lengths must be more than 0 m",
        )?;
        let obstacles = self.obstacles.iter().map(|obstacle| obstacle.name.as_str());
        near(GROUND, [Vector3::new(0.0, 0.0, self.ground.height)])?;
        for obstacle in &self.obstacles {
            near(&obstacle.name, [obstacle.position])?;
        }
        for hold in &self.holds {
            near(&hold.name, hold.shape.points())?;
        }
        unique(std::iter::once(GROUND).chain(obstacles))?;
        unique(self.holds.iter().map(|hold| &*hold.name))?;
        solver::by_name(solver).map(|_| ()).map_err(WorldError::Solver)
    }
}

fn unique<'n>(names: impl Iterator<Item = &'n str>) -> Result<(), WorldError> {
    let mut known: Vec<&str> = Vec::new();
    for name in names {
        if known.contains(&name) {
            return Err(WorldError::NameTaken(name.into()));
        }
        known.push(name);
    }
    Ok(())
}
