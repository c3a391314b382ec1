//! `--set PATH=VALUE`: one value of a scene or its controller, replaced from the command line.

use super::document::Format;
use super::toml_error::translate;
use crate::diagnostic::{FileError, Source, nearest};
use std::borrow::Cow;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// File of an override.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OverrideTarget {
    /// The scene file.
    Scene,
    /// `controller.PATH=VALUE`, or without `controller.` where only controllers have the first key: the controller of
    /// the only character.
    Controller,
    /// `characters.NAME.controller.PATH=VALUE`: the controller of the character of this name.
    ControllerOf(String),
}

impl OverrideTarget {
    /// Whether the value belongs to a controller.
    pub fn is_controller(&self) -> bool {
        *self != OverrideTarget::Scene
    }
}

/// First keys that only controllers have: `controller.` in front of them may be left out.
const OF_CONTROLLERS: [&str; 3] = ["parameters", "states", "objectives"];

/// One `PATH=VALUE`. The path consists of keys joined by dots, quoted if they contain spaces or dots; elements of an
/// array are found by their `name` or their index from 0. The value is TOML; a bare word is a string.
#[derive(Clone, Debug)]
pub struct Override {
    /// The argument as the command line gives it.
    pub argument: String,
    /// File to which the value is written.
    pub target: OverrideTarget,
    /// Keys with their spans in `argument`.
    pub(super) path: Vec<(String, Range<usize>)>,
    value: Range<usize>,
}

impl Override {
    /// Parses `PATH=VALUE` of the command line.
    ///
    /// # Errors
    ///
    /// If the argument is not `PATH=VALUE`, or the value is not TOML.
    pub fn parse(argument: &str) -> Result<Self, FileError> {
        let source = Source::new("--set", argument);
        let whole = || 0..argument.len();
        let Some(equals) = equals_sign(argument) else {
            if let Some(open) = argument.find('"').filter(|_| argument.contains('=')) {
                let key = open..argument.len();
                return Err(FileError::new(&source, key, "the quote of this key is not closed"));
            }
            let message = "expected `PATH=VALUE`";
            return Err(FileError::new(&source, whole(), message)
                .help("for example `--set events.push.impulse='[0, 24, 0]'`"));
        };
        let value = equals + 1..argument.len();
        let text = &argument[value.clone()];
        if text.trim().is_empty() {
            return Err(FileError::new(&source, value, "expected a value after `=`"));
        }
        let value = value.end - text.trim_start().len()..argument.trim_end().len();
        let mut path = keys(&argument[..equals])
            .ok_or_else(|| FileError::new(&source, 0..equals, "this is not a path of keys").help(
                "join keys with dots; quote keys with spaces: `controller.states.balance.objectives.\"com over \
                 support\".weight=30`",
            ))?;
        let mut target = OverrideTarget::Scene;
        if path.len() > 1 && path[0].0 == "controller" {
            target = OverrideTarget::Controller;
            path.remove(0);
        } else if path.len() > 3 && path[0].0 == "characters" && path[2].0 == "controller" {
            target = OverrideTarget::ControllerOf(path[1].0.clone());
            path.drain(..3);
        } else if path.len() > 1 && OF_CONTROLLERS.contains(&&*path[0].0) {
            target = OverrideTarget::Controller;
        }
        Ok(Override { argument: argument.to_owned(), target, path, value })
    }

    /// Whether it sets the value at this path, or a part of that value.
    pub fn is_within(&self, path: &str) -> bool {
        let Ok(other) = Override::parse(&format!("{path}=0")) else { return false };
        let keys = |of: &Override| of.path.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
        self.target == other.target && keys(self).starts_with(&keys(&other))
    }

    /// A value of a controller: `path` without the prefix `controller.`, `value` in TOML.
    ///
    /// # Errors
    ///
    /// If the path is not a path of keys or has the prefix, or there is no value.
    pub fn of_controller(path: &str, value: &str) -> Result<Self, FileError> {
        let source = Source::new("path", path);
        let mistake = |message: &str| FileError::new(&source, 0..path.len(), message);
        let Some(keys) = keys(path) else {
            return Err(mistake("this is not a path of keys").help(
                "join keys with dots; quote keys with spaces: `'states.balance.objectives.\"com over \
                 support\".weight'`",
            ));
        };
        if keys[0].0 == "controller" {
            let within = path.split_once('.').map_or("", |(_, within)| within);
            return Err(mistake("this path begins within the controller")
                .help(format!("leave out `controller.`: `'{within}'`")));
        }
        Self::parse(&format!("controller.{path}={value}"))
    }

    /// Text of the value in the argument.
    pub fn value_text(&self) -> &str {
        self.argument[self.value.clone()].trim()
    }

    /// Keys of the path to the value in its file.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.path.iter().map(|(key, _)| key.as_str())
    }

    /// Whether it sets the same value as another override.
    pub fn is_of_same_value(&self, other: &Self) -> bool {
        self.target == other.target && self.keys().eq(other.keys())
    }

    /// Sets the value in the document; the argument's text becomes part of the source.
    pub(super) fn apply<'i>(
        &'i self,
        source: &mut Source,
        table: &mut DeTable<'i>,
        format: &Format,
    ) -> Result<(), FileError> {
        let start = source.overlay("--set", &self.argument);
        let value = self.value(source, start)?;
        let path = self.path.clone();
        let path = match format.unfold {
            Some(unfold) => unfold(table, path),
            None => path,
        };
        let Some(((last, last_span), parents)) = path.split_last() else { return Ok(()) };
        if let Some((key, span)) = parents.first().filter(|(key, _)| !table.contains_key(key.as_str()))
            && let Some(states) = states_with(table, &path)
        {
            let [span, prefix] =
                [span.clone(), 0..span.start].map(|span| start + span.start..start + span.end);
            let before = source.slice(prefix).to_owned();
            let rest: String = path.iter().map(|(key, _)| format!(".{}", quoted(key))).collect();
            let choices: Vec<String> =
                states.iter().map(|state| format!("`{before}states.{}{rest}`", quoted(state))).collect();
            let message = format!("the file has `{key}` in its states, not for all");
            return Err(FileError::new(source, span, message).help(choices.join(" or ")));
        }
        let mut place = Level::Table(table);
        for (depth, (key, span)) in parents.iter().enumerate() {
            let is_named = depth == 1 && format.named.contains(&parents[0].0.as_str());
            let found = start + span.start..start + span.end;
            place = place.enter(source, key, found, !is_named)?;
        }
        let last_span = start + last_span.start..start + last_span.end;
        // An entry with a new name would have no effect, because nothing refers to it.
        let is_named = parents.len() == 1 && NAMED_VALUES.contains(&parents[0].0.as_str());
        if is_named {
            place.has(source, last, &last_span)?;
        }
        place.set(source, last, last_span, value)
    }

    fn value(&self, source: &Source, start: usize) -> Result<Spanned<DeValue<'_>>, FileError> {
        let text = &self.argument[self.value.clone()];
        let offset = start + self.value.start;
        match DeValue::parse(text) {
            Ok(value) => Ok(shift(value, offset)),
            Err(_) if !text.trim_start().starts_with(['[', '{', '"', '\'']) => {
                let word = DeValue::String(Cow::Borrowed(text.trim()));
                Ok(Spanned::new(offset..offset + text.len(), word))
            }
            Err(error) => {
                let local = Source::new("--set", text);
                let error = translate(&local, error.message(), error.span());
                let from = offset + error.span.start;
                let mut placed = FileError::new(source, from..from + error.span.len(), error.message);
                placed.help = error.help;
                Err(placed)
            }
        }
    }
}

/// The states that have the list of the path's first key, with an element that its second one names.
fn states_with(table: &DeTable<'_>, path: &[(String, Range<usize>)]) -> Option<Vec<String>> {
    let [(list, _), (name, _), ..] = path else { return None };
    let has = |state: &DeValue<'_>| match state.get(list.as_str()).map(Spanned::get_ref) {
        Some(DeValue::Array(array)) => element_names(array).contains(name),
        _ => false,
    };
    let states = table.get("states")?.get_ref().as_table()?;
    let having = states.iter().filter(|(_, state)| has(state.get_ref()));
    let names: Vec<String> = having.map(|(state, _)| state.get_ref().to_string()).collect();
    (!names.is_empty()).then_some(names)
}

/// A key in a path, in quotes if it is not a bare key.
pub fn quoted(key: &str) -> String {
    let is_bare = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    if !key.is_empty() && key.chars().all(is_bare) {
        return key.to_owned();
    }
    in_quotes(key)
}

/// Text as a quoted TOML string.
pub fn in_quotes(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            control if control.is_control() => quoted += &format!("\\u{:04X}", u32::from(control)),
            other => quoted.push(other),
        }
    }
    quoted + "\""
}

/// Tables whose keys are chosen by the author and whose entries are single values.
const NAMED_VALUES: [&str; 2] = ["parameters", "define"];

/// An item of the document that has keys.
enum Level<'d, 'i> {
    Table(&'d mut DeTable<'i>),
    Array(&'d mut DeArray<'i>),
}

impl<'d, 'i> Level<'d, 'i> {
    /// Descends by one key, and creates a table if there is none and `may_create`.
    fn enter(
        self,
        source: &Source,
        key: &str,
        span: Range<usize>,
        may_create: bool,
    ) -> Result<Self, FileError> {
        let value = match self {
            Level::Table(table) => {
                if !table.contains_key(key) {
                    if !may_create {
                        let known: Vec<String> = table.keys().map(|key| key.get_ref().to_string()).collect();
                        return Err(missing(source, key, span, &known));
                    }
                    let empty = DeValue::Table(DeTable::new());
                    table.insert(
                        Spanned::new(span.clone(), Cow::Owned(key.to_owned())),
                        Spanned::new(span.clone(), empty),
                    );
                }
                table.get_mut(key)
            }
            Level::Array(array) => match element(array, key) {
                Some(index) => array.get_mut(index),
                None => return Err(no_element(source, key, span, array)),
            },
        };
        match value.map(Spanned::get_mut) {
            Some(DeValue::Table(table)) => Ok(Level::Table(table)),
            Some(DeValue::Array(array)) => Ok(Level::Array(array)),
            _ => Err(FileError::new(source, span, format!("`{key}` is a value and has no keys"))),
        }
    }

    /// Rejects a key that does not exist.
    fn has(&self, source: &Source, key: &str, span: &Range<usize>) -> Result<(), FileError> {
        match self {
            Level::Table(table) if !table.contains_key(key) => {
                let known: Vec<String> = table.keys().map(|key| key.get_ref().to_string()).collect();
                Err(missing(source, key, span.clone(), &known))
            }
            _ => Ok(()),
        }
    }

    fn set(
        self,
        source: &Source,
        key: &str,
        span: Range<usize>,
        value: Spanned<DeValue<'i>>,
    ) -> Result<(), FileError> {
        match self {
            Level::Table(table) => {
                table.insert(Spanned::new(span, Cow::Owned(key.to_owned())), value);
                Ok(())
            }
            Level::Array(array) => {
                let Some(place) = element(array, key) else {
                    return Err(no_element(source, key, span, array));
                };
                if let Some(place) = array.get_mut(place) {
                    *place = value;
                }
                Ok(())
            }
        }
    }
}

pub(super) fn missing(source: &Source, key: &str, span: Range<usize>, known: &[String]) -> FileError {
    let error = FileError::new(source, span, format!("the file has no `{key}` here"));
    match nearest(key, known.iter().map(String::as_str)) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None if known.is_empty() => error,
        None => error.help(format!("it has: {}", known.join(", "))),
    }
}

/// The message about an element that a list does not have.
fn no_element(source: &Source, key: &str, span: Range<usize>, array: &DeArray<'_>) -> FileError {
    let names = element_names(array);
    let error = missing(source, key, span, &names);
    match array.len().checked_sub(1) {
        Some(last) if names.is_empty() => error.help(format!("its elements are 0 to {last}")),
        _ => error,
    }
}

/// The `name` of each element that has one.
pub(super) fn element_names(array: &DeArray<'_>) -> Vec<String> {
    array
        .iter()
        .filter_map(|element| element.get_ref().get("name")?.get_ref().as_str().map(str::to_owned))
        .collect()
}

/// Position of the first `=` outside quotes.
fn equals_sign(argument: &str) -> Option<usize> {
    let mut quote = None;
    for (at, character) in argument.char_indices() {
        match (quote, character) {
            (None, '=') => return Some(at),
            (None, '"' | '\'') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            _ => {}
        }
    }
    None
}

/// The keys of a TOML path with their spans.
fn keys(path: &str) -> Option<Vec<(String, Range<usize>)>> {
    let document = format!("{path}=0");
    let table = DeTable::parse(&document).ok()?;
    let mut table = table.get_ref();
    let mut keys = Vec::new();
    loop {
        let (key, value) = table.iter().next()?;
        keys.push((key.get_ref().to_string(), key.span()));
        match value.get_ref() {
            DeValue::Table(inner) => table = inner,
            _ => return Some(keys),
        }
    }
}

/// The value with all spans shifted by `offset`.
pub(super) fn shift(value: Spanned<DeValue<'_>>, offset: usize) -> Spanned<DeValue<'_>> {
    let moved = |span: Range<usize>| span.start + offset..span.end + offset;
    let span = moved(value.span());
    let value = match value.into_inner() {
        DeValue::Array(array) => {
            let mut shifted = DeArray::new();
            for element in array {
                shifted.push(shift(element, offset));
            }
            DeValue::Array(shifted)
        }
        DeValue::Table(table) => {
            let mut shifted = DeTable::new();
            for (key, element) in table {
                let key = Spanned::new(moved(key.span()), key.into_inner());
                shifted.insert(key, shift(element, offset));
            }
            DeValue::Table(shifted)
        }
        other => other,
    };
    Spanned::new(span, value)
}

/// Index of the element with this `name`, otherwise the index that `key` gives.
pub(super) fn element(array: &DeArray<'_>, key: &str) -> Option<usize> {
    let named = array.iter().position(|element| {
        element.get_ref().get("name").is_some_and(|name| name.get_ref().as_str() == Some(key))
    });
    named.or_else(|| key.parse().ok().filter(|index| *index < array.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_only_controllers_have_needs_no_prefix() {
        let read =
            |argument: &str| Override::parse(argument).map(|item| (item.target.clone(), item.path.len()));
        assert_eq!(read("parameters.lift=1").unwrap(), (OverrideTarget::Controller, 2));
        assert_eq!(read("states.hold.objectives.com.weight=1").unwrap(), (OverrideTarget::Controller, 5));
        assert_eq!(read("controller.parameters.lift=1").unwrap(), (OverrideTarget::Controller, 2));
        assert_eq!(read("events.push.at=1").unwrap().0, OverrideTarget::Scene);
    }

    #[test]
    fn an_objective_of_a_state_is_found_from_the_top() {
        let set = Override::parse("controller.objectives.\"com height\".weight=2").unwrap();
        let mut source = Source::new("own.toml", String::new());
        let text =
            "[states.\"on one leg\"]\nobjectives = [{ name = \"com height\", weight = 1 }]\n[states.rest]\n";
        let mut table = DeTable::parse(text).unwrap().into_inner();
        let error = set.apply(&mut source, &mut table, &Format::default()).unwrap_err();
        assert_eq!(error.message, "the file has `objectives` in its states, not for all");
        let path = "`controller.states.\"on one leg\".objectives.\"com height\".weight`";
        assert_eq!(error.help.as_deref(), Some(path));
    }

    #[test]
    fn a_path_within_a_controller_is_taken_without_prefix_and_with_spaces_in_quotes() {
        let keys =
            |path| Override::of_controller(path, "1").map(|item| item.keys().collect::<Vec<_>>().join(" / "));
        assert_eq!(keys("states.\"on one leg\".weight").unwrap(), "states / on one leg / weight");
        let help = |path| keys(path).unwrap_err().help.unwrap();
        assert_eq!(help("controller.parameters.pace"), "leave out `controller.`: `'parameters.pace'`");
        assert!(
            help("states.on one leg.weight")
                .contains("`'states.balance.objectives.\"com over support\".weight'`")
        );
    }
}
