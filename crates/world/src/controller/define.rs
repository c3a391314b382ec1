//! Definitions: named expressions, whose value replaces the name.

use super::commands::{CommandSpec, is_around};
use super::planner::{self, Output};
use super::scope::{BoundRole, Scope};
use super::spec::ControllerSpec;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{Any, ExpressionField, Interval, Meaning, Names, Type};
use std::cell::{Cell, RefCell};
use std::ops::Range;

/// Largest length of a definition with its definitions expanded, because definitions that double in each step
/// grow exponentially.
const LONGEST: usize = 6000;

/// Binds the definitions that can be bound with the roles that are `typed`. Returns whether any was bound.
pub(super) fn learn(
    spec: &ControllerSpec,
    source: &Source,
    names: &dyn Names,
    roles: &[BoundRole],
    typed: &[bool],
    known: &mut Definitions,
) -> bool {
    let mut learnt = false;
    for index in 0..known.len() {
        if known[index].is_none()
            && let Ok(definition) = bind(spec, source, names, roles, typed, known, index)
        {
            known[index] = Some(definition);
            learnt = true;
        }
    }
    learnt
}

/// An error in a definition.
struct DefinitionMistake {
    error: FileError,
    /// Whether it is an error independently of other errors in the states, exits and roles of the controller.
    is_sure: bool,
}

/// The errors in definitions that could not be bound, except definitions that only use another one with an error:
/// definite errors first.
pub(super) fn mistakes(
    spec: &ControllerSpec,
    source: &Source,
    names: &dyn Names,
    roles: &[BoundRole],
    known: &Definitions,
) -> [Vec<FileError>; 2] {
    let all = vec![true; roles.len()];
    let unbound = (0..known.len()).filter(|index| known[*index].is_none());
    let mut reported: Vec<DefinitionMistake> =
        unbound.filter_map(|index| bind(spec, source, names, roles, &all, known, index).err()?).collect();
    if reported.is_empty() {
        reported.extend(circle(spec, source, known));
    }
    let (sure, others): (Vec<_>, Vec<_>) = reported.into_iter().partition(|mistake| mistake.is_sure);
    [sure, others].map(|mistakes| mistakes.into_iter().map(|mistake| mistake.error).collect())
}

/// The error of a command or a definition that a file sets for an included one by an expression that depends on it.
fn circle(spec: &ControllerSpec, source: &Source, known: &Definitions) -> Option<DefinitionMistake> {
    let unbound = || spec.define.iter().zip(known).filter(|(_, definition)| definition.is_none());
    let is_driven = |name: &Spanned<String>| spec.driven.contains_key(name.get_ref());
    let ((name, field), _) = unbound().find(|((name, _), _)| is_driven(name)).or_else(|| unbound().next())?;
    let written = as_written(source, name);
    let (message, span) = match is_driven(name) {
        true => (format!("the command `{written}` is set by an expression that depends on it"), name.span()),
        false => (format!("the definition `{written}` depends on itself"), field.span()),
    };
    // A role that has no type because of another error causes this too.
    Some(DefinitionMistake { error: FileError::new(source, span, message), is_sure: false })
}

/// A name as its file writes it, without those of the includes that lead to it.
pub(super) fn as_written<'s>(source: &'s Source, name: &Spanned<String>) -> &'s str {
    source.slice(name.span()).trim_matches(['"', '\''])
}

/// Binds a definition with any role; whether a role has a value is checked where the definition is used. Fails
/// without a message if it uses another definition with an error.
fn bind(
    spec: &ControllerSpec,
    source: &Source,
    names: &dyn Names,
    roles: &[BoundRole],
    typed: &[bool],
    known: &Definitions,
    index: usize,
) -> Result<Definition, Option<DefinitionMistake>> {
    let scope = Scope { spec, names, roles, in_reach: typed, definitions: known, own: Some(index) };
    let range = spec.define.get_index(index).map_or(Interval::ANY, |(_, field)| field.range(source, &scope));
    let uses = Uses {
        scope,
        roles: RefCell::new(vec![false; roles.len()]),
        length: Cell::new(0),
        follows: Cell::new(false),
    };
    let bound = match spec.define.get_index(index) {
        Some((_, field)) => field.bind(source, &uses),
        None => match outputs(spec).nth(index - spec.define.len()) {
            Some((_, output)) => output.bind(source, names, &uses),
            None => return Err(None),
        },
    };
    let unsure = |error| DefinitionMistake { error, is_sure: false };
    let bound = bound.map_err(|error| (!uses.follows.get()).then_some(unsure(error)))?;
    let driven = spec
        .define
        .get_index(index)
        .and_then(|(name, field)| Some((name, field, spec.driven.get(name.get_ref())?)));
    let (bound, range) = match driven {
        Some((name, field, command)) if bound.kind() != command.kind() => {
            let (given, wanted) = (bound.kind(), command.kind());
            let error = of_another_kind(spec, source, name, field, [given, wanted]);
            let is_sure = !uses.roles.borrow().contains(&true);
            return Err(error.map(|error| DefinitionMistake { error, is_sure }));
        }
        Some((name, field, command)) => {
            let around = around(spec, name.get_ref(), &field.span());
            clamped(bound, range, around.into_iter().chain([command]))
        }
        None => (bound, range),
    };
    let length = uses.length.get() + bound.text().len();
    if length > LONGEST {
        let span = spec.define.get_index(index).map_or(0..0, |(_, field)| field.span());
        return Err(Some(unsure(too_long(source, span, length))));
    }
    Ok(Definition { bound, range, roles: uses.roles.into_inner(), length })
}

/// The error of a definition with `length` characters.
fn too_long(source: &Source, span: Range<usize>, length: usize) -> FileError {
    let message = format!("with the definitions it uses, this is {length} characters long");
    let help = format!("the most is {LONGEST}; a role, bound in a state's `let`, is worked out only once");
    FileError::new(source, span, message).help(help)
}

/// A value and its range, clamped to the ranges of the commands that it sets.
fn clamped<'s>(
    bound: Any,
    range: Interval,
    commands: impl Iterator<Item = &'s CommandSpec>,
) -> (Any, Interval) {
    let ranges = commands.filter_map(|command| command.range.as_ref());
    ranges.fold((bound, range), |(bound, range), ends| {
        let [low, high] = *ends.get_ref();
        (bound.clamped([low, high]), Interval::new(range.least.max(low), range.most.min(high)))
    })
}

/// The error of a command that is given a value of another type; if one value is given to several commands, only
/// the outermost is reported.
fn of_another_kind(
    spec: &ControllerSpec,
    source: &Source,
    name: &Spanned<String>,
    field: &ExpressionField,
    [given, wanted]: [Type; 2],
) -> Option<FileError> {
    if around(spec, name.get_ref(), &field.span()).iter().any(|outer| outer.kind() == wanted) {
        return None;
    }
    let message = format!("the command `{}` is a {wanted}, and this is a {given}", as_written(source, name));
    let error = FileError::new(source, field.span(), message);
    let help = || format!("write `[{}, 0, 0]`, or what its y and z are", source.slice(field.span()));
    Some(if wanted == Type::Vector { error.help(help()) } else { error })
}

/// The commands that also get the value set at a place and pass it on to this command, the outermost first.
fn around<'s>(spec: &'s ControllerSpec, name: &str, place: &Range<usize>) -> Vec<&'s CommandSpec> {
    let is_outer = |(outer, _): &(&String, &CommandSpec)| {
        let set_at = spec.define.get(outer.as_str()).map(|field| field.span());
        is_around(outer, name) && set_at.as_ref() == Some(place)
    };
    let mut around: Vec<(&String, &CommandSpec)> = spec.driven.iter().filter(is_outer).collect();
    around.sort_by_key(|(outer, _)| outer.len());
    around.into_iter().map(|(_, command)| command).collect()
}

/// A scope that records which names are requested.
struct Uses<'a> {
    scope: Scope<'a>,
    roles: RefCell<Vec<bool>>,
    /// Length of the definitions, expanded.
    length: Cell<usize>,
    /// Whether a definition that could not be bound is requested.
    follows: Cell<bool>,
}

impl Names for Uses<'_> {
    fn meaning(&self, name: &str) -> Option<Meaning> {
        let meaning = self.scope.meaning(name);
        self.follows.set(self.follows.get() || self.scope.is_broken(name));
        let meaning = meaning?;
        let mut roles = self.roles.borrow_mut();
        if let Some(role) = self.scope.roles.iter().position(|role| role.name == name) {
            roles[role] = true;
        } else if let Some(definition) = self.scope.definition(name) {
            self.length.set(self.length.get().saturating_add(definition.length));
            // The roles in a command that another file sets are checked where it is set.
            let is_own_told = self.scope.own.is_some_and(|own| self.scope.is_driven(own));
            if is_own_told || !self.scope.spec.driven.contains_key(name) {
                roles.iter_mut().zip(&definition.roles).for_each(|(used, through)| *used |= through);
            }
        }
        Some(meaning)
    }

    fn known(&self) -> Vec<String> {
        self.scope.known()
    }

    fn offered(&self, name: &str) -> Option<Meaning> {
        self.scope.offered(name)
    }

    fn not_a_state(&self, name: &str) -> Option<String> {
        self.scope.not_a_state(name)
    }

    fn hint(&self, name: &str) -> Option<String> {
        self.scope.hint(name)
    }
}

/// The outputs with their names, those of the file itself first.
pub(super) fn outputs(spec: &ControllerSpec) -> impl Iterator<Item = (String, Output<'_>)> {
    let included = spec.planners.iter().flat_map(|(prefix, planner)| {
        planner::outputs(planner).map(move |(name, output)| (format!("{prefix}.{name}"), output))
    });
    planner::outputs(&spec.planner).chain(included)
}

#[cfg(test)]
mod tests;

/// A named expression, bound.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(super) bound: Any,
    pub(super) range: Interval,
    /// For each role, whether the expression uses it, itself or through another definition.
    pub(super) roles: Vec<bool>,
    /// Length in characters, with its definitions expanded.
    pub(super) length: usize,
}

/// The definitions of a controller in the order of the file; `None` for those that are not bound (yet).
pub(super) type Definitions = Vec<Option<Definition>>;
