//! The current state of the controller.

use crate::controller::{self, CommandDescription};
use crate::session::PageSession;
use aplomb::controller::{GuardNow, GuardRole};
use aplomb::language::expression::Value;
use serde::Serialize;

/// State, conditions and bindings of the first character's controller.
#[derive(Debug, Default, Serialize)]
pub struct PageMind {
    /// Name of the state.
    pub state: String,
    /// Time since it was entered, s.
    pub state_time: f64,
    /// Conditions of the state.
    pub guards: Vec<PageGuard>,
    /// Bindings and their values.
    pub roles: Vec<(String, String)>,
    /// Commands.
    pub commands: Vec<CommandDescription>,
}

/// A condition.
#[derive(Debug, Serialize)]
pub struct PageGuard {
    /// `while`, `until`, `to` or `else`.
    pub role: &'static str,
    /// State that it leads to; empty for `while` and `until`.
    pub to: String,
    /// Text of the condition; empty if there is none.
    pub text: String,
    /// Whether it holds.
    pub holds: bool,
    /// Operands of its comparisons, with their values.
    pub operands: Vec<(String, String)>,
}

impl PageMind {
    /// The controller state of the first character; empty without a character.
    pub fn of(session: &mut PageSession) -> Self {
        let Some(hero) = session.run.hero() else { return PageMind::default() };
        let mind = session.run.world.mind(hero, &mut session.watch);
        let time = session.run.world.time();
        let frame = session.frame();
        PageMind {
            state_time: session.run.world.character(hero).machine.time_in_state(time),
            state: mind.state,
            guards: mind.guards.into_iter().map(guard).collect(),
            roles: frame.roles.clone(),
            commands: controller::commands(session),
        }
    }
}

fn guard(GuardNow { role, text, holds, operands }: GuardNow) -> PageGuard {
    let (role, to) = match role {
        GuardRole::While => ("while", String::new()),
        GuardRole::Until => ("until", String::new()),
        GuardRole::To(state) => ("to", state.to_string()),
        GuardRole::Else(state) => ("else", state.to_string()),
    };
    let operands = operands.iter().filter_map(|(text, value)| Some((text.to_string(), written(value)?)));
    PageGuard { role, to, text: text.to_string(), holds, operands: operands.collect() }
}

fn written(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => Some(format!("{number:.3}")),
        Value::Boolean(holds) => Some((if *holds { "yes" } else { "no" }).to_owned()),
        Value::Vector(vector) => Some(format!("[{:.3}, {:.3}, {:.3}]", vector.x, vector.y, vector.z)),
        _ => None,
    }
}
