//! The conditions by which a controller leaves and enters states, with their present values.

use super::machine::{BoundExit, Machine};
use super::spec::ControllerSpec;
use aplomb_language::diagnostic::Source;
use aplomb_language::expression::{Any, Condition, ConditionField, Lookup, Names, Value, operands};
use std::sync::Arc;

/// The conditions of all states of a controller, bound once.
pub(crate) struct Guards(Vec<StateGuards>);

/// Conditions of a state and of the states that contain it, the outermost first.
struct StateGuards(Vec<LevelGuards>);

struct LevelGuards {
    applicable: Option<Guard>,
    done: Option<Guard>,
    exits: Vec<BoundExit>,
    otherwise: Option<BoundExit>,
}

struct Guard {
    condition: Condition,
    operands: Vec<Any>,
}

/// A condition of the present state, or of a possible next state, with its present value.
#[derive(Clone, Debug, PartialEq)]
pub struct GuardNow {
    /// The decision that it is part of.
    pub role: GuardRole,
    /// Text of the condition in the file; empty if the state has none.
    pub text: Arc<str>,
    /// Whether it holds.
    pub holds: bool,
    /// Operands of its comparisons, with text and present value.
    pub operands: Vec<(Arc<str>, Value)>,
}

/// The decision that a condition is part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GuardRole {
    /// `while`: the state stays applicable.
    While,
    /// `until`: the state is done.
    Until,
    /// The state can be entered.
    To(Arc<str>),
    /// The state is entered if no exit is applicable.
    Else(Arc<str>),
}

impl Guards {
    /// Binds the conditions of a controller, whose machine was bound with the same names.
    pub(crate) fn new(spec: &ControllerSpec, source: &Source, machine: &Machine, names: &dyn Names) -> Self {
        let states = spec.states.values().enumerate().map(|(index, state)| {
            let scope = machine.scope(spec, names, Some(index));
            let guard = |field: &Option<ConditionField>| {
                let condition = field.as_ref()?.bind(source, &scope).ok()?;
                let of_file = source.namespace(field.as_ref()?.span().start);
                let operands = operands(condition.text(), of_file, &scope);
                Some(Guard { condition, operands })
            };
            let levels = spec.levels(state).zip(&machine.states[index].levels);
            let levels = levels.map(|(level, bound)| LevelGuards {
                applicable: guard(&level.applicable),
                done: guard(&level.done),
                exits: bound.exits.clone(),
                otherwise: bound.otherwise,
            });
            StateGuards(levels.collect())
        });
        Guards(states.collect())
    }

    /// The conditions that matter in the present state. Those of exits are evaluated with their bindings.
    pub(crate) fn now(&self, machine: &Machine, frame: &dyn Lookup) -> Vec<GuardNow> {
        let Some(here) = self.0.get(machine.state()) else { return Vec::new() };
        let lookup = machine.lookup(frame);
        let mut all: Vec<GuardNow> = Vec::new();
        for level in &here.0 {
            let own = [(GuardRole::While, &level.applicable), (GuardRole::Until, &level.done)];
            all.extend(own.into_iter().filter_map(|(role, guard)| Some(guard.as_ref()?.now(role, &lookup))));
            let exits = level.exits.iter().map(|exit| (exit, GuardRole::To as fn(Arc<str>) -> GuardRole));
            let exits = exits.chain(level.otherwise.iter().map(|other| (other, GuardRole::Else as _)));
            for (next, role) in exits {
                let role = role(machine.states[next.state].name.clone());
                // The innermost level that must be applicable.
                let named = next.named.checked_sub(1).filter(|named| *named >= next.kept);
                let condition = named.and_then(|level| self.0[next.state].0.get(level)?.applicable.as_ref());
                all.push(match condition.filter(|_| matches!(role, GuardRole::To(_))) {
                    Some(guard) => machine.as_if_entering(*next, frame, |lookup| guard.now(role, lookup)),
                    None => GuardNow { role, text: "".into(), holds: true, operands: Vec::new() },
                });
            }
        }
        all
    }
}

impl Guard {
    fn now(&self, role: GuardRole, lookup: &dyn Lookup) -> GuardNow {
        let value = |operand: &Any| (operand.text().clone(), operand.value(lookup));
        GuardNow {
            role,
            text: self.condition.text().clone(),
            holds: self.condition.value(lookup),
            operands: self.operands.iter().map(value).collect(),
        }
    }
}
