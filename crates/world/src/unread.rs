//! Values of controllers that are set while a world runs and that nothing reads in the next frame.

use super::actor::Actor;
use super::contents::{CharacterId, World};
use crate::controller::{NextRead, Reads};
use aplomb_math::seconds::seconds;
use serde::Serialize;
use std::fmt;

/// A value that was set while the world ran and that the controller does not read in its present state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnreadValue {
    /// Name of the character.
    pub character: String,
    /// Keys of the value in the controller's file, joined by dots.
    pub path: String,
    /// Time at which it was set last, s.
    pub time: f64,
    /// State of the controller at that time.
    pub state: String,
    /// States that read it on entry, whichever is entered first; empty if nothing reads it again.
    pub next: Vec<String>,
}

impl UnreadValue {
    /// What happens to the value, as a phrase that follows its name.
    pub fn outcome(&self) -> String {
        match self.next.split_last() {
            None => "changes nothing: no state that can follow reads it".into(),
            Some((last, [])) => format!("is read next when `{last}` is entered"),
            Some((last, others)) => {
                format!("is read next when `{}` or `{last}` is entered", others.join("`, `"))
            }
        }
    }
}

impl fmt::Display for UnreadValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnreadValue { path, time, state, .. } = self;
        write!(f, "`{path}`, set at {time} s in state `{state}`, {}", self.outcome(), time = seconds(time))
    }
}

impl World {
    /// Values that were set while the world ran and that were not read at once, in the order in which they were set
    /// last; a value that is set again and read at once is not listed.
    pub fn unread_values(&self) -> &[UnreadValue] {
        &self.unread
    }

    /// When a value of a character's controller is read next if it is set now. `path` is that of
    /// [`World::set_value`]; `None` if it is not the path of a parameter, a definition or a key of a state.
    /// This reads all expressions of the controller, which takes a few milliseconds.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn next_read(&self, id: CharacterId, path: &str) -> Option<NextRead> {
        let character = &self.actors[id.0].character;
        let reads = Reads::new(&character.controller.spec, &character.controller.source);
        reads.next(path, character.machine.begun())
    }

    /// Records whether a value that was just set is read in the next frame.
    pub(super) fn note_read(&mut self, id: CharacterId, path: &str) {
        let Actor { character, reads, .. } = &mut self.actors[id.0];
        let found = reads.take().filter(|(binding, _)| *binding == character.binding);
        let of_now =
            || (character.binding, Reads::new(&character.controller.spec, &character.controller.source));
        let next = reads.insert(found.unwrap_or_else(of_now)).1.next(path, character.machine.begun());
        let (time, character) = (self.time(), &self.actors[id.0].character);
        self.unread.retain(|unread| unread.path != path || unread.character != character.name);
        let next = match next {
            None | Some(NextRead::Now) => return,
            Some(NextRead::OnEntry(states)) => states,
            Some(NextRead::Never) => Vec::new(),
        };
        let (character, state) = (character.name.clone(), character.machine.state_name().to_string());
        self.unread.push(UnreadValue { character, path: path.to_owned(), time, state, next });
    }
}
