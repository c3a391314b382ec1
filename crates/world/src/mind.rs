//! State of a controller at the beginning of a frame, for display.

use super::character::Character;
use super::contents::{CharacterId, World};
use crate::controller::quantity::{Measure, ModelNames, WorldNames};
use crate::controller::{GuardNow, Guards, Stay};
use aplomb_control::objective::{Aim, Now, aim};
use aplomb_trace::ConflictRow;

/// State of a controller at the beginning of a frame, before it decides. It has no effect on the simulation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mind {
    /// Name of its present state.
    pub state: String,
    /// The conditions that matter in that state.
    pub guards: Vec<GuardNow>,
    /// The goals of that state, in the order of the file, those of every state first; then those of a
    /// program.
    pub goals: Vec<GoalNow>,
    /// The fewest rows of the previous frame that contradicted each other, if it was relaxed for that reason.
    pub conflict: Vec<ConflictRow>,
}

/// A goal of the present state.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalNow {
    /// Name of the goal.
    pub name: String,
    /// Keys of the goal in the controller's file, joined by dots; empty for one of a program.
    pub path: String,
    /// Index of its cost in traces; goals with one name share it.
    pub index: usize,
    /// Whether it is enabled.
    pub enabled: bool,
    /// Its present weight; `None` while it is not active.
    pub weight: Option<f64>,
    /// Target and actual value; `None` while it is not active, and for kinds without any.
    pub aim: Option<Aim>,
}

/// The bound conditions of a character's controller, for display.
pub struct Watch {
    binding: u64,
    guards: Guards,
}

impl World {
    /// Present state of a character's controller. `watch` is kept from frame to frame, and is created again
    /// if the controller is replaced.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn mind(&mut self, id: CharacterId, watch: &mut Option<Watch>) -> Mind {
        self.observe();
        let index = self.index;
        let conflict = self.actors[id.0].result.frame.conflict.clone();
        let character = &mut self.actors[id.0].character;
        if watch.as_ref().is_none_or(|watch| watch.binding != character.binding) {
            *watch = Some(Watch::new(character));
        }
        let guards = watch.as_ref().map(|watch| {
            let Character { model, snapshot, machine, .. } = &*character;
            watch.guards.now(machine, &Measure { model, snapshot })
        });
        Mind {
            state: character.machine.state_name().to_string(),
            guards: guards.unwrap_or_default(),
            goals: goals(character, index),
            conflict,
        }
    }

    /// Why the controller of a character has not left its state so far: the comparison that was nearest to ending the
    /// state. `None` if nothing in the state can end it.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn stay(&self, id: CharacterId) -> Option<Stay> {
        let Character { machine, controller, .. } = &self.actors[id.0].character;
        machine.stay(&controller.spec, &controller.source)
    }
}

impl Watch {
    fn new(character: &Character) -> Self {
        let Character { model, machine, controller, binding, .. } = character;
        let names = WorldNames { model: ModelNames(model), around: character.around() };
        let guards = Guards::new(&controller.spec, &controller.source, machine, &names);
        Watch { binding: *binding, guards }
    }
}

fn goals(character: &mut Character, frame: u64) -> Vec<GoalNow> {
    let Character { model, snapshot, machine, goals, own_goals, controller, .. } = character;
    let measure = Measure { model, snapshot };
    let values = machine.lookup(&measure);
    let now = Now { model, snapshot };
    let paths = controller.objective_paths(machine.state());
    let places = paths.into_iter().chain(std::iter::repeat(String::new()));
    let all = goals[machine.state()].iter_mut().chain(own_goals);
    all.zip(places)
        .map(|(goal, path)| {
            let (name, index) = (goal.name().to_owned(), goal.index());
            let enabled = goal.switch.is_on(frame);
            let active = goal.in_force(&values, &now).ok().flatten().filter(|_| enabled);
            let weight = active.as_ref().map(|active| active.weight);
            let aim = active.and_then(|active| aim(active.objective, &now));
            GoalNow { name, path, index, enabled, weight, aim }
        })
        .collect()
}
