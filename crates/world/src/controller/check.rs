//! Errors in a controller that can be found without a body: states that do not exist, cannot be reached or cannot be
//! left.

use super::spec::{Composite, ControllerSpec, Drive, ObjectiveEntry, StateSpec};
use aplomb_body::model::Model;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source, Warning, keep_unless_allowed};
use aplomb_language::namespace::joined;

/// Findings about a controller file.
#[derive(Clone, Debug, Default)]
pub struct ControllerFindings {
    /// Errors that make the file unusable.
    pub errors: Vec<FileError>,
    /// Warnings about contents that are valid but probably unintended.
    pub warnings: Vec<Warning>,
}

/// Checks the graph of states, and names and numbers that need no body.
pub fn check(spec: &ControllerSpec, source: &Source) -> ControllerFindings {
    let mut check = ControllerCheck { spec, source, found: ControllerFindings::default() };
    for command in spec.commands.values().chain(spec.driven.values()) {
        command.mistakes(source, &mut check.found.errors);
    }
    for (name, value) in &spec.parameters {
        if !value.get_ref().is_finite() {
            check.error(value, format!("parameter `{name}` must be finite"));
        }
    }
    check.objectives(&spec.objectives, &[], "in every state");
    for (index, kept) in spec.collision_avoidance.iter().enumerate() {
        if spec.collision_avoidance[..index].iter().any(|other| other.name == kept.name) {
            check.error(&kept.name, format!("a second `collision_avoidance` named `{}`", kept.name));
        }
    }
    if spec.states.is_empty() {
        let error = FileError::new(source, spec.start.span(), "a controller needs at least one state")
            .help(format!("add a table `[states.{}]`", spec.start));
        check.found.errors.push(error);
        return check.found;
    }
    if let Some(name) = spec.states.keys().nth(MOST_STATES) {
        check.error(name, format!("a controller has at most {MOST_STATES} states"));
        return check.found;
    }
    let own = spec.states.values().map(|state| &state.objectives);
    for objectives in std::iter::once(&spec.objectives).chain(own) {
        if let Some(entry) = objectives.get(MOST_OBJECTIVES) {
            check.error(&entry.name, format!("a state has at most {MOST_OBJECTIVES} objectives"));
            return check.found;
        }
    }
    check.state_exists(&spec.start);
    for (name, state) in &spec.states {
        check.state(name, state);
        check.objectives(&state.objectives, &spec.objectives, "in this state");
        check.drive(state);
    }
    for composite in spec.composites.values() {
        check.state_exists(&composite.start);
        check.state(&composite.name, &composite.state);
    }
    if check.found.errors.is_empty() {
        check.reachability();
    }
    keep_unless_allowed(&mut check.found.warnings, source, &spec.allow);
    check.found
}

/// Whether a controller with errors is too large for the rest of it to be checked.
pub(super) fn is_too_large(spec: &ControllerSpec) -> bool {
    let own = spec.states.values().map(|state| &state.objectives);
    let mut all = std::iter::once(&spec.objectives).chain(own);
    spec.states.len() > MOST_STATES || all.any(|objectives| objectives.len() > MOST_OBJECTIVES)
}

/// Warnings about contents that are valid but probably unintended, with this body.
pub fn warnings_with(spec: &ControllerSpec, source: &Source, model: &Model) -> Vec<Warning> {
    let own = spec.states.values().flat_map(|state| &state.objectives);
    let all = spec.objectives.iter().chain(own);
    let of_objectives = all.flat_map(|entry| entry.of.get_ref().warnings(source, model));
    let apart = spec.collision_avoidance.iter().filter_map(|kept| kept.warning(model, source));
    let mut warnings = of_objectives.chain(apart).collect();
    keep_unless_allowed(&mut warnings, source, &spec.allow);
    warnings
}

/// Largest number of states of a controller: each is compared with others, and no written file has more.
const MOST_STATES: usize = 1000;
/// Largest number of objectives, of a state and in total.
const MOST_OBJECTIVES: usize = 1000;

struct ControllerCheck<'a> {
    spec: &'a ControllerSpec,
    source: &'a Source,
    found: ControllerFindings,
}

impl ControllerCheck<'_> {
    fn error<T>(&mut self, at: &Spanned<T>, message: impl Into<String>) {
        self.found.errors.push(FileError::new(self.source, at.span(), message));
    }

    fn warn<T>(
        &mut self,
        rule: &'static str,
        at: &Spanned<T>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let error = FileError::new(self.source, at.span(), message).help(help).rule(rule);
        self.found.warnings.push(Warning(error));
    }

    fn state_exists(&mut self, name: &Spanned<String>) {
        if self.spec.entry(name.get_ref()).is_none() && !self.spec.composites.contains_key(name.get_ref()) {
            let error = self.of_another_kind(name).unwrap_or_else(|| {
                FileError::new(self.source, name.span(), format!("unknown state `{name}`"))
                    .suggest(name.get_ref(), self.spec.state_names())
            });
            self.found.errors.push(error);
        }
    }

    /// The actual meaning of a name that is used as a state: an include, a definition, a parameter or a
    /// command.
    fn of_another_kind(&self, name: &Spanned<String>) -> Option<FileError> {
        // The name as it is written in its own file.
        let text = self.source.slice(name.span()).trim_matches(['"', '\'']);
        let prefix = self.source.namespace(name.span().start).map_or("", |file| file.prefix.as_str());
        let whole = joined(prefix, text);
        let kind = self.spec.kind_beside_states(&whole)?;
        let error = FileError::new(self.source, name.span(), format!("`{text}` is {kind}, not a state"));
        Some(match self.spec.help_with_state(&whole) {
            Some(help) => error.help(help),
            None => error.suggest(name.get_ref(), self.spec.state_names()),
        })
    }

    fn state(&mut self, name: &Spanned<String>, state: &StateSpec) {
        for exit in state.to.iter().chain(&state.otherwise) {
            self.state_exists(exit);
        }
        let ends = state.applicable.is_some() || state.done.is_some();
        if let Some(debounce) = &state.debounce {
            let seconds = *debounce.get_ref();
            if !(seconds.is_finite() && seconds >= 0.0) {
                self.error(debounce, format!("debounce must be 0 s or more, not {seconds}"));
            } else if !ends {
                let message = "`debounce` has no effect";
                self.warn(
                    "idle-debounce",
                    debounce,
                    message,
                    "it delays leaving the state: add a `while` or an `until`",
                );
            }
        }
        self.rates(state);
        let exits = !state.to.is_empty() || state.otherwise.is_some();
        if ends && !exits {
            let message = format!("state `{name}` ends but has no exit");
            self.warn(
                "state-without-exit",
                name,
                message,
                "add `to = [\"…\"]` or `else = \"…\"`; without, the state is kept",
            );
        } else if exits && !ends {
            let message = format!("state `{name}` has exits but never ends");
            self.warn("exits-without-end", name, message, "add `while` or `until`");
        }
        self.shadowed_exit(name, state);
    }

    /// Rejects a blend time and rates of loads that are out of range.
    fn rates(&mut self, state: &StateSpec) {
        if let Some(blend) = &state.blend_in
            && !(blend.get_ref().is_finite() && *blend.get_ref() >= 0.0)
        {
            self.error(blend, format!("blend_in must be 0 s or more, not {blend}"));
        }
        if let Some(rate) = &state.release_rate
            && (rate.get_ref().is_nan() || *rate.get_ref() <= 0.0)
        {
            self.error(rate, format!("release_rate must be more than 0 m g/s, not {rate}"));
        }
        if let Some(rate) = &state.load_rate
            && (rate.get_ref().is_nan() || *rate.get_ref() < 0.0)
        {
            self.error(rate, format!("load_rate must be 0 m g/s or more, not {rate}"));
        }
    }

    /// Warns of an exit after one that is always applicable.
    fn shadowed_exit(&mut self, name: &Spanned<String>, state: &StateSpec) {
        let always = |exit: &Spanned<String>| {
            let asked = self.spec.entry(exit.get_ref()).map(|entry| self.spec.asked(state, entry));
            asked.is_some_and(|mut asked| asked.all(|level| level.applicable.is_none()))
        };
        if let Some(first) = state.to.iter().position(always)
            && let Some(later) = state.to.get(first + 1).or(state.otherwise.as_ref())
        {
            let message = format!("`{later}` is never entered from `{name}`");
            let help = format!("`{}` before it has no `while` and is always applicable", state.to[first]);
            self.warn("shadowed-exit", later, message, help);
        }
    }

    fn drive(&mut self, state: &StateSpec) {
        if let Some(damping) = &state.damping {
            let value = *damping.get_ref();
            if !(value.is_finite() && value >= 0.0) {
                self.error(damping, format!("damping must be 0 or more, not {value}"));
            } else if state.drive != Drive::Ragdoll {
                self.error(damping, "`damping` needs `drive = \"ragdoll\"`");
            }
        }
        if let Some(springs) = &state.springs {
            let value = *springs.stiffness.get_ref();
            if !(value.is_finite() && value > 0.0) {
                self.error(&springs.stiffness, format!("stiffness must be above 0, not {value}"));
            } else if state.drive != Drive::Ragdoll {
                self.error(&springs.stiffness, "`springs` need `drive = \"ragdoll\"`");
            }
        }
        if let (Drive::Ragdoll, Some(objective)) = (state.drive, state.objectives.first()) {
            let message = "an objective of a ragdoll";
            self.warn(
                "objective-of-ragdoll",
                &objective.name,
                message,
                "with `drive = \"ragdoll\"` nothing but `springs` moves the joints; leave it out",
            );
        }
    }

    fn objectives(&mut self, objectives: &[ObjectiveEntry], common: &[ObjectiveEntry], where_: &str) {
        for (index, entry) in objectives.iter().enumerate() {
            if entry.name.get_ref().trim().is_empty() {
                self.error(&entry.name, "an objective needs a name");
            }
            let is_same = |other: &&ObjectiveEntry| other.name == entry.name;
            if let Some(first) = objectives[..index].iter().find(is_same) {
                let (line, _) = self.source.line_column(first.name.span().start);
                let message = format!("a second objective named `{}` {where_}", entry.name);
                let error = FileError::new(self.source, entry.name.span(), message);
                self.found.errors.push(error.help(format!("the first one is in line {line}")));
            } else if common.iter().find(is_same).is_some() {
                let message = format!("an objective named `{}` already holds in every state", entry.name);
                self.error(&entry.name, message);
            }
        }
    }

    /// Warns of states that no chain of exits leads to.
    fn reachability(&mut self) {
        let states = &self.spec.states;
        let mut reached = vec![false; states.len()];
        let entered = |exit: &Spanned<String>| self.spec.entry(exit.get_ref()).map(|entry| entry.state);
        let mut waiting: Vec<usize> = entered(&self.spec.start).into_iter().collect();
        while let Some(index) = waiting.pop() {
            if !std::mem::replace(&mut reached[index], true) {
                let levels = self.spec.levels(&states[index]);
                let exits = levels.flat_map(|level| level.to.iter().chain(&level.otherwise));
                waiting.extend(exits.filter_map(entered));
            }
        }
        // Not every state of an included machine must be used.
        let is_entered = |composite: &&Composite| {
            let path = composite.name.get_ref();
            states.values().zip(&reached).any(|(state, reached)| *reached && state.within.contains(path))
        };
        let whole: Vec<&Spanned<String>> = self
            .spec
            .composites
            .values()
            .filter(|composite| composite.depth == 0 && !is_entered(composite))
            .map(|composite| &composite.name)
            .collect();
        let own =
            states.iter().zip(&reached).filter(|((_, state), reached)| !**reached && state.within.is_empty());
        let own: Vec<&Spanned<String>> = own.map(|((name, _), _)| name).collect();
        for name in own.into_iter().chain(whole) {
            let message = format!("state `{name}` cannot be reached");
            self.warn(
                "unreachable-state",
                name,
                message,
                format!("no exits lead to it from `{}`", self.spec.start),
            );
        }
    }
}
