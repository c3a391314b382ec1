//! The names a controller adds to an expression's world: parameters, roles, and the time in its state.

use super::spec::ControllerSpec;
use crate::expression::{Interval, Lookup, Meaning, Names, Type, Value};

/// Slots from here on are roles; those below belong to the quantities of the frame.
const FIRST_ROLE: usize = 1 << 20;

/// A role: a name that states bind on entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Role {
    pub name: String,
    pub kind: Type,
}

/// The names in reach of one state's expressions: those of the frame, the controller's parameters, and the
/// roles that are bound whichever way the state was reached.
pub struct Scope<'a> {
    pub(super) spec: &'a ControllerSpec,
    pub(super) names: &'a dyn Names,
    pub(super) roles: &'a [Role],
    /// For each role, whether it may be used here.
    pub(super) in_reach: &'a [bool],
}

impl Names for Scope<'_> {
    fn meaning(&self, name: &str) -> Option<Meaning> {
        if name == "state_time" {
            return Some(Meaning::StateTime);
        }
        if let Some(value) = self.spec.parameters.get(name) {
            return Some(Meaning::Constant(Value::Number(*value.get_ref())));
        }
        let role =
            self.roles.iter().zip(self.in_reach).position(|(role, usable)| *usable && role.name == name);
        match role {
            Some(index) => Some(Meaning::Quantity {
                slot: FIRST_ROLE + index,
                arguments: &[],
                result: self.roles[index].kind,
                range: Interval::ANY,
            }),
            None => self.names.meaning(name),
        }
    }

    fn known(&self) -> Vec<String> {
        let roles = self.roles.iter().zip(self.in_reach).filter(|(_, usable)| **usable);
        let own = self.spec.parameters.keys().map(|name| name.get_ref().clone());
        own.chain(roles.map(|(role, _)| role.name.clone()))
            .chain(["state_time".to_owned()])
            .chain(self.names.known())
            .collect()
    }

    fn hint(&self, name: &str) -> Option<String> {
        let states = self.spec.states.iter();
        let binding = states.filter(|(_, state)| state.roles.contains_key(name));
        let binding: Vec<String> = binding.map(|(state, _)| format!("`{state}`")).collect();
        if binding.is_empty() {
            return self.names.hint(name);
        }
        Some(format!(
            "the role `{name}` is bound in {} but not on every way here; bind it in this state's `let`, or in \
             every state that leads here",
            binding.join(", ")
        ))
    }
}

/// The frame's values with the controller's own: roles, and time in the state.
pub struct FrameLookup<'a> {
    pub(super) frame: &'a dyn Lookup,
    pub(super) roles: &'a [Value],
    pub(super) state_time: f64,
}

impl Lookup for FrameLookup<'_> {
    fn quantity(&self, slot: usize, arguments: &[Value]) -> Value {
        match slot.checked_sub(FIRST_ROLE) {
            Some(role) => self.roles[role],
            None => self.frame.quantity(slot, arguments),
        }
    }

    fn time(&self) -> f64 {
        self.frame.time()
    }

    fn state_time(&self) -> f64 {
        self.state_time
    }
}
