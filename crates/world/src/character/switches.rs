//! Enabling and disabling objectives and constraints of a character by name.

use super::{Character, Goal};

/// A name that does not exist.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("there is no {what} `{name}`; known: {}", .known.join(", "))]
pub struct UnknownName {
    /// Kind of the name: `objective`, `body`, …
    pub what: &'static str,
    /// The name that was given.
    pub name: String,
    /// Names that exist.
    pub known: Vec<String>,
}

impl UnknownName {
    /// The error for an unknown `name` of the kind `what`, with the `known` names, each listed once.
    pub fn new<'k>(what: &'static str, name: &str, known: impl IntoIterator<Item = &'k str>) -> Self {
        let mut list: Vec<String> = Vec::new();
        for known in known {
            if !list.iter().any(|listed| listed == known) {
                list.push(known.into());
            }
        }
        UnknownName { what, name: name.into(), known: list }
    }
}

impl Character {
    /// Enables or disables an objective of the controller, or `STATE.NAME` for that of one state alone, or one that a
    /// program added, from certain frames on.
    ///
    /// # Errors
    /// A name that no such objective has.
    pub fn switch_objective(
        &mut self,
        wanted: &str,
        changes: impl Iterator<Item = (u64, bool)> + Clone,
    ) -> Result<(), UnknownName> {
        let Character { goals, own_goals, controller, .. } = self;
        let mut found = false;
        for (state, goals) in controller.spec.states.keys().zip(goals.iter_mut()) {
            for goal in goals.iter_mut().filter(|goal| means(wanted, state.get_ref(), goal)) {
                goal.switch.turn(changes.clone());
                found = true;
            }
        }
        for goal in own_goals.iter_mut().filter(|goal| goal.name() == wanted) {
            goal.switch.turn(changes.clone());
            found = true;
        }
        let known = || goals.iter().flatten().chain(own_goals.iter()).map(|goal| goal.name());
        if found { Ok(()) } else { Err(UnknownName::new("objective", wanted, known())) }
    }

    /// Enables or disables a constraint of the controller, or one that a program added, from certain frames on.
    ///
    /// # Errors
    /// A name that no such constraint has.
    pub fn switch_constraint(
        &mut self,
        wanted: &str,
        changes: impl Iterator<Item = (u64, bool)>,
    ) -> Result<(), UnknownName> {
        let mut all = self.apart.iter_mut().chain(&mut self.own_apart);
        match all.find(|kept| *kept.name == *wanted) {
            Some(kept) => {
                kept.switch.turn(changes);
                self.renew_constraints();
                Ok(())
            }
            None => {
                let known = self.apart.iter().chain(&self.own_apart).map(|kept| &*kept.name);
                Err(UnknownName::new("constraint", wanted, known))
            }
        }
    }
}

/// Whether `wanted` is the goal's name, or `STATE.NAME`.
fn means(wanted: &str, state: &str, goal: &Goal) -> bool {
    let own = goal.name();
    wanted == own || wanted.strip_prefix(state).and_then(|rest| rest.strip_prefix('.')) == Some(own)
}
