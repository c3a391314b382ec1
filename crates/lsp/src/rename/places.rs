//! The occurrences of a name in its file: its definition and its uses.

use crate::document::TextDocument;
use crate::expression::{names, variables};
use crate::names::{DefinedName, OwnKind, listed, own};
use crate::outline::{Key, OutlineItem, PathStep, is};
use crate::schema::{self, Expected, expected};
use std::ops::Range;

/// A place of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NameOccurrence {
    /// A key, with its quotes.
    Key(Range<usize>),
    /// A whole text between its quotes.
    Text(Range<usize>),
    /// A part of the expression in `text`.
    Expression {
        /// Bytes of the name.
        span: Range<usize>,
        /// Bytes of the expression.
        text: Range<usize>,
    },
}

impl NameOccurrence {
    /// Its bytes.
    pub(crate) fn span(&self) -> &Range<usize> {
        match self {
            NameOccurrence::Key(span)
            | NameOccurrence::Text(span)
            | NameOccurrence::Expression { span, .. } => span,
        }
    }

    /// Whether the name is defined here, not used.
    pub(crate) fn is_given(&self) -> bool {
        matches!(self, NameOccurrence::Key(_))
    }
}

/// Whether a key at this path defines the name.
pub(crate) fn declares(own: &DefinedName, path: &[PathStep]) -> bool {
    let name = own.name.as_str();
    match own.kind {
        OwnKind::Parameter => is(path, &["parameters", name]),
        OwnKind::Command => is(path, &["commands", name]),
        OwnKind::Definition => is(path, &["define", name]),
        OwnKind::Binding | OwnKind::EachFrame => {
            is(path, &["states", "*", "let", name]) || is(path, &["states", "*", "each_frame", name])
        }
        OwnKind::State => is(path, &["states", name]),
        OwnKind::Include => is(path, &["include", name]),
        OwnKind::Planned => false,
    }
}

/// All places of a name, in the order of the text.
pub(crate) fn places(document: &TextDocument, own: &DefinedName) -> Vec<NameOccurrence> {
    let mut all = Vec::new();
    let is_hidden = own.kind == OwnKind::State && is_hidden(document, &own.name);
    for item in &document.outline.items {
        let given = |key: &&Key| declares(own, &item.path[..key.depth]);
        all.extend(item.keys.iter().filter(given).map(|key| NameOccurrence::Key(key.span.clone())));
        let of_value = used(document, own, item).into_iter();
        all.extend(of_value.filter(|place| !is_hidden || matches!(place, NameOccurrence::Text(_))));
    }
    all.sort_by_key(|place| place.span().start);
    all
}

/// Whether a state's name has another meaning in expressions.
fn is_hidden(document: &TextDocument, name: &str) -> bool {
    let of_file = own(&document.outline).iter().any(|own| own.name == name && own.kind != OwnKind::State);
    of_file || listed().iter().any(|word| word.name == name)
}

/// Places of a name in the value of an item.
fn used(document: &TextDocument, own: &DefinedName, item: &OutlineItem) -> Vec<NameOccurrence> {
    let (Some(inner), Some(schema)) = (item.inner(), schema::of(document.kind)) else { return Vec::new() };
    let Some(text) = document.text.get(inner.clone()) else { return Vec::new() };
    if !text.contains(&own.name) {
        return Vec::new();
    }
    match expected(schema, document.kind, &item.path) {
        Expected::State if own.kind == OwnKind::State && text == own.name => {
            vec![NameOccurrence::Text(inner)]
        }
        Expected::Include if own.kind == OwnKind::Include && text == own.name => {
            vec![NameOccurrence::Text(inner)]
        }
        // A variable of an iteration hides it.
        Expected::Expression(_) if !variables(text).contains(&own.name.as_str()) => {
            let of_name = names(text).into_iter().filter_map(|name| {
                let first = name.parts.first()?;
                let whole = name.text(text);
                let is_first = text.get(first.clone()) == Some(own.name.as_str());
                let is_meant = match own.kind {
                    OwnKind::State => whole == own.name,
                    // `capture_step.target` is a name with a dot in it.
                    OwnKind::Planned => whole == own.name || whole.starts_with(&format!("{}.", own.name)),
                    _ => is_first,
                };
                if !is_meant || name.is_call {
                    return None;
                }
                let span = match own.kind {
                    OwnKind::State => name.span.clone(),
                    OwnKind::Planned => name.span.start..name.span.start + own.name.len(),
                    _ if name.is_quoted => name.span.clone(),
                    _ => first.clone(),
                };
                let at = |span: Range<usize>| inner.start + span.start..inner.start + span.end;
                Some(NameOccurrence::Expression { span: at(span), text: inner.clone() })
            });
            of_name.collect()
        }
        _ => Vec::new(),
    }
}
