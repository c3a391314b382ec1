//! Renaming of a name that a controller defines, at all its places.

mod places;

pub(crate) use places::{NameOccurrence, declares, places};

use crate::document::TextDocument;
use crate::expression::{KEYWORDS, written};
use crate::lookup::{NameLookup, NameMeaning};
use crate::names::{DefinedName, OwnKind, listed};
use crate::subject::{SubjectKind, subject};
use aplomb_language::namespace::is_word;
use std::ops::Range;

/// Why a name cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RenameError {
    /// There is no name at the position.
    #[error("there is no name to change here: it can be a state, parameter, command, definition or binding")]
    NoName,
    /// The name is that of another file.
    #[error("`{0}` is given by another file, and would have to be changed there")]
    Elsewhere(String),
    /// The new name is not a valid name.
    #[error("`{0}` cannot be a name: use letters, digits and `_`, and begin with a letter")]
    NotAName(String),
    /// The new name has another meaning.
    #[error("`{name}` is already a {what}")]
    Taken {
        /// The new name.
        name: String,
        /// The kind of the existing name.
        what: String,
    },
    /// A text cannot hold the new name.
    #[error("line {0} has the name between other quotes: change it there first")]
    Quotes(usize),
}

/// A name that can be changed, with its bytes at the offset.
pub(crate) fn at(
    document: &TextDocument,
    names: &NameLookup<'_>,
    offset: usize,
) -> Result<(DefinedName, Range<usize>), RenameError> {
    let found = subject(document, names, offset).ok_or(RenameError::NoName)?;
    match found.what {
        SubjectKind::Name(NameMeaning::Own(own)) if can_change(own.kind) => {
            // Of `v.x` only the name `v`.
            let end = found.span.start + own.name.len().min(found.span.len());
            Ok((own, found.span.start..end))
        }
        SubjectKind::Name(NameMeaning::Included(_, own)) => Err(RenameError::Elsewhere(own.name)),
        _ => Err(RenameError::NoName),
    }
}

fn can_change(kind: OwnKind) -> bool {
    !matches!(kind, OwnKind::Planned | OwnKind::Include)
}

/// The replacement at each place of a name.
///
/// # Errors
/// A new name that is already used, or is not valid.
pub(crate) fn edits(
    document: &TextDocument,
    names: &NameLookup<'_>,
    own: &DefinedName,
    new: &str,
) -> Result<Vec<(Range<usize>, String)>, RenameError> {
    if new == own.name {
        return Ok(Vec::new());
    }
    let all = places(document, own);
    let is_state = own.kind == OwnKind::State;
    let is_fit = match is_state {
        true => !new.trim().is_empty() && !new.contains(['"', '\'', '.', '\\', '\n', '\r', '\t']),
        false => is_word(new) && !KEYWORDS.contains(&new),
    };
    if !is_fit {
        return Err(RenameError::NotAName(new.to_owned()));
    }
    let is_in_expression = all.iter().any(|place| matches!(place, NameOccurrence::Expression { .. }));
    if let Some(what) = taken(names, own, new, !is_state || is_in_expression) {
        return Err(RenameError::Taken { name: new.to_owned(), what });
    }
    all.into_iter().map(|place| edit(document, place, new)).collect()
}

/// The existing meaning of a name, if it has one.
fn taken(names: &NameLookup<'_>, own: &DefinedName, new: &str, in_expressions: bool) -> Option<String> {
    let is_state = own.kind == OwnKind::State;
    let is_same_role =
        |other: &DefinedName| is_binding(other.kind) && is_binding(own.kind) && other.name == own.name;
    let clashes = |other: &&DefinedName| {
        let of_states = |kind| matches!(kind, OwnKind::State | OwnKind::Include);
        other.name == new && !is_same_role(other) && (in_expressions || (is_state && of_states(other.kind)))
    };
    if let Some(other) = names.own.iter().find(clashes) {
        return Some(other.kind.word().to_owned());
    }
    let is_other = own.name != new && in_expressions;
    let word = listed().iter().chain(names.parts.of_expressions()).find(|word| word.name == new);
    word.filter(|_| is_other).map(|word| word.what.to_owned())
}

fn is_binding(kind: OwnKind) -> bool {
    matches!(kind, OwnKind::Binding | OwnKind::EachFrame)
}

fn edit(
    document: &TextDocument,
    place: NameOccurrence,
    new: &str,
) -> Result<(Range<usize>, String), RenameError> {
    match place {
        NameOccurrence::Key(span) => {
            let is_bare = new.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
            Ok((span, if is_bare { new.to_owned() } else { format!("\"{new}\"") }))
        }
        NameOccurrence::Text(span) => Ok((span, new.to_owned())),
        NameOccurrence::Expression { span, text } => {
            let name = written(new);
            let quote = document.text.as_bytes().get(text.start.wrapping_sub(1));
            if name.starts_with('\'') && quote == Some(&b'\'') {
                let line = document.text.get(..span.start).unwrap_or_default().matches('\n').count() + 1;
                return Err(RenameError::Quotes(line));
            }
            Ok((span, name))
        }
    }
}
