//! Commands: inputs of a running controller. A command is not a number of the file: it has a value in every
//! frame, which expressions read by its name, and which events, programs and keys set.

use super::parameters::Parameter;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{Type, Value};
use indexmap::IndexMap;
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// An input of a controller.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CommandSpec {
    /// Value until it is set: a number, or `[x, y, z]`.
    pub default: Spanned<Parameter>,
    /// Minimum and maximum value, for each component of a vector. Values outside are clamped.
    pub range: Option<Spanned<[f64; 2]>>,
    /// Unit, shown to readers.
    #[serde(default)]
    pub unit: String,
    /// A sentence for readers.
    pub doc: Option<String>,
}

/// The value of a command.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum CommandValue {
    /// A number.
    Number(f64),
    /// A vector of three numbers.
    Vector([f64; 3]),
}

impl From<f64> for CommandValue {
    fn from(number: f64) -> Self {
        CommandValue::Number(number)
    }
}

impl From<[f64; 3]> for CommandValue {
    fn from(vector: [f64; 3]) -> Self {
        CommandValue::Vector(vector)
    }
}

impl From<Parameter> for CommandValue {
    fn from(value: Parameter) -> Self {
        match value {
            Parameter::Number(number) => CommandValue::Number(number),
            Parameter::Vector(vector) => CommandValue::Vector(vector),
        }
    }
}

impl CommandValue {
    /// Its numbers, in order.
    pub fn numbers(&self) -> &[f64] {
        match self {
            CommandValue::Number(number) => std::slice::from_ref(number),
            CommandValue::Vector(vector) => vector,
        }
    }

    /// Whether both are numbers, or both vectors.
    fn is_like(&self, other: &CommandValue) -> bool {
        self.numbers().len() == other.numbers().len()
    }

    /// Its numbers, clamped to the range.
    fn within(self, [low, high]: [f64; 2]) -> CommandValue {
        match self {
            CommandValue::Number(number) => number.clamp(low, high).into(),
            CommandValue::Vector(vector) => vector.map(|number| number.clamp(low, high)).into(),
        }
    }

    /// How far its numbers are beyond the range, at most; 0 within it.
    fn beyond(&self, [low, high]: [f64; 2]) -> f64 {
        self.numbers().iter().map(|number| (low - number).max(number - high)).fold(0.0, f64::max)
    }

    fn value(self) -> Value {
        match self {
            CommandValue::Number(number) => Value::Number(number),
            CommandValue::Vector(vector) => Value::Vector(Vector3::from(vector)),
        }
    }
}

/// Why a command is rejected.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CommandError {
    /// The controller has no command of this name.
    #[error("the controller has no command `{name}`{}", list(.known))]
    Unknown {
        /// The name.
        name: String,
        /// Names that exist.
        known: Vec<String>,
    },
    /// A number for a vector, or a vector for a number.
    #[error("the command `{name}` is {wants}{}", of_include(.include))]
    Kind {
        /// The name that was given.
        name: String,
        /// The type that the command has.
        wants: &'static str,
        /// Names of the includes that lead to it from there, joined by dots; empty for none.
        include: String,
    },
    /// A command that the controller itself sets for a machine in it.
    #[error("the command `{name}` is set by the controller that includes its file")]
    Driven {
        /// The name that was given.
        name: String,
    },
    /// A value that is infinite or NaN.
    #[error("the command `{name}` must be finite")]
    NotFinite {
        /// The name.
        name: String,
    },
}

fn of_include(include: &str) -> String {
    if include.is_empty() { String::new() } else { format!(", in `{include}`") }
}

fn list(names: &[String]) -> String {
    match names {
        [] => "; it has none".into(),
        names => format!("; it has `{}`", names.join("`, `")),
    }
}

/// A command of a running controller.
#[derive(Clone, Debug)]
pub struct CommandState {
    /// Name in the file; for one of an included controller, with the name of the include and a dot in front.
    pub name: Arc<str>,
    /// Unit, for display.
    pub unit: Arc<str>,
    /// Value until it is set.
    pub default: CommandValue,
    /// Present value.
    pub now: CommandValue,
    /// Smallest and largest value of each of its numbers.
    pub range: [f64; 2],
    /// Whether the controller that includes its file sets it in each frame; nothing else can set it then.
    pub is_driven: bool,
    /// The value beyond its range that it was set to; `None` if it was always set within its range.
    pub clamped: Option<ClampedValue>,
}

/// A value beyond the range of its command, which was clamped to the nearest end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClampedValue {
    /// The value that was farthest beyond the range.
    pub value: CommandValue,
    /// Time at which the command was first set beyond its range, s.
    pub since: f64,
}

impl fmt::Display for CommandValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandValue::Number(number) => write!(f, "{number}"),
            CommandValue::Vector([x, y, z]) => write!(f, "[{x}, {y}, {z}]"),
        }
    }
}

/// A number of a command, as traces list it.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandNumber {
    /// Name of the command; of a vector with `.x`, `.y` or `.z`.
    pub name: String,
    /// Unit, for display.
    pub unit: Arc<str>,
    command: Arc<str>,
    number: usize,
}

/// Whether a command of this name passes its value on to one of the name `inner`, in a controller that its own
/// includes.
pub(super) fn is_around(outer: &str, inner: &str) -> bool {
    let (around, name) = outer.rsplit_once('.').unwrap_or(("", outer));
    let before = inner.strip_suffix(name).filter(|before| before.ends_with('.'));
    let rest = before.and_then(|before| before.strip_prefix(around));
    outer.len() < inner.len() && rest.is_some_and(|rest| around.is_empty() || rest.starts_with('.'))
}

/// The commands that pass their values on to `inner`, the outermost first, among those for which `is_meant` holds.
fn around<'c>(
    commands: &'c [CommandState],
    inner: &CommandState,
    is_meant: impl Fn(&CommandState) -> bool,
) -> Vec<&'c CommandState> {
    let is_outer = |outer: &&CommandState| {
        is_meant(outer) && is_around(&outer.name, &inner.name) && outer.default.is_like(&inner.default)
    };
    let mut around: Vec<&CommandState> = commands.iter().filter(is_outer).collect();
    around.sort_by_key(|outer| outer.name.len());
    around
}

/// Whether a command is one of those that are set under a name.
fn is_named(command: &CommandState, name: &str) -> bool {
    command.name.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// A value clamped to the ranges of the commands that pass it on.
fn handed_on(value: CommandValue, around: &[&CommandState]) -> CommandValue {
    around.iter().fold(value, |value, outer| value.within(outer.range))
}

/// The last value that was set for commands of a name.
#[derive(Clone, Debug)]
struct SetValue {
    name: Box<str>,
    value: CommandValue,
    /// Time of the run, s.
    time: f64,
    /// Whether it was set before the run began, as a scene's `commands` are.
    is_first: bool,
}

/// The commands of a running controller, in the order of its file.
#[derive(Clone, Debug, Default)]
pub struct Commands {
    all: Vec<CommandState>,
    /// The last value under each name, the latest last.
    set: Vec<SetValue>,
}

impl Commands {
    /// The commands of the file, then the driven ones of included files.
    pub(super) fn new(
        specs: &IndexMap<Spanned<String>, CommandSpec>,
        driven: &IndexMap<String, CommandSpec>,
    ) -> Self {
        let command = |name: &str, spec: &CommandSpec, is_driven: bool| {
            let default = (*spec.default.get_ref()).into();
            CommandState {
                name: name.into(),
                unit: spec.unit.as_str().into(),
                default,
                now: default,
                range: spec
                    .range
                    .as_ref()
                    .map_or([f64::NEG_INFINITY, f64::INFINITY], |range| *range.get_ref()),
                is_driven,
                clamped: None,
            }
        };
        let set = specs.iter().map(|(name, spec)| command(name.get_ref(), spec, false));
        let mut commands: Vec<CommandState> =
            set.chain(driven.iter().map(|(name, spec)| command(name, spec, true))).collect();
        // Until a command is set it has the default of the outermost controller that declares it.
        let outermost = |inner: &CommandState| {
            let around = around(&commands, inner, |_| true);
            let default = around.first()?.default;
            Some((default, handed_on(default, &around).within(inner.range)))
        };
        let defaults: Vec<Option<(CommandValue, CommandValue)>> = commands.iter().map(outermost).collect();
        for (command, default) in commands.iter_mut().zip(defaults) {
            if let Some((default, now)) = default {
                (command.default, command.now) = (default, now);
            }
        }
        Commands { all: commands, set: Vec::new() }
    }

    /// All commands.
    pub fn iter(&self) -> impl Iterator<Item = &CommandState> {
        self.all.iter()
    }

    /// The name by which a command was set last: its own, or one that sets those of included controllers as well.
    pub(crate) fn set_as(&self, command: &CommandState) -> String {
        let mut names = self.set.iter().rev().map(|set| &*set.name);
        names.find(|name| is_named(command, name)).unwrap_or(&command.name).to_owned()
    }

    /// Adds the numbers of all commands to a list that may have those of other controllers, each only once.
    pub(crate) fn list(&self, listed: &mut Vec<CommandNumber>) {
        for command in &self.all {
            let axes: &[&str] = match command.default {
                CommandValue::Number(_) => &[""],
                CommandValue::Vector(_) => &[".x", ".y", ".z"],
            };
            for (number, axis) in axes.iter().enumerate() {
                let name = format!("{}{axis}", command.name);
                if listed.iter().all(|known| known.name != name) {
                    let (unit, command) = (command.unit.clone(), command.name.clone());
                    listed.push(CommandNumber { name, unit, command, number });
                }
            }
        }
    }

    /// Present value of a listed number; `None` if the controller has no such command.
    pub fn number(&self, listed: &CommandNumber) -> Option<f64> {
        let command = self.all.iter().find(|command| command.name == listed.command)?;
        let number = command.now.numbers().get(listed.number).copied();
        number.filter(|number| number.is_finite())
    }

    /// Sets a command of an included machine.
    pub(super) fn note(&mut self, index: usize, value: Value) {
        let Some(command) = self.all.get_mut(index) else { return };
        match value {
            Value::Number(number) => command.now = number.into(),
            Value::Vector(vector) => command.now = <[f64; 3]>::from(vector).into(),
            _ => {}
        }
    }

    pub(super) fn value(&self, index: usize) -> Value {
        self.all.get(index).map_or(Value::Number(f64::NAN), |command| command.now.value())
    }

    /// Sets a command before the run begins. A name without a dot also sets the commands of that name in all
    /// included controllers, so that the caller need not know which of them walks.
    ///
    /// # Errors
    /// No command of this name, a number for a vector, and values that are not finite; then nothing is set.
    pub fn set(&mut self, name: &str, value: CommandValue) -> Result<(), CommandError> {
        self.set_at(name, value, 0.0)?;
        if let Some(set) = self.set.last_mut() {
            set.is_first = true;
        }
        Ok(())
    }

    /// Sets a command from its next evaluation on, as [`set`](Commands::set) does, at a time of the run, s.
    ///
    /// # Errors
    /// As [`set`](Commands::set).
    pub fn set_at(&mut self, name: &str, value: CommandValue, time: f64) -> Result<(), CommandError> {
        let is_meant = |command: &CommandState| !command.is_driven && is_named(command, name);
        if !value.numbers().iter().all(|number| number.is_finite()) {
            return Err(CommandError::NotFinite { name: name.into() });
        }
        if !self.all.iter().any(is_meant) {
            if self.all.iter().any(|command| is_named(command, name)) {
                return Err(CommandError::Driven { name: name.into() });
            }
            let known = self.all.iter().filter(|command| !command.is_driven);
            let known = known.map(|command| command.name.to_string()).collect();
            return Err(CommandError::Unknown { name: name.into(), known });
        }
        let meant = || self.all.iter().filter(|command| is_meant(command));
        if let Some(other) = meant().find(|command| !command.default.is_like(&value)) {
            let wants = match other.default {
                CommandValue::Number(_) => "a number",
                CommandValue::Vector(_) => "a vector, `[x, y, z]`",
            };
            let include = other.name.strip_suffix(name).unwrap_or_default().trim_end_matches('.').to_owned();
            return Err(CommandError::Kind { name: name.into(), wants, include });
        }
        // Commands inside get the value that results from the outer command.
        let given =
            |command| is_meant(command).then(|| handed_on(value, &around(&self.all, command, is_meant)));
        let given: Vec<Option<CommandValue>> = self.all.iter().map(given).collect();
        for (command, value) in self.all.iter_mut().zip(given) {
            let Some(value) = value else { continue };
            command.now = value.within(command.range);
            let beyond = value.beyond(command.range);
            if beyond > command.clamped.map_or(0.0, |clamped| clamped.value.beyond(command.range)) {
                let since = command.clamped.map_or(time, |clamped| clamped.since);
                command.clamped = Some(ClampedValue { value, since });
            }
        }
        self.keep(name, value, time);
        Ok(())
    }

    /// Stores a value that was set, for a controller that replaces this one.
    fn keep(&mut self, name: &str, value: CommandValue, time: f64) {
        let known = self.set.iter().position(|set| *set.name == *name);
        let set = match known {
            Some(place) => SetValue { value, time, is_first: false, ..self.set.remove(place) },
            None => SetValue { name: name.into(), value, time, is_first: false },
        };
        self.set.push(set);
    }

    /// Adopts the values that were set for the commands of another controller, in the same order: the result is as if
    /// they had been set in this one. Values without a command here are dropped, and so are those that the other
    /// began with if this one begins with values of its own.
    pub(super) fn take_over(&mut self, old: &Commands) {
        for command in &mut self.all {
            let is_like =
                |other: &&CommandState| other.name == command.name && other.default.is_like(&command.default);
            command.clamped = old.all.iter().find(is_like).and_then(|old| old.clamped);
        }
        let begins_itself = self.set.iter().any(|set| set.is_first);
        for SetValue { name, value, time, is_first } in &old.set {
            // A name that is no longer a command, or is one of another type, is ignored.
            let _ = match is_first {
                true if begins_itself => Ok(()),
                true => self.set(name, *value),
                false => self.set_at(name, *value, *time),
            };
        }
    }
}

impl CommandSpec {
    /// Type of its value.
    pub(super) fn kind(&self) -> Type {
        match self.default.get_ref() {
            Parameter::Number(_) => Type::Number,
            Parameter::Vector(_) => Type::Vector,
        }
    }

    /// Errors in the command.
    pub(super) fn mistakes(&self, source: &Source, errors: &mut Vec<FileError>) {
        let default: CommandValue = (*self.default.get_ref()).into();
        if !default.numbers().iter().all(|number| number.is_finite()) {
            errors.push(FileError::new(
                source,
                self.default.span(),
                "the default of a command must be finite",
            ));
        }
        let Some(range) = &self.range else { return };
        let [low, high] = *range.get_ref();
        if !(low.is_finite() && high.is_finite() && low < high) {
            let message = "a range is two finite numbers, the least first";
            errors.push(FileError::new(source, range.span(), message));
        } else if default.numbers().iter().any(|number| !(low..=high).contains(number)) {
            let message = format!("the default is outside of the range, {low} to {high}");
            errors.push(FileError::new(source, self.default.span(), message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(all: Vec<CommandState>) -> Commands {
        Commands { all, set: Vec::new() }
    }

    fn commands() -> Commands {
        let command = |name: &str, default: CommandValue| CommandState {
            name: name.into(),
            unit: "".into(),
            default,
            now: default,
            range: [-1.0, 2.0],
            is_driven: false,
            clamped: None,
        };
        let walk = command("walk.velocity", CommandValue::Vector([0.0; 3]));
        of(vec![walk, command("turn", CommandValue::Number(0.0))])
    }

    #[test]
    fn a_command_is_kept_within_its_range_and_known_by_its_last_name() {
        let mut all = commands();
        all.set("velocity", [3.0, -3.0, 0.5].into()).unwrap();
        all.set("turn", 0.25.into()).unwrap();
        let now: Vec<CommandValue> = all.iter().map(|command| command.now).collect();
        assert_eq!(now, [CommandValue::Vector([2.0, -1.0, 0.5]), CommandValue::Number(0.25)]);
    }

    #[test]
    fn what_was_set_beyond_a_range_is_kept_with_its_first_time() {
        let mut all = commands();
        all.set("turn", 2.0.into()).unwrap();
        assert!(all.iter().all(|command| command.clamped.is_none()), "an end of the range is within it");
        for (time, value) in [(0.5, 2.5), (1.0, -3.0), (1.5, 2.1), (2.0, 0.0)] {
            all.set_at("turn", value.into(), time).unwrap();
        }
        let clamped: Vec<Option<ClampedValue>> = all.iter().map(|command| command.clamped).collect();
        assert_eq!(clamped, [None, Some(ClampedValue { value: (-3.0).into(), since: 0.5 })]);
        let mut next = commands();
        next.take_over(&all);
        assert_eq!(next.iter().map(|command| command.clamped).collect::<Vec<_>>(), clamped);
    }

    #[test]
    fn a_command_inside_of_another_gets_what_the_range_of_that_one_leaves() {
        let command =
            |name: &str, range| CommandState { name: name.into(), range, ..commands().all[1].clone() };
        // The outermost is last, like the commands that a file sets for an included one.
        let mut all = of(vec![
            command("walk.legs.turn", [-0.5, 1.5]),
            command("walk.turn", [-3.0, 1.2]),
            command("turn", [-2.0, 4.0]),
        ]);
        let now = |all: &Commands| all.iter().map(|command| command.now).collect::<Vec<_>>();
        all.set_at("turn", 5.0.into(), 0.5).unwrap();
        assert_eq!(now(&all), [1.2, 1.2, 4.0].map(CommandValue::Number));
        let clamped = all.iter().map(|command| command.clamped.map(|clamped| clamped.value));
        assert_eq!(clamped.collect::<Vec<_>>(), [None, Some(4.0.into()), Some(5.0.into())]);
        all.set("turn", (-9.0).into()).unwrap();
        assert_eq!(now(&all), [-0.5, -2.0, -2.0].map(CommandValue::Number));
        // Under the name of the inner command alone, nothing is reported about the outer ranges.
        all.set("walk.legs.turn", 1.4.into()).unwrap();
        assert_eq!(now(&all), [1.4, -2.0, -2.0].map(CommandValue::Number));
    }

    #[test]
    fn what_acts_after_a_reload_is_what_acts_after_a_fresh_start() {
        let command =
            |name: &str, range| CommandState { name: name.into(), range, ..commands().all[1].clone() };
        let with_outer = |range| of(vec![command("walk.turn", [-3.0, 3.0]), command("turn", range)]);
        let now = |all: &Commands| all.iter().map(|command| command.now).collect::<Vec<_>>();
        let set = |all: &mut Commands| {
            all.set_at("turn", 5.0.into(), 0.5).unwrap();
        };
        let mut old = with_outer([-2.0, 2.5]);
        set(&mut old);
        for range in [[-1.0, 1.0], [-2.0, 2.5], [-4.0, 4.0]] {
            let (mut reloaded, mut fresh) = (with_outer(range), with_outer(range));
            reloaded.take_over(&old);
            set(&mut fresh);
            assert_eq!(now(&reloaded), now(&fresh), "{range:?}");
        }
        // A value that was set by the name of the inner command alone is not clamped by the range of the
        // outer one.
        old.set_at("walk.turn", 2.0.into(), 1.0).unwrap();
        let mut reloaded = with_outer([-1.0, 1.0]);
        reloaded.take_over(&old);
        assert_eq!(now(&reloaded), [2.0, 1.0].map(CommandValue::Number));
        // Values persist over several reloads, and a command that was never set has the default of the new
        // file.
        let mut again = with_outer([-2.0, 1.5]);
        again.take_over(&reloaded);
        assert_eq!(now(&again), [2.0, 1.5].map(CommandValue::Number));
        let mut other = commands();
        other.all[0].default = [1.0; 3].into();
        other.all[0].now = [1.0; 3].into();
        other.take_over(&again);
        assert_eq!(now(&other), [CommandValue::Vector([1.0; 3]), CommandValue::Number(2.0)]);
    }

    #[test]
    fn a_new_first_value_takes_the_place_of_the_old_one_and_not_of_one_set_since() {
        let turn = |all: &Commands| all.all[1].now;
        let mut old = commands();
        old.set("turn", 0.5.into()).unwrap();
        let mut next = commands();
        next.take_over(&old);
        assert_eq!(turn(&next), CommandValue::Number(0.5), "it begins with none of its own");
        let begun = || {
            let mut next = commands();
            next.set("turn", 1.0.into()).unwrap();
            next
        };
        let mut next = begun();
        next.take_over(&old);
        assert_eq!(turn(&next), CommandValue::Number(1.0));
        old.set_at("turn", 0.25.into(), 2.0).unwrap();
        let mut next = begun();
        next.take_over(&old);
        assert_eq!(turn(&next), CommandValue::Number(0.25));
    }

    #[test]
    fn what_cannot_be_a_command_changes_nothing() {
        let mut all = commands();
        let said = |error: CommandError| error.to_string();
        assert!(said(all.set("trun", 1.0.into()).unwrap_err()).contains("it has `walk.velocity`, `turn`"));
        assert!(said(all.set("turn", [1.0; 3].into()).unwrap_err()).contains("is a number"));
        assert!(said(all.set("velocity", 1.0.into()).unwrap_err()).contains("is a vector"));
        assert!(said(all.set("turn", f64::NAN.into()).unwrap_err()).contains("finite"));
        assert!(all.iter().all(|command| command.now == command.default));
        // A name that is a vector in one controller and a number in another: neither is set.
        let mut mixed = commands();
        let other = CommandState { name: "go.turn".into(), default: [0.0; 3].into(), ..mixed.all[0].clone() };
        mixed.all.push(other);
        assert!(
            said(mixed.set("turn", 0.5.into()).unwrap_err())
                .contains("`turn` is a vector, `[x, y, z]`, in `go`")
        );
        assert!(
            mixed
                .iter()
                .all(|command| command.now == CommandValue::Number(0.0) || command.now == [0.0; 3].into())
        );
    }
}
