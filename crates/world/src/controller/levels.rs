//! Hierarchical states: a controller with includes as one flat list of states with their levels.

use super::spec::{Composite, ControllerSpec, StateSpec};

/// Largest number of states listed in a help message.
pub(super) const MOST_NAMED: usize = 8;

/// Target of an exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Index of the state, in the order of the file.
    pub(crate) state: usize,
    /// Number of the levels of that state that the exit names: a machine that is entered as a whole starts in
    /// its start state, regardless of its `while`.
    pub(crate) named: usize,
}

impl ControllerSpec {
    /// Target of an exit with that name: a state, or the start state of a machine.
    pub(crate) fn entry(&self, name: &str) -> Option<Entry> {
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

    /// The levels of an exit's target whose `while` must hold when the target is entered from a state that
    /// shares some of the levels.
    pub(crate) fn asked<'a>(&'a self, from: &StateSpec, entry: Entry) -> impl Iterator<Item = &'a StateSpec> {
        let to = self.states.get_index(entry.state).map(|(_, state)| state);
        let kept = to.map_or(0, |to| shared(&from.within, &to.within));
        to.into_iter().flat_map(|to| self.levels(to)).take(entry.named).skip(kept)
    }

    /// The kind of item, with its article, that a full name denotes if it is not a state.
    pub(super) fn kind_beside_states(&self, name: &str) -> Option<&'static str> {
        let is_include = || self.composites.values().any(|composite| composite.machine == name);
        let kinds: [(&str, &dyn Fn() -> bool); 4] = [
            ("an include", &is_include),
            ("a definition", &|| self.define.contains_key(name)),
            ("a parameter", &|| self.parameters.has(name)),
            ("a command", &|| self.commands.contains_key(name)),
        ];
        kinds.into_iter().find(|(_, is_it)| is_it()).map(|(kind, _)| kind)
    }

    /// The states that the name of an include denotes, if it is not itself a state; `None` for other names.
    pub(super) fn help_with_state(&self, name: &str) -> Option<String> {
        let with_it = self.composites.values().filter(|composite| composite.machine == name);
        let with_it: Vec<&Composite> = with_it.collect();
        let names: Vec<String> = with_it.iter().map(|composite| format!("`{}`", composite.name)).collect();
        let first = with_it.first()?;
        let inside = self.states.iter().filter(|(_, state)| state.within.contains(first.name.get_ref()));
        let inside: Vec<String> = inside.map(|(name, _)| format!("`{name}`")).collect();
        let more = match inside.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let inside = inside[..inside.len().min(MOST_NAMED)].join(", ");
        Some(format!("its states are in {}: {inside}{more}", names.join(" and in ")))
    }

    /// Help for the name of an include that several states run, in an expression.
    pub fn hint_of_include(&self, name: &str) -> Option<String> {
        let with_it = self.composites.values().filter(|composite| composite.machine == name);
        let with_it: Vec<&str> = with_it.map(|composite| composite.name.get_ref().as_str()).collect();
        let [first, _, ..] = with_it.as_slice() else { return None };
        let all = with_it.join("` and `");
        Some(format!(
            "`{name}` is an include, whose states are in `{all}`: ask for one of these, as in \
             `present_state == {first}` or `visits({first})`"
        ))
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
