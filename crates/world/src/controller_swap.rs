//! Replacing a running controller.

use super::actor::Actor;
use super::character::{Character, CharacterError, ControllerParts, bind_controller, next_binding};
use super::contents::{CharacterId, World, WorldError};
use crate::controller::ControllerFile;
use aplomb_language::diagnostic::FileErrors;

impl World {
    /// Replaces a character's controller, from the next frame on. The new one continues in the state of the
    /// same name, with the bindings of the same names and types and the time spent there; without such a
    /// state it starts in its start state. Objectives of the same name remain enabled or disabled.
    ///
    /// # Errors
    /// Names that the model or the world does not have; the old controller then continues.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn replace_controller(
        &mut self,
        id: CharacterId,
        controller: ControllerFile,
    ) -> Result<(), WorldError> {
        let has_ragdolls = self.passive.ragdoll_status().is_some();
        let Actor { character, are_roles_stale, .. } = &mut self.actors[id.0];
        *are_roles_stale = true;
        Ok(character.replace_controller(controller, has_ragdolls)?)
    }
}

impl Character {
    /// Replaces the present controller. Without a system for ragdolls, ragdoll states are not possible.
    fn replace_controller(
        &mut self,
        controller: ControllerFile,
        has_ragdolls: bool,
    ) -> Result<(), CharacterError> {
        let Character { model, snapshot, objectives, measured, .. } = &*self;
        let (objectives, measured) = (objectives.clone(), measured.clone());
        let scales = &snapshot.scales;
        let mut parts = bind_controller(model, &controller, self.around(), scales, objectives, measured)
            .map_err(CharacterError::Controller)?;
        if parts.machine.may_be_ragdoll() && !has_ragdolls {
            return Err(CharacterError::NoRagdolls);
        }
        parts.machine.take_over(&self.machine);
        let goals = || self.goals.iter().flatten();
        for goal in parts.goals.iter_mut().flatten() {
            if let Some(old) = goals().find(|old| old.index() == goal.index()) {
                goal.switch.take_over(&old.switch);
            }
        }
        for kept in &mut parts.apart {
            if let Some(old) = self.apart.iter().find(|old| old.name == kept.name) {
                kept.switch.take_over(&old.switch);
            }
        }
        self.set_controller(controller, parts, next_binding());
        Ok(())
    }

    /// Reserves the objectives of a later controller in records.
    ///
    /// # Errors
    /// Names that the model or the world does not have.
    pub fn expect_controller(&mut self, controller: &ControllerFile) -> Result<(), FileErrors> {
        let listed = (self.objectives.clone(), self.measured.clone());
        let scales = &self.snapshot.scales;
        let parts = bind_controller(&self.model, controller, self.around(), scales, listed.0, listed.1)?;
        let Character { objectives, followed, measured, commanded, recorded, machine, .. } = self;
        parts.machine.commands.list(commanded);
        parts.machine.list_recorded(recorded);
        machine.list_recorded(recorded);
        (*objectives, *measured) = (parts.objectives, parts.measured);
        parts.goals.iter().flatten().for_each(|goal| super::character::follow(followed, goal));
        Ok(())
    }

    /// Makes the parts of a bound controller those of the character.
    pub(super) fn set_controller(
        &mut self,
        controller: ControllerFile,
        parts: ControllerParts,
        binding: u64,
    ) {
        let ControllerParts { machine, goals, springs, objectives, followed, measured, apart } = parts;
        self.controller = controller;
        machine.commands.list(&mut self.commanded);
        machine.list_recorded(&mut self.recorded);
        self.machine = machine;
        self.goals = goals;
        self.springs = springs;
        self.objectives = objectives;
        self.measured = measured;
        // Listed columns keep their positions, so that records before and after the change have the same
        // columns.
        for (index, unit) in followed {
            if self.followed.iter().all(|(known, _)| *known != index) {
                self.followed.push((index, unit));
            }
        }
        // A checkpoint may be older than goals that a program added.
        for goal in &mut self.own_goals {
            goal.list_at(super::character::index_of(&mut self.objectives, goal.name()));
            super::character::follow(&mut self.followed, goal);
            super::character::measure(&mut self.measured, goal, &self.model);
        }
        self.apart = apart;
        self.binding = binding;
        self.renew_constraints();
    }
}
