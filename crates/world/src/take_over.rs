//! Continues a world in another one from its present state, for a scene whose files were changed while it runs.

use super::character::Character;
use super::contents::World;
use super::record;
use aplomb_body::model::Model;
use aplomb_body::model::state::State;

/// State that was not migrated to the new world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftBehind {
    /// The passive objects or their obstacles differ: they start again.
    PassiveObjects,
    /// The body's parts or its surroundings differ: its contacts start again.
    Contacts,
    /// The hold that it grips no longer exists, or the holds differ.
    Grips,
}

impl World {
    /// Continues from the state of another world: at its frame, with the positions and velocities of its
    /// characters (matched by name) and the states of their controllers. Joints of the same name continue,
    /// others start with their values in this world. Where bodies and surroundings are equal, contacts, grips
    /// and forces continue too. Pushes that were commanded in the other world continue. Returns what was not
    /// migrated.
    pub fn take_over(&mut self, old: &World) -> Vec<LeftBehind> {
        let mut left = Vec::new();
        self.index = old.index;
        for actor in &mut self.actors {
            let known = old.actors.iter().find(|other| other.character.name == actor.character.name);
            if let Some(known) = known {
                actor.character.take_over(&known.character, &mut left);
                actor.are_roles_stale = true;
            }
        }
        let places = |world: &World| -> Vec<String> {
            world.surfaces().iter().map(|surface| format!("{:?}", surface.shape)).collect()
        };
        if record::passive_objects(&self.passive) == record::passive_objects(&old.passive)
            && self.actors.len() == old.actors.len()
            && places(self) == places(old)
        {
            self.passive.clone_from(&old.passive);
            for (number, surface) in self.scenery.surfaces().iter().enumerate() {
                self.passive.set_surface(number, surface);
            }
        } else {
            left.push(LeftBehind::PassiveObjects);
        }
        self.unread.clone_from(&old.unread);
        self.events.extend(old.events.iter().filter(|event| event.is_passing).cloned());
        self.observed.is_current = false;
        left
    }
}

impl Character {
    fn take_over(&mut self, old: &Character, left: &mut Vec<LeftBehind>) {
        let is_alike = self.model.nq == old.model.nq
            && self.model.nv == old.model.nv
            && self.snapshot.contacts.slots() == old.snapshot.contacts.slots()
            && self.model.sites.len() == old.model.sites.len();
        let holds = |character: &Character| -> Vec<String> {
            character
                .snapshot
                .grips
                .holds
                .iter()
                .map(|hold| format!("{} {:?}", hold.name, hold.shape))
                .collect()
        };
        let same_holds = holds(self) == holds(old);
        if is_alike {
            self.put(old.snapshot.state.clone());
            self.snapshot.contacts.touches.clone_from(&old.snapshot.contacts.touches);
            self.snapshot.last_force.clone_from(&old.snapshot.last_force);
            self.snapshot.ragdoll_forces.clone_from(&old.snapshot.ragdoll_forces);
            self.snapshot.last_torque.clone_from(&old.snapshot.last_torque);
            self.previous_velocity.clone_from(&old.previous_velocity);
            self.steady_frames = old.steady_frames;
            self.bearing.clone_from(&old.bearing);
        } else {
            left.push(LeftBehind::Contacts);
            let state = carried(&old.model, &old.snapshot.state, &self.model, &self.snapshot.state);
            self.put(state);
        }
        if is_alike && same_holds {
            let here = std::mem::take(&mut self.snapshot.grips.holds);
            self.snapshot.grips.clone_from(&old.snapshot.grips);
            self.snapshot.grips.holds = here;
        } else if !old.snapshot.grips.list.is_empty() {
            left.push(LeftBehind::Grips);
        }
        self.jumped = true;
        self.machine.take_over(&old.machine);
    }
}

/// The state of one body in another: joints of the same name and kind continue.
fn carried(from: &Model, old: &State, to: &Model, new: &State) -> State {
    let mut state = new.clone();
    state.time = old.time;
    for joint in &to.joints {
        let Some(known) = from.joint(&joint.name).map(|id| &from.joints[id.0]) else { continue };
        if known.kind == joint.kind {
            for k in 0..joint.kind.nq() {
                state.q[joint.q_index + k] = old.q[known.q_index + k];
            }
            for k in 0..joint.kind.nv() {
                state.v[joint.v_index + k] = old.v[known.v_index + k];
            }
        }
    }
    state
}
