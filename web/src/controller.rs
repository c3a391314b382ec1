//! Description of the current controller, for the page.

use crate::session::PageSession;
use serde::Serialize;

/// A controller.
#[derive(Debug, Serialize)]
pub struct ControllerDescription {
    /// Name of its file.
    pub file: String,
    /// Its text, without the files that it includes.
    pub text: String,
    /// Its states and their possible successors, in the order of the file.
    pub states: Vec<StateDescription>,
    /// Names and values of its numeric parameters.
    pub parameters: Vec<(String, f64)>,
    /// Its commands.
    pub commands: Vec<CommandDescription>,
    /// Names of the costs, as frames list them.
    pub objectives: Vec<String>,
}

/// A state.
#[derive(Debug, Serialize)]
pub struct StateDescription {
    /// Its name.
    pub name: String,
    /// States that it can transition to.
    pub to: Vec<String>,
}

/// A command.
#[derive(Debug, Serialize)]
pub struct CommandDescription {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Default value, one or three numbers.
    pub default: Vec<f64>,
    /// Current value, one or three numbers.
    pub now: Vec<f64>,
    /// Lower and upper limit of each number; `None` for no limit.
    pub range: [Option<f64>; 2],
}

impl ControllerDescription {
    /// Describes the controller of the first character; `None` without a character.
    pub fn of(session: &PageSession) -> Option<Self> {
        let character = session.run.world.character(session.run.hero()?);
        let file = &character.controller;
        let states = file.spec.states.iter().map(|(name, state)| {
            let exits = state.to.iter().chain(&state.otherwise);
            StateDescription {
                name: name.get_ref().clone(),
                to: exits.map(|exit| exit.get_ref().clone()).collect(),
            }
        });
        let parameters = file.spec.parameters.iter();
        Some(ControllerDescription {
            file: file.source.name.rsplit('/').next().unwrap_or_default().into(),
            text: file.source.text.to_string(),
            states: states.collect(),
            parameters: parameters.map(|(name, value)| (name.get_ref().clone(), *value.get_ref())).collect(),
            commands: commands(session),
            objectives: character.objectives.clone(),
        })
    }
}

/// The commands of the controller, without those of included controllers that share a name with one of its own or are
/// set by it.
pub fn commands(session: &PageSession) -> Vec<CommandDescription> {
    let Some(hero) = session.run.hero() else { return Vec::new() };
    let all = session.run.world.character(hero).machine.commands.iter();
    let all: Vec<_> = all.filter(|command| !command.is_driven).collect();
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let is_own = |name: &str| !name.contains('.') || all.iter().all(|other| *other.name != last(name));
    let finite = |limit: f64| limit.is_finite().then_some(limit);
    let own = all.iter().filter(|command| is_own(&command.name));
    own.map(|command| CommandDescription {
        name: command.name.to_string(),
        unit: command.unit.to_string(),
        default: command.default.numbers().to_vec(),
        now: command.now.numbers().to_vec(),
        range: command.range.map(finite),
    })
    .collect()
}
