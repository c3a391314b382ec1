//! The names that a controller adds to expressions: parameters, definitions, roles, and the time in its
//! state.

use super::commands::Commands;
use super::define;
use super::define::Definition;
use super::levels::MOST_NAMED;
use super::machine::Since;
use super::spec::{ControllerSpec, StateSpec};
use aplomb_language::expression::{
    Condition, Interval, Lookup, Meaning, Names, Scalar, Set, StateId, Type, Value,
};
use aplomb_language::namespace::level_of_time;

/// Slots from here on are roles; those below belong to the quantities of the frame.
const FIRST_ROLE: usize = 1 << 20;

/// Slots from here on are commands, in the order of the controller's file.
const FIRST_COMMAND: usize = 1 << 22;

/// Slots from here on are weights of the previous state, by the numbers of objectives' names.
pub(super) const FIRST_WEIGHT: usize = 1 << 24;

/// Slot of the number of times that a state was entered.
const VISITS: usize = 1 << 28;

/// Slot of the previous state.
const PREVIOUS_STATE: usize = VISITS + 1;

/// Slot of the present state.
const PRESENT_STATE: usize = VISITS + 2;

/// Names of the machine that an expression may read: name, signature and description.
pub const OF_MACHINE: [(&str, &str, &str); 3] = [
    (
        "visits",
        "visits(state)",
        "How often a state of the controller was entered since the run began, the present visit included.",
    ),
    ("previous_state", "previous_state", "The state before the current one; none in the first."),
    ("present_state", "present_state", "The current state."),
];

/// Names by which users try to refer to the present state.
const MEANT_AS_STATE: [&str; 5] = ["state", "current_state", "in_state", "active_state", "state_name"];

/// The expression to write instead of a name that is meant as the present state, with a state as an example; `None`
/// for other names.
pub fn hint_of_state(name: &str, example: &str) -> Option<String> {
    let is_meant = MEANT_AS_STATE.contains(&name);
    is_meant.then(|| format!("the state is `present_state`, as in `present_state == {example}`"))
}

/// Meanings of a name of the machine: `visits`, `previous_state`, `present_state`.
fn of_machine(name: &str) -> Option<Meaning> {
    let (slot, arguments, result): (_, &'static [Type], _) = match name {
        "visits" => (VISITS, &[Type::State], Type::Number),
        "previous_state" => (PREVIOUS_STATE, &[], Type::State),
        "present_state" => (PRESENT_STATE, &[], Type::State),
        _ => return None,
    };
    let range = if name == "visits" { Interval::NEVER_NEGATIVE } else { Interval::ANY };
    Some(Meaning::Quantity { slot, arguments, result, range })
}

impl ControllerSpec {
    /// A state, or one with inner states: by its name, by the name of the include whose states it contains, as an
    /// included file writes it, or by the last part of its name if that is unique.
    fn state_named(&self, name: &str) -> Option<StateId> {
        let is_end = |whole: &str| whole.strip_suffix(name).is_some_and(|before| before.ends_with('.'));
        let unique = |is_it: &dyn Fn(usize, &str) -> bool| {
            let mut found = self.state_names().enumerate().filter(|(number, whole)| is_it(*number, whole));
            found.next().filter(|_| found.next().is_none()).map(|(number, _)| number)
        };
        let is_include = |number: usize, whole: &str| {
            let composite =
                number.checked_sub(self.states.len()).and_then(|at| self.composites.get_index(at));
            let is_named_so = whole.rsplit('.').next() == name.rsplit('.').next();
            is_named_so && composite.is_some_and(|(_, composite)| composite.machine == name)
        };
        let number = unique(&|_, whole| whole == name).or_else(|| unique(&is_include));
        self.state_id(number.or_else(|| unique(&|_, whole| is_end(whole)))?)
    }

    /// The states that bind a role, as a readable list; `None` if there are none.
    pub(super) fn binding(&self, role: &str) -> Option<String> {
        let outer = self.composites.values().map(|composite| (&composite.name, &composite.state));
        let binding = outer.chain(&self.states).filter(|(_, state)| state.binds(role));
        let states: Vec<String> = binding.map(|(state, _)| format!("`{state}`")).collect();
        (!states.is_empty()).then(|| states.join(", "))
    }

    /// The state with this index in [`state_names`](ControllerSpec::state_names).
    fn state_id(&self, number: usize) -> Option<StateId> {
        let Some(composite) = number.checked_sub(self.states.len()) else {
            return Some(StateId::single(number));
        };
        let (name, composite) = self.composites.get_index(composite)?;
        let is_inside = |state: &StateSpec| state.within.get(composite.depth) == Some(name);
        let first = self.states.values().position(is_inside)?;
        let count = self.states.values().filter(|state| is_inside(state)).count();
        Some(StateId { number, first, end: first + count })
    }

    /// Help for a name that is used as a state and has another meaning.
    pub fn not_a_state(&self, name: &str) -> Option<String> {
        if self.state_named(name).is_some() {
            return Some(format!("a state is called `{name}` as well: give one of the two another name"));
        }
        let kind = self.kind_beside_states(name)?;
        let states: Vec<&str> = self.state_names().take(MOST_NAMED).collect();
        Some(format!("`{name}` is {kind}, not a state; states are `{}`", states.join("`, `")))
    }

    /// Meaning of names for an observer of the machine: its states, and the values that can be queried.
    pub fn meaning_of_state(&self, name: &str) -> Option<Meaning> {
        let state = || self.state_named(name).map(|state| Meaning::Constant(Value::State(Some(state))));
        of_machine(name).or_else(state)
    }
}

/// The role of a slot, unless it is a quantity of the frame.
pub(super) fn role_of(slot: usize) -> Option<usize> {
    slot.checked_sub(FIRST_ROLE).filter(|_| slot < FIRST_COMMAND)
}

/// A role: a name that states bind on entry.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BoundRole {
    /// Name in expressions.
    pub(crate) name: String,
    /// Type of its value; a number if no binding of it is without errors.
    pub(crate) kind: Type,
    /// Whether some binding of it is without errors.
    pub(crate) is_typed: bool,
}

/// The names that one state's expressions may use: those of the frame, the controller's parameters, and those
/// of its roles and definitions that are bound on every path to the state.
pub(crate) struct Scope<'a> {
    pub(super) spec: &'a ControllerSpec,
    pub(super) names: &'a dyn Names,
    pub(super) roles: &'a [BoundRole],
    /// For each role, whether it may be used here.
    pub(super) in_reach: &'a [bool],
    /// Definitions in the order of the file; unbound ones are unknown.
    pub(super) definitions: &'a [Option<Definition>],
    /// Index of the definition whose expression it is: it may use those above it, and those of files that include
    /// its file. `None` for other expressions.
    pub(super) own: Option<usize>,
}

impl Scope<'_> {
    fn definition_index(&self, name: &str) -> Option<usize> {
        let planned = || {
            let output = define::outputs(self.spec).position(|(output, _)| output == name)?;
            Some(self.spec.define.len() + output)
        };
        let index = self.spec.define.get_index_of(name).or_else(planned);
        index.filter(|index| {
            *index < self.definitions.len() && self.own.is_none_or(|own| self.may_use(own, *index))
        })
    }

    /// Whether a definition may use another: a driven command is known to the whole included file, and may use all;
    /// one that a file replaces in an included file may use all of that file.
    fn may_use(&self, own: usize, other: usize) -> bool {
        other < own
            || other != own && (self.is_driven(own) || self.is_driven(other) || self.is_inside(own, other))
    }

    /// Whether a definition is in a file that is included by the file of another.
    fn is_inside(&self, own: usize, other: usize) -> bool {
        let file = |index| {
            let (name, _) = self.spec.define.get_index(index)?;
            Some(name.get_ref().rsplit_once('.').map_or("", |(file, _)| file))
        };
        let (Some(inner), Some(outer)) = (file(own), file(other)) else { return false };
        let rest = inner.strip_prefix(outer);
        rest.is_some_and(|rest| !rest.is_empty() && (outer.is_empty() || rest.starts_with('.')))
    }

    /// The definition of this name, if it is bound.
    pub(super) fn definition(&self, name: &str) -> Option<&Definition> {
        self.definitions[self.definition_index(name)?].as_ref()
    }

    /// Whether a definition of this name is in scope but could not be bound, or a role has no type because its bindings
    /// have errors.
    pub(super) fn is_broken(&self, name: &str) -> bool {
        self.roles.iter().any(|role| role.name == name && !role.is_typed)
            || self.definition_index(name).is_some() && self.definition(name).is_none()
    }

    /// The first role of a definition that has no value here.
    fn missing_role(&self, definition: &Definition) -> Option<&BoundRole> {
        let roles = self.roles.iter().zip(self.in_reach).zip(&definition.roles);
        roles.filter(|((_, usable), needed)| **needed && !**usable).map(|((role, _), _)| role).next()
    }

    pub(super) fn is_driven(&self, index: usize) -> bool {
        let named = self.spec.define.get_index(index);
        named.is_some_and(|(name, _)| self.spec.driven.contains_key(name.get_ref()))
    }
}

impl Names for Scope<'_> {
    fn meaning(&self, name: &str) -> Option<Meaning> {
        if name == "state_time" {
            return Some(Meaning::StateTime);
        }
        if let Some(level) = level_of_time(name) {
            return Some(Meaning::LevelTime(level));
        }
        if let Some(meaning) = of_machine(name) {
            return Some(meaning);
        }
        if let Some(value) = self.spec.parameters.get(name) {
            return Some(Meaning::Constant(Value::Number(*value.get_ref())));
        }
        if let Some(vector) = self.spec.parameters.vector(name) {
            return Some(Meaning::Constant(Value::Vector(vector.into())));
        }
        if let Some((index, _, command)) = self.spec.commands.get_full(name) {
            return Some(Meaning::Quantity {
                slot: FIRST_COMMAND + index,
                arguments: &[],
                result: command.kind(),
                range: Interval::ANY,
            });
        }
        if let Some(index) = self.definition_index(name) {
            let definition = self.definitions[index].as_ref()?;
            // The roles in a command that another file sets are checked where it is set.
            let is_usable = self.is_driven(index) || self.missing_role(definition).is_none();
            return is_usable.then(|| Meaning::Definition {
                expression: definition.bound.clone(),
                range: definition.range,
            });
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
            None => self.names.meaning(name).or_else(|| self.spec.meaning_of_state(name)),
        }
    }

    fn known(&self) -> Vec<String> {
        let roles = self.roles.iter().zip(self.in_reach).filter(|(_, usable)| **usable);
        let own = self.spec.parameters.names().map(|name| name.get_ref().clone());
        let names = self.spec.define.keys().map(|name| name.get_ref().clone());
        let names = names.chain(define::outputs(self.spec).map(|(name, _)| name));
        let defined = names.zip(self.definitions).enumerate();
        let defined = defined.filter(|(index, _)| self.own.is_none_or(|own| self.may_use(own, *index)));
        let defined = defined.map(|(_, defined)| defined).filter(|(_, definition)| {
            definition.as_ref().is_some_and(|definition| self.missing_role(definition).is_none())
        });
        let commands = self.spec.commands.keys().map(|name| name.get_ref().clone());
        own.chain(commands)
            .chain(defined.map(|(name, _)| name))
            .chain(roles.map(|(role, _)| role.name.clone()))
            .chain(["state_time".to_owned()])
            .chain(OF_MACHINE.map(|(name, ..)| name.to_owned()))
            .chain(self.names.known())
            .chain(self.spec.state_names().map(str::to_owned))
            .collect()
    }

    fn offered(&self, name: &str) -> Option<Meaning> {
        self.names.offered(name).or_else(|| self.meaning(name))
    }

    fn not_a_state(&self, name: &str) -> Option<String> {
        self.spec.not_a_state(name)
    }

    fn hint_beside(&self, name: &str, other: &str) -> Option<String> {
        let state = self.spec.state_named(other).and_then(|_| hint_of_state(name, other));
        state.or_else(|| self.hint(name))
    }

    fn hint(&self, name: &str) -> Option<String> {
        if self.spec.define.contains_key(name) || self.definition_index(name).is_some() {
            let Some(definition) = self.definition(name) else {
                return Some(match self.spec.define.get_index_of(name) == self.own {
                    true => "a definition cannot use itself".into(),
                    false => format!("`{name}` is defined further down; a definition can use those above it"),
                });
            };
            let role = &self.missing_role(definition)?.name;
            let binding = self.spec.binding(role)?;
            return Some(format!(
                "`{name}` is defined with the role `{role}`, which is bound in {binding} but not on every way here"
            ));
        }
        let Some(binding) = self.spec.binding(name) else {
            let example = self.spec.states.keys().next();
            let of_state = || hint_of_state(name, example?.get_ref());
            return self.names.hint(name).or_else(of_state).or_else(|| self.spec.hint_of_include(name));
        };
        Some(format!(
            "the role `{name}` is bound in {binding} but not on every way here; bind it in this state's `let`, or \
             in every state that leads here"
        ))
    }
}

/// The frame's values with the controller's own: roles, and time in the state.
pub struct FrameLookup<'a> {
    pub(super) frame: &'a dyn Lookup,
    pub(super) roles: &'a [Value],
    pub(super) commands: &'a Commands,
    pub(super) state_time: f64,
    pub(super) times: Times<'a>,
    /// Number of times that each state was entered, states with inner states last.
    pub(super) visits: &'a [u32],
    pub(super) previous: Option<usize>,
    pub(super) present: usize,
    pub(super) blend: Option<Blend<'a>>,
}

/// Start times of the levels of a state.
pub(super) struct Times<'a> {
    /// Start times of the levels that continue.
    pub since: &'a [Since],
    /// Present time, s.
    pub now: f64,
    /// Length of one second of the controller's clock, s.
    pub scale: f64,
}

/// The previous state, for goals that blend from its weights.
pub(super) struct Blend<'a> {
    pub weights: &'a [Option<(Option<Condition>, Scalar)>],
    /// Time spent in the previous state, s on the controller's clock.
    pub lasted: f64,
}

impl Lookup for FrameLookup<'_> {
    fn quantity(&self, slot: usize, arguments: &[Value]) -> Value {
        if slot == PREVIOUS_STATE {
            return Value::State(self.previous.map(StateId::single));
        }
        if slot == PRESENT_STATE {
            return Value::State(Some(StateId::single(self.present)));
        }
        if slot == VISITS {
            let state = arguments.first().map_or(Value::State(None), |state| *state);
            let Value::State(Some(state)) = state else { return Value::Number(f64::NAN) };
            return Value::Number(self.visits.get(state.number).map_or(0.0, |count| f64::from(*count)));
        }
        if let Some(name) = slot.checked_sub(FIRST_WEIGHT) {
            return Value::Number(self.weight_before(name));
        }
        if let Some(command) = slot.checked_sub(FIRST_COMMAND) {
            return self.commands.value(command);
        }
        match slot.checked_sub(FIRST_ROLE) {
            Some(role) => self.roles[role],
            None => self.frame.quantity(slot, arguments),
        }
    }

    fn presence(&self, set: Set, number: usize) -> Option<bool> {
        self.frame.presence(set, number)
    }

    fn time(&self) -> f64 {
        self.frame.time()
    }

    fn state_time(&self) -> f64 {
        self.state_time
    }

    fn level_time(&self, level: usize) -> f64 {
        let of_level = self.times.since.get(level);
        of_level.map_or(self.state_time, |since| (self.times.now - since.entered) / self.times.scale)
    }
}

impl FrameLookup<'_> {
    /// The weight that an objective of that number had when the previous state was left, 0 if the objective
    /// was not active; NaN without a previous state.
    fn weight_before(&self, name: usize) -> f64 {
        let Some(Blend { weights, lasted }) = &self.blend else { return f64::NAN };
        let times = Times { since: &[], now: self.times.now, scale: self.times.scale };
        let before = FrameLookup { state_time: *lasted, times, blend: None, ..*self };
        match weights.get(name).and_then(Option::as_ref) {
            Some((Some(when), _)) if !when.value(&before) => 0.0,
            Some((_, weight)) => weight.value(&before),
            None => 0.0,
        }
    }
}
