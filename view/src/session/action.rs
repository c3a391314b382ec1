//! Actions on a world, recorded so that they can be repeated.

use aplomb::controller::{CommandValue, ControllerFile};
use aplomb::language::files::quoted;
use aplomb::model::BodyId;
use aplomb::world::{CharacterId, Throw, World, WorldError, Wrench};
use nalgebra::Vector3;
use std::sync::Arc;

/// A target of pushes and pulls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PushTarget {
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

impl PushTarget {
    /// Whether the world has the target.
    pub fn is_in(self, world: &World) -> bool {
        match self {
            PushTarget::Body { character, body } => {
                let mut characters = world.characters();
                characters.any(|id| id.0 == character && body.0 < world.character(id).model.bodies.len())
            }
            PushTarget::Part { object, part } => {
                world.passive().objects.get(object).is_some_and(|object| part < object.parts.len())
            }
        }
    }
}

/// An action on a world between two frames.
#[derive(Clone, Debug)]
pub enum SessionAction {
    /// A constant force.
    Push {
        /// Target of the push.
        target: PushTarget,
        /// Point of the push: offset from a body's centre of mass, or from a part's origin, in its own axes,
        /// m.
        point: Vector3<f64>,
        /// Force in world axes, N.
        force: Vector3<f64>,
        /// Duration, s; at least one frame.
        duration: f64,
    },
    /// Changes a value in the character's controller.
    SetValue {
        /// Keys in the controller's file, joined by dots: `parameters.crouch`.
        path: String,
        /// Value in TOML.
        value: String,
    },
    /// Replaces the controller.
    ReplaceController {
        /// The controller.
        controller: Arc<ControllerFile>,
    },
    /// Throws a ball.
    Throw {
        /// Name of the ball.
        name: String,
        /// The ball.
        throw: Throw,
    },
    /// Sets a command of the controller.
    Command {
        /// Name of the command.
        name: String,
        /// Value from then on.
        value: CommandValue,
    },
    /// Enables or disables an objective of the controller.
    EnableObjective {
        /// Name, or `STATE.NAME`.
        name: String,
        /// Whether the objective is enabled.
        enabled: bool,
    },
}

impl SessionAction {
    /// Sets a parameter of the controller.
    pub fn set_parameter(name: &str, value: f64) -> Self {
        SessionAction::SetValue { path: format!("parameters.{}", quoted(name)), value: format!("{value:?}") }
    }

    /// Whether an action right before this one has no effect.
    pub fn overrides(&self, earlier: &SessionAction) -> bool {
        match (self, earlier) {
            (SessionAction::SetValue { path, .. }, SessionAction::SetValue { path: other, .. }) => {
                path == other
            }
            (
                SessionAction::EnableObjective { name, .. },
                SessionAction::EnableObjective { name: other, .. },
            )
            | (SessionAction::Command { name, .. }, SessionAction::Command { name: other, .. }) => {
                name == other
            }
            _ => false,
        }
    }

    /// Carries out the action.
    ///
    /// # Errors
    /// A target or value that the world does not have or accept; the world is then unchanged.
    pub fn apply(&self, world: &mut World) -> Result<(), WorldError> {
        match self {
            SessionAction::Push { target, .. } if !target.is_in(world) => Err(WorldError::Foreign("a body")),
            SessionAction::Push { target: PushTarget::Body { character, body }, point, force, duration } => {
                let id = CharacterId(*character);
                let name = world.character(id).model.bodies[body.0].name.clone();
                world.push(id, &name, Wrench::force((*force).into()).at((*point).into()), *duration)
            }
            SessionAction::Push { target: PushTarget::Part { object, part }, point, force, duration } => {
                world.push_passive(*object, *part, *point, *force, *duration)
            }
            SessionAction::SetValue { path, value } => world.set_value(HERO, path, value),
            SessionAction::ReplaceController { controller } => {
                world.replace_controller(HERO, (**controller).clone())
            }
            SessionAction::Throw { name, throw } => world.throw(name, throw).map(drop),
            SessionAction::Command { name, value } => world.command(HERO, name, *value),
            SessionAction::EnableObjective { name, enabled } => world.enable_objective(HERO, name, *enabled),
        }
    }
}

/// The character that the window controls: the first of a scene.
pub const HERO: CharacterId = CharacterId(0);
