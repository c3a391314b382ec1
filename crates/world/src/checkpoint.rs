//! Checkpoints: the changing state of a world, saved for restoration.

use super::character::{Character, ComparedNumber, bind_controller};
use super::contents::{World, WorldError};
use super::division::Division;
use super::event::Event;
use super::islands::Islands;
use super::reaction_delay::ReactionDelay;
use super::unread::UnreadValue;
use crate::controller::{ControllerFile, Machine};
use aplomb_body::contact::grip::Want;
use aplomb_control::predict::Linearisation;
use aplomb_control::snapshot::Snapshot;
use aplomb_language::expression::Switch;
use aplomb_passive::PassiveWorld;
use aplomb_qp::solver::QpSolver;

/// The changing state of a world. A restored world continues with exactly the same numbers, to the last bit,
/// any number of times. Created by [`World::checkpoint`].
#[doc(alias = "snapshot")]
#[doc(alias = "save state")]
#[derive(Clone)]
pub struct Checkpoint {
    index: u64,
    division: Division,
    events: Vec<Event>,
    passive: PassiveWorld,
    scenery: Snapshot,
    characters: Vec<CharacterState>,
    islands: Islands,
    unread: Vec<UnreadValue>,
}

/// The changing state of a character.
#[derive(Clone)]
struct CharacterState {
    snapshot: Snapshot,
    controller: ControllerFile,
    /// Identifier of its binding.
    binding: u64,
    machine: Machine,
    objectives: Vec<String>,
    followed: Vec<(usize, &'static str)>,
    measured: Vec<ComparedNumber>,
    /// Switches of objectives, state by state.
    goal_switches: Vec<Vec<Switch>>,
    constraint_switches: Vec<Switch>,
    linearisation: Linearisation,
    solver: Box<dyn QpSolver>,
    own_grips: Vec<Want>,
    reaction_delay: Option<ReactionDelay>,
    previous_velocity: Vec<f64>,
    steady_frames: u32,
    jumped: bool,
    was_ragdoll: bool,
    bearing: Vec<usize>,
    is_limp: bool,
}

impl Checkpoint {
    /// Number of frames simulated before it.
    pub fn frame_index(&self) -> u64 {
        self.index
    }
}

impl World {
    /// Saves everything that changes, for [`restore`](World::restore).
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            index: self.index,
            division: self.division,
            events: self.events.clone(),
            passive: self.passive.clone(),
            scenery: self.scenery.snapshot.clone(),
            islands: self.islands.clone(),
            unread: self.unread.clone(),
            characters: self.actors.iter().map(|actor| CharacterState::of(&actor.character)).collect(),
        }
    }

    /// Restores a checkpoint of this world, or of another one that was built in the same way.
    ///
    /// # Errors
    /// A checkpoint of a world with other characters.
    pub fn restore(&mut self, checkpoint: &Checkpoint) -> Result<(), WorldError> {
        let pairs = || self.actors.iter().zip(&checkpoint.characters);
        let is_alike = self.actors.len() == checkpoint.characters.len()
            && pairs().all(|(actor, state)| state.is_of(&actor.character));
        if !is_alike {
            return Err(WorldError::Foreign("a checkpoint"));
        }
        self.index = checkpoint.index;
        self.division = checkpoint.division;
        self.events.clone_from(&checkpoint.events);
        self.passive.clone_from(&checkpoint.passive);
        self.islands.clone_from(&checkpoint.islands);
        self.unread.clone_from(&checkpoint.unread);
        self.scenery.snapshot.clone_from(&checkpoint.scenery);
        for (actor, state) in self.actors.iter_mut().zip(&checkpoint.characters) {
            state.restore(&mut actor.character)?;
            actor.are_roles_stale = true;
        }
        self.observed.is_current = false;
        Ok(())
    }
}

impl CharacterState {
    fn of(character: &Character) -> Self {
        let switches =
            |goals: &Vec<super::goal::Goal>| goals.iter().map(|goal| goal.switch.clone()).collect();
        CharacterState {
            snapshot: character.snapshot.clone(),
            controller: character.controller.clone(),
            binding: character.binding,
            machine: character.machine.clone(),
            objectives: character.objectives.clone(),
            followed: character.followed.clone(),
            measured: character.measured.clone(),
            goal_switches: character.goals.iter().map(switches).collect(),
            constraint_switches: character.apart.iter().map(|kept| kept.switch.clone()).collect(),
            linearisation: character.synthesiser.linearisation.clone(),
            solver: character.synthesiser.solver.clone(),
            own_grips: character.own_grips.clone(),
            reaction_delay: character.reaction_delay.clone(),
            previous_velocity: character.previous_velocity.clone(),
            steady_frames: character.steady_frames,
            jumped: character.jumped,
            was_ragdoll: character.was_ragdoll,
            bearing: character.bearing.clone(),
            is_limp: character.is_limp,
        }
    }

    /// Whether the state fits a character: it has as many coordinates, contact slots and holds.
    fn is_of(&self, character: &Character) -> bool {
        let (ours, theirs) = (&self.snapshot, &character.snapshot);
        ours.state.q.len() == theirs.state.q.len()
            && ours.state.v.len() == theirs.state.v.len()
            && ours.contacts.slots() == theirs.contacts.slots()
            && ours.grips.holds.len() == theirs.grips.holds.len()
    }

    fn restore(&self, character: &mut Character) -> Result<(), WorldError> {
        character.snapshot.clone_from(&self.snapshot);
        if character.binding != self.binding {
            let Character { model, snapshot, .. } = &*character;
            let (around, scales) = (character.around(), &snapshot.scales);
            let (objectives, measured) = (self.objectives.clone(), self.measured.clone());
            let parts = bind_controller(model, &self.controller, around, scales, objectives, measured)
                .map_err(super::character::CharacterError::Controller)?;
            character.followed.clone_from(&self.followed);
            character.set_controller(self.controller.clone(), parts, self.binding);
        }
        character.machine.clone_from(&self.machine);
        for (goal, switch) in character.goals.iter_mut().flatten().zip(self.goal_switches.iter().flatten()) {
            goal.switch.clone_from(switch);
        }
        for (kept, switch) in character.apart.iter_mut().zip(&self.constraint_switches) {
            kept.switch.clone_from(switch);
        }
        character.renew_constraints();
        character.synthesiser.linearisation.clone_from(&self.linearisation);
        character.synthesiser.solver.clone_from(&self.solver);
        character.own_grips.clone_from(&self.own_grips);
        character.reaction_delay.clone_from(&self.reaction_delay);
        character.previous_velocity.clone_from(&self.previous_velocity);
        character.steady_frames = self.steady_frames;
        character.jumped = self.jumped;
        character.was_ragdoll = self.was_ragdoll;
        character.bearing.clone_from(&self.bearing);
        character.is_limp = self.is_limp;
        Ok(())
    }
}
