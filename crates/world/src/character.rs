//! A character: its model, snapshot, controller and synthesiser.

mod added;
mod bind;
mod lacking;
mod measured;
mod switches;

pub(crate) use bind::ControllerParts;
pub(super) use bind::next_binding;
pub(crate) use lacking::bind_controller;
pub use measured::ComparedNumber;
pub(super) use measured::measure;
pub use switches::UnknownName;

use crate::controller::quantity::Around;
use crate::controller::{BindingNumber, CommandNumber};
use crate::controller::{ControllerFile, Machine};
use crate::frame::problem::FrameProblem;
use crate::goal::Goal;
use crate::reaction_delay::{ReactionDelay, ReactionDelaySettings};
use crate::settings::{Advance, WorldSettings};
use crate::springs::Springs;
use aplomb_body::contact::grip::{GripLimits, Grips, Hold, Want};
use aplomb_body::contact::{Contacts, Surface};
use aplomb_body::dynamics::momentum;
use aplomb_body::model::scales::Scales;
use aplomb_body::model::state::State;
use aplomb_body::model::{BodyId, Model};
use aplomb_control::constraint::{self, BoundCollisionAvoidance};
use aplomb_control::snapshot::{LastSolve, SensedObject, Snapshot};
use aplomb_control::synthesis::{BUILT_IN_COSTS, Synthesiser};
use aplomb_language::diagnostic::{FileErrors, Warning};
use aplomb_qp::solver::{self, UnknownSolver};
use nalgebra::Matrix3;
use std::sync::Arc;

/// A goal that a program added to a character, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoalId(usize);

/// Options of a character other than its model and its controller.
#[derive(Clone, Debug)]
pub struct CharacterOptions {
    /// Name of the character, for records and messages.
    pub name: String,
    /// File of the model, for the labels of rows.
    pub model_file: String,
    /// Limits of its grips; `None` for [`GripLimits::for_weight`].
    pub grip: Option<GripLimits>,
    /// Whether it has no joint torques in any state, whatever the controller requests.
    pub limp: bool,
    /// Whether the model's torque limits hold.
    pub torque_limits: bool,
    /// Whether collisions between its limbs, and of limbs with its trunk, are avoided.
    pub self_collision: bool,
    /// Reaction delay to disturbances; `None` for none.
    pub reaction_delay: Option<ReactionDelaySettings>,
    /// Names of passive objects that will be added after it and that its controller refers to, in the order
    /// of addition.
    pub objects: Vec<Arc<str>>,
    /// Names of the characters of the world by index, itself included, if its controller refers to them.
    pub characters: Vec<Arc<str>>,
    /// Surfaces of existing characters that it can touch: see [`bodies_of`](aplomb_body::contact::bodies_of).
    pub bodies: Vec<Surface>,
}

impl Default for CharacterOptions {
    fn default() -> Self {
        CharacterOptions {
            name: "character".into(),
            model_file: String::new(),
            grip: None,
            limp: false,
            torque_limits: true,
            self_collision: true,
            reaction_delay: None,
            objects: Vec::new(),
            characters: Vec::new(),
            bodies: Vec::new(),
        }
    }
}

/// A simulated character.
#[doc(alias = "humanoid")]
#[doc(alias = "robot")]
pub struct Character {
    /// Name of the character, for records and messages.
    pub name: String,
    /// Its articulated body.
    pub model: Model,
    /// State of the character and its surroundings at the beginning of the frame.
    pub snapshot: Snapshot,
    /// File of its controller.
    pub controller: ControllerFile,
    /// The controller's state machine.
    pub machine: Machine,
    /// Goals by state, in file order, those of every state first.
    pub goals: Vec<Vec<Goal>>,
    /// Springs by state, for states of a ragdoll with springs.
    pub(crate) springs: Vec<Option<Springs>>,
    /// Goals that a program added, which hold in every state, after those of the controller.
    pub own_goals: Vec<Goal>,
    /// Names of all costs of the trace: the built-in ones, then the controller's, then a program's.
    pub objectives: Vec<String>,
    /// Objectives that follow moving targets: index in that list, and the unit of the distance.
    pub followed: Vec<(usize, &'static str)>,
    /// Numbers that they compare with their targets, as the trace lists them.
    pub measured: Vec<ComparedNumber>,
    /// Numbers of commands, as the trace lists them.
    pub commanded: Vec<CommandNumber>,
    /// Numbers of the bindings of each frame that records list.
    pub recorded: Vec<BindingNumber>,
    /// Collision avoidance that the controller requests, by bodies.
    pub apart: Vec<BoundCollisionAvoidance>,
    /// Collision avoidance that a program added, in every state, after that of the controller.
    pub(crate) own_apart: Vec<BoundCollisionAvoidance>,
    /// Builds and solves the QP of each frame.
    pub synthesiser: Synthesiser,
    /// Reaction delay to disturbances; `None` for none.
    pub reaction_delay: Option<ReactionDelay>,
    /// Grips that a program requested, whatever its controller requests.
    pub own_grips: Vec<Want>,
    /// v^{N−1}, the velocity of the previous frame.
    pub previous_velocity: Vec<f64>,
    /// Number of frames since the run began or the set of active contacts last changed.
    pub(crate) steady_frames: u32,
    /// Whether the velocity jumped in the previous frame, so that it cannot be extrapolated.
    pub(crate) jumped: bool,
    /// Whether it was a ragdoll in the previous frame.
    pub(crate) was_ragdoll: bool,
    /// Contact slots that were active in the previous frame.
    pub bearing: Vec<usize>,
    /// Whether there are no joint torques, whatever the controller requests.
    pub is_limp: bool,
    /// Memory of the frame's solve loop.
    pub problem: FrameProblem,
    /// Whether the model's torque limits hold.
    pub has_torque_limits: bool,
    /// Whether collisions between its limbs, and of limbs with its trunk, are avoided.
    pub(crate) has_self_collision: bool,
    /// Its index in its world.
    pub number: usize,
    /// Identifier of the present binding of its controller; unique.
    pub(super) binding: u64,
    /// Names of the passive objects that its controller may refer to, by index.
    pub(super) object_names: Vec<Arc<str>>,
    /// Names of the characters of its world, by index, if its controller may refer to them.
    character_names: Vec<Arc<str>>,
    model_file: String,
}

/// Why a character cannot be created.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CharacterError {
    /// The controller refers to something that this model or world does not have, or has other errors.
    #[error(transparent)]
    Controller(FileErrors),
    /// The requested solver does not exist or is not in this build.
    #[error(transparent)]
    Solver(#[from] UnknownSolver),
    /// A controller with a ragdoll state replaced another one in a world that was built without ragdolls.
    #[error("the world was built for a controller without ragdoll states")]
    NoRagdolls,
}

impl Character {
    /// Binds a controller to a model with the initial state `state`, among surfaces and holds.
    ///
    /// # Errors
    /// Every name of the controller that is unknown here, and a solver that this build does not have.
    pub fn new(
        model: Model,
        controller: ControllerFile,
        state: State,
        options: CharacterOptions,
        settings: &WorldSettings,
        surfaces: Vec<Surface>,
        holds: Vec<Hold>,
    ) -> Result<Self, CharacterError> {
        let scales = Scales::new(&model, settings.dt);
        let contacts = Contacts::new(&model, surfaces, scales.length()).with_bodies(options.bodies);
        let built_in = BUILT_IN_COSTS.map(String::from).to_vec();
        let around = Around {
            holds: &holds,
            objects: &options.objects,
            surfaces: &contacts.surfaces,
            characters: &options.characters,
        };
        let parts = bind_controller(&model, &controller, around, &scales, built_in, Vec::new())
            .map_err(CharacterError::Controller)?;
        let solver = solver::by_name(&settings.solver)?;
        let file = options.model_file.as_str();
        let response = settings.synthesis.joint_limit_response;
        let (limited, limbs) = (options.torque_limits, options.self_collision);
        let constraints = constraint::all(&model, &contacts, &parts.apart, limbs, limited, response, file);
        let synthesiser = Synthesiser::new(&model, &contacts, settings.synthesis, constraints, solver);
        let previous_velocity = state.v.clone();
        let mut snapshot = Snapshot::new(&model, scales, settings.gravity, contacts, state);
        let limits = options.grip.unwrap_or(GripLimits::for_weight(scales.weight()));
        snapshot.grips = Grips::new(&model, holds, limits);
        let delay = options.reaction_delay.as_ref();
        let reaction_delay = delay.map(|delay| ReactionDelay::new(delay, model.nv, settings.dt));
        let slots = snapshot.contacts.slots();
        let ControllerParts { machine, goals, springs, objectives, followed, measured, apart } = parts;
        let mut commanded = Vec::new();
        machine.commands.list(&mut commanded);
        let mut recorded = Vec::new();
        machine.list_recorded(&mut recorded);
        Ok(Character {
            name: options.name,
            snapshot,
            controller,
            machine,
            goals,
            springs,
            own_goals: Vec::new(),
            own_grips: Vec::new(),
            objectives,
            followed,
            measured,
            commanded,
            recorded,
            apart,
            own_apart: Vec::new(),
            synthesiser,
            reaction_delay,
            previous_velocity,
            steady_frames: 0,
            jumped: false,
            was_ragdoll: false,
            bearing: Vec::new(),
            is_limp: options.limp,
            problem: FrameProblem::new(&model, slots, settings.advance == Advance::Simulated),
            has_torque_limits: options.torque_limits,
            has_self_collision: options.self_collision,
            number: 0,
            binding: next_binding(),
            object_names: options.objects,
            character_names: options.characters,
            model_file: options.model_file,
            model,
        })
    }

    /// The names of its surroundings that its controller may use.
    pub(super) fn around(&self) -> Around<'_> {
        let Snapshot { grips, contacts, .. } = &self.snapshot;
        Around {
            holds: &grips.holds,
            objects: &self.object_names,
            surfaces: &contacts.surfaces,
            characters: &self.character_names,
        }
    }

    /// Whether a goal of its present state is about passive objects that it holds or touches.
    pub(super) fn is_about_objects(&self) -> bool {
        let goals = self.goals[self.machine.state()].iter().chain(&self.own_goals);
        goals.into_iter().any(Goal::is_about_objects)
    }

    /// The character as other characters measure it.
    pub(super) fn as_sensed(&self) -> SensedObject {
        let Character { model, snapshot, .. } = self;
        let root = BodyId(0);
        let facing =
            model.rest_axes(root).map_or(Matrix3::identity(), |axes| *axes.to_rotation_matrix().matrix());
        SensedObject {
            position: snapshot.com,
            velocity: snapshot.com_velocity,
            energy: momentum::kinetic_energy(model, &snapshot.kinematics)
                + momentum::potential_energy(&snapshot.kinematics, &snapshot.gravity),
            stretch: 0.0,
            rotation: snapshot.kinematics.rotation[root.0] * facing,
            angular_velocity: snapshot.kinematics.velocity[root.0].angular,
        }
    }

    /// Warnings about valid but probably unintended settings of its controller.
    pub fn warnings(&self) -> Vec<Warning> {
        self.machine.clashes(&self.controller.spec, &self.controller.source, &self.model)
    }

    /// Adds a goal that holds in every state. The trace lists its name if it is added before the first frame.
    pub fn add_goal(&mut self, mut goal: Goal) -> GoalId {
        goal.list_at(index_of(&mut self.objectives, goal.name()));
        follow(&mut self.followed, &goal);
        measure(&mut self.measured, &mut goal, &self.model);
        self.own_goals.push(goal);
        GoalId(self.own_goals.len() - 1)
    }

    /// A goal that was added, for changes between frames.
    pub fn goal_mut(&mut self, id: GoalId) -> Option<&mut Goal> {
        self.own_goals.get_mut(id.0)
    }

    /// Sets its state, and clears contacts, grips and forces of the previous frames.
    pub(super) fn put(&mut self, state: State) {
        let Character { snapshot, synthesiser, previous_velocity, .. } = self;
        previous_velocity.copy_from_slice(&state.v);
        snapshot.state = state;
        snapshot.contacts.reset();
        snapshot.grips.release_all();
        snapshot.forget_forces();
        snapshot.last_torque.fill(0.0);
        snapshot.com_velocity_before = None;
        snapshot.last_solve = LastSolve::default();
        synthesiser.solver.reset();
        self.steady_frames = 0;
        self.bearing.clear();
    }

    /// Rebuilds the constraints from the character's present options.
    pub(super) fn renew_constraints(&mut self) {
        let Character { model, snapshot, apart, own_apart, synthesiser, .. } = self;
        let apart: Vec<_> = apart.iter().chain(own_apart.iter()).cloned().collect();
        let (limited, limbs) = (self.has_torque_limits, self.has_self_collision);
        let response = synthesiser.settings.joint_limit_response;
        let constraints =
            constraint::all(model, &snapshot.contacts, &apart, limbs, limited, response, &self.model_file);
        synthesiser.constraints = constraints;
    }
}

/// Index of the cost with this name in the trace, which is appended if there is none.
pub(super) fn index_of(costs: &mut Vec<String>, name: &str) -> usize {
    costs.iter().position(|cost| cost == name).unwrap_or_else(|| {
        costs.push(name.to_owned());
        costs.len() - 1
    })
}

/// Lists the distance of a goal that follows a moving target.
pub(super) fn follow(followed: &mut Vec<(usize, &'static str)>, goal: &Goal) {
    if let Some(unit) = goal.follows()
        && followed.iter().all(|(index, _)| *index != goal.index())
    {
        followed.push((goal.index(), unit));
    }
}
