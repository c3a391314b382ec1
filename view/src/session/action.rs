//! What is done to a world, as it is kept to be done again.

use aplomb::language::expression::ScalarField;
use aplomb::model::BodyId;
use aplomb::world::{CharacterId, World, WorldError, Wrench};
use nalgebra::Vector3;

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

/// Something done to a world between two frames.
#[derive(Clone, Debug, PartialEq)]
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
    /// Another value for a parameter of the character's controller.
    SetParameter {
        /// Name of the parameter.
        name: String,
        /// Its value.
        value: f64,
    },
    /// Another weight for all objectives of that name of the character's controller.
    SetWeight {
        /// Name of the objectives.
        name: String,
        /// Their weight, 0 or more.
        value: f64,
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
    /// Does it.
    ///
    /// # Errors
    /// What the world does not have or take; then nothing is done.
    pub fn apply(&self, world: &mut World) -> Result<(), WorldError> {
        match self {
            Action::Push { target: Target::Body { character, body }, point, force, duration } => {
                let id = CharacterId(*character);
                let name = world.character(id).model.bodies[body.0].name.clone();
                world.push(id, &name, Wrench::force((*force).into()).at((*point).into()), *duration)
            }
            Action::Push { target: Target::Part { object, part }, point, force, duration } => {
                world.push_passive(*object, *part, *point, *force, *duration)
            }
            Action::SetParameter { name, value } => world.set_parameter(HERO, name, *value),
            Action::SetWeight { name, value } => {
                let mut controller = world.character(HERO).controller.clone();
                let spec = &mut controller.spec;
                let states = spec.states.values_mut().flat_map(|state| &mut state.objectives);
                let all = spec.objectives.iter_mut().chain(states);
                all.filter(|entry| entry.name.get_ref() == name)
                    .for_each(|entry| entry.weight = ScalarField::number(*value));
                world.replace_controller(HERO, controller)
            }
            Action::EnableObjective { name, enabled } => world.enable_objective(HERO, name, *enabled),
        }
    }
}

/// Scenes have one character.
const HERO: CharacterId = CharacterId(0);
