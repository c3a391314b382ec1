//! Hierarchical states: a controller with includes as one flat list of states with their levels.

use super::spec::{Composite, ControllerSpec, StateSpec};

/// Target of an exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Index of the state, in the order of the file.
    pub state: usize,
    /// Number of the levels of that state that the exit names: a machine that is entered as a whole starts in
    /// its start state, whatever the `while` of that is.
    pub named: usize,
}

impl ControllerSpec {
    /// Target of an exit with that name: a state, or the start state of a machine.
    pub fn entry(&self, name: &str) -> Option<Entry> {
        if let Some((state, _, spec)) = self.states.get_full(name) {
            return Some(Entry { state, named: spec.within.len() + 1 });
        }
        let composite = self.composites.get(name)?;
        let named = composite.depth + 1;
        let mut start = composite;
        // Each state contains the next.
        for _ in 0..=self.composites.len() {
            match self.states.get_index_of(start.start.get_ref().as_str()) {
                Some(state) => return Some(Entry { state, named }),
                None => start = self.composites.get(start.start.get_ref().as_str())?,
            }
        }
        None
    }

    /// A state with those that contain it, the outermost first and itself last.
    pub fn levels<'a>(&'a self, state: &'a StateSpec) -> impl Iterator<Item = &'a StateSpec> {
        let around = state.within.iter().filter_map(|name| Some(&self.composites.get(name)?.state));
        around.chain(std::iter::once(state))
    }

    /// The states that contain a composite state, the outermost first.
    pub fn around(&self, composite: &Composite) -> Vec<String> {
        let inside = self.states.values().find(|state| {
            state.within.get(composite.depth).is_some_and(|name| name == composite.name.get_ref())
        });
        inside.map(|state| state.within[..composite.depth].to_vec()).unwrap_or_default()
    }

    /// The levels of an exit's target whose `while` has to hold when it is entered from a state with some of
    /// the same levels.
    pub fn asked<'a>(&'a self, from: &StateSpec, entry: Entry) -> impl Iterator<Item = &'a StateSpec> {
        let to = self.states.get_index(entry.state).map(|(_, state)| state);
        let kept = to.map_or(0, |to| shared(&from.within, &to.within));
        to.into_iter().flat_map(|to| self.levels(to)).take(entry.named).skip(kept)
    }

    /// Names of all states that an exit can lead to.
    pub fn state_names(&self) -> impl Iterator<Item = &str> {
        let states = self.states.keys().map(|name| name.get_ref().as_str());
        states.chain(self.composites.keys().map(String::as_str))
    }
}

/// Number of common levels, from the outside in.
pub(super) fn shared(one: &[String], other: &[String]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}
