//! Commands that a file sets for the files that it includes: errors in their values are reported where they are
//! written, and not where an included file reads them.

use super::define::{Definitions, as_written};
use super::reads;
use super::scope::BoundRole;
use super::spec::{ControllerSpec, StateSpec};
use aplomb_language::diagnostic::{FileError, Source};
use std::collections::BTreeSet;

/// The values that contain a role without a value in a state that reads their command. `usable` are the roles of
/// each state.
pub(super) fn missing_roles(
    spec: &ControllerSpec,
    source: &Source,
    roles: &[BoundRole],
    usable: &[Vec<bool>],
    definitions: &Definitions,
) -> Vec<FileError> {
    let driven = spec.define.iter().zip(definitions).filter_map(|((name, field), definition)| {
        let uses = &definition.as_ref()?.roles;
        (spec.driven.contains_key(name.get_ref()) && uses.contains(&true)).then_some((name, field, uses))
    });
    let mut driven = driven.peekable();
    if driven.peek().is_none() {
        return Vec::new();
    }
    let read = read(spec, source);
    let lacking = |name: &str, uses: &[bool]| {
        let states = spec.states.keys().zip(&read).zip(usable);
        let mut readers = states.filter(|((_, read), _)| reads::has(read, name));
        readers.find_map(|((state, _), usable)| {
            let missing = (0..roles.len()).find(|role| uses[*role] && !usable[*role])?;
            Some((&roles[missing].name, state))
        })
    };
    let mistakes = driven.filter_map(|(name, field, uses)| {
        let (role, state) = lacking(name.get_ref(), uses)?;
        let written = as_written(source, name);
        let message =
            format!("the role `{role}` has no value in state `{state}`, which reads the command `{written}`");
        let bound = spec.binding(role).map(|states| format!("it is bound in {states}: ")).unwrap_or_default();
        let help = format!("{bound}bind it on every way to `{state}` too, or set the command without it");
        Some(FileError::new(source, field.span(), message).help(help))
    });
    mistakes.collect()
}

/// The names that each state reads, including those read through definitions.
fn read(spec: &ControllerSpec, source: &Source) -> Vec<BTreeSet<String>> {
    let definitions = reads::definitions(spec, source);
    let everywhere = reads::of_every_state(spec, source);
    let of_state = |state: &StateSpec| {
        let mut written = everywhere.clone();
        for level in spec.levels(state) {
            written.extend(reads::of_level(level, source));
            written.extend(level.bindings().map(|(_, field)| field.written_as(source)));
        }
        written.extend(reads::of_state(state, source));
        reads::expanded(&written, &definitions)
    };
    spec.states.values().map(of_state).collect()
}
