//! States with states in them: a controller that includes others, as one flat list of states that know what they are in.

use super::spec::{Composite, ControllerSpec, StateSpec};

/// Where an exit leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Of the state, in the order of the file.
    pub state: usize,
    /// How many of the levels of that state the exit names: a machine that is entered as a whole begins as a run does,
    /// whatever the `while` of its start says.
    pub named: usize,
}

impl ControllerSpec {
    /// Where an exit of that name leads: to a state, or to the start of the machine that is in one.
    pub fn entry(&self, name: &str) -> Option<Entry> {
        if let Some((state, _, spec)) = self.states.get_full(name) {
            return Some(Entry { state, named: spec.within.len() + 1 });
        }
        let composite = self.composites.get(name)?;
        let named = composite.depth + 1;
        let mut start = composite;
        // Each is in the one before.
        for _ in 0..=self.composites.len() {
            match self.states.get_index_of(start.start.get_ref().as_str()) {
                Some(state) => return Some(Entry { state, named }),
                None => start = self.composites.get(start.start.get_ref().as_str())?,
            }
        }
        None
    }

    /// A state with those that it is in, the outermost first and itself last.
    pub fn levels<'a>(&'a self, state: &'a StateSpec) -> impl Iterator<Item = &'a StateSpec> {
        let around = state.within.iter().filter_map(|name| Some(&self.composites.get(name)?.state));
        around.chain(std::iter::once(state))
    }

    /// The states that one with others in it is in, the outermost first.
    pub fn around(&self, composite: &Composite) -> Vec<String> {
        let inside = self.states.values().find(|state| {
            state.within.get(composite.depth).is_some_and(|name| name == composite.name.get_ref())
        });
        inside.map(|state| state.within[..composite.depth].to_vec()).unwrap_or_default()
    }

    /// What an exit asks of the state it leads to: the levels of it whose `while` has to hold when it is entered from a
    /// state that is in some of the same.
    pub fn asked<'a>(&'a self, from: &StateSpec, entry: Entry) -> impl Iterator<Item = &'a StateSpec> {
        let to = self.states.get_index(entry.state).map(|(_, state)| state);
        let kept = to.map_or(0, |to| shared(&from.within, &to.within));
        to.into_iter().flat_map(|to| self.levels(to)).take(entry.named).skip(kept)
    }

    /// The names of all states that an exit can lead to.
    pub fn state_names(&self) -> impl Iterator<Item = &str> {
        let states = self.states.keys().map(|name| name.get_ref().as_str());
        states.chain(self.composites.keys().map(String::as_str))
    }
}

/// How many states, from the outside in, are the same.
pub(super) fn shared(one: &[String], other: &[String]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}
