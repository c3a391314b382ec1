//! What is done to a world, as it is kept to be done again.

use aplomb::controller::{CommandValue, ControllerFile};
use aplomb::language::files::quoted;
use aplomb::model::BodyId;
use aplomb::world::{CharacterId, Throw, World, WorldError, Wrench};
use nalgebra::Vector3;
use std::sync::Arc;

/// What can be pushed and pulled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A body of a character.
    Body {
        /// Number of the character.
        character: usize,
        /// The body.
        body: BodyId,
    },
    /// A part of a passive object, both by number.
    Part {
        /// Number of the object.
        object: usize,
        /// Number of the part.
        part: usize,
    },
}

impl Target {
    /// Whether a world has it.
    pub fn is_in(self, world: &World) -> bool {
        match self {
            Target::Body { character, body } => {
                let mut characters = world.characters();
                characters.any(|id| id.0 == character && body.0 < world.character(id).model.bodies.len())
            }
            Target::Part { object, part } => {
                world.passive().objects.get(object).is_some_and(|object| part < object.parts.len())
            }
        }
    }
}

/// Something done to a world between two frames.
#[derive(Clone, Debug)]
pub enum Action {
    /// A constant force.
    Push {
        /// What is pushed.
        target: Target,
        /// Where: offset from a body's centre of mass, or from the origin of a part, in its own axes, m.
        point: Vector3<f64>,
        /// World axes, N.
        force: Vector3<f64>,
        /// s, at least one frame.
        duration: f64,
    },
    /// Another value in the character's controller.
    SetValue {
        /// Its keys in the controller's file, joined by dots: `parameters.crouch`.
        path: String,
        /// The value, in TOML.
        value: String,
    },
    /// Another controller takes over.
    ReplaceController {
        /// The controller.
        controller: Arc<ControllerFile>,
    },
    /// A ball comes flying.
    Throw {
        /// What it is called.
        name: String,
        /// The ball.
        throw: Throw,
    },
    /// The controller is told something else.
    Command {
        /// Name of the command.
        name: String,
        /// What it is worth from then on.
        value: CommandValue,
    },
    /// An objective of the controller holds, or does not.
    EnableObjective {
        /// Its name, or `STATE.NAME`.
        name: String,
        /// Whether it holds.
        enabled: bool,
    },
}

impl Action {
    /// A number for a parameter of the controller.
    pub fn set_parameter(name: &str, value: f64) -> Self {
        Action::SetValue { path: format!("parameters.{}", quoted(name)), value: format!("{value:?}") }
    }

    /// Whether it leaves nothing of another one that was done just before it.
    pub fn overrides(&self, earlier: &Action) -> bool {
        match (self, earlier) {
            (Action::SetValue { path, .. }, Action::SetValue { path: other, .. }) => path == other,
            (Action::EnableObjective { name, .. }, Action::EnableObjective { name: other, .. })
            | (Action::Command { name, .. }, Action::Command { name: other, .. }) => name == other,
            _ => false,
        }
    }

    /// Does it.
    ///
    /// # Errors
    /// What the world does not have or take; then nothing is done.
    pub fn apply(&self, world: &mut World) -> Result<(), WorldError> {
        match self {
            Action::Push { target, .. } if !target.is_in(world) => Err(WorldError::Foreign("a body")),
            Action::Push { target: Target::Body { character, body }, point, force, duration } => {
                let id = CharacterId(*character);
                let name = world.character(id).model.bodies[body.0].name.clone();
                world.push(id, &name, Wrench::force((*force).into()).at((*point).into()), *duration)
            }
            Action::Push { target: Target::Part { object, part }, point, force, duration } => {
                world.push_passive(*object, *part, *point, *force, *duration)
            }
            Action::SetValue { path, value } => world.set_value(HERO, path, value),
            Action::ReplaceController { controller } => {
                world.replace_controller(HERO, (**controller).clone())
            }
            Action::Throw { name, throw } => world.throw(name, throw).map(drop),
            Action::Command { name, value } => world.command(HERO, name, *value),
            Action::EnableObjective { name, enabled } => world.enable_objective(HERO, name, *enabled),
        }
    }
}

/// Scenes have one character.
pub const HERO: CharacterId = CharacterId(0);
