//! The subject at the cursor: a key, a name of an expression, a state, another file.

use crate::document::{Certainty, TextDocument};
use crate::expression::name_at;
use crate::lookup::{NameLookup, NameMeaning};
use crate::outline::{CursorContext, PathStep};
use crate::schema::{self, AllowedValue, Expected, expected};
use aplomb_language::files::Folder;
use std::ops::Range;

/// The subject at a position of a text.
#[derive(Clone, Debug)]
pub(crate) struct TextSubject {
    /// Its bytes.
    pub span: Range<usize>,
    /// The name, without quotes.
    pub name: String,
    /// Its kind.
    pub what: SubjectKind,
}

/// The kind of a subject.
#[derive(Clone, Debug)]
pub(crate) enum SubjectKind {
    /// A key that the type of the file has.
    Key(Vec<PathStep>),
    /// A name with a meaning.
    Name(NameMeaning),
    /// Another file.
    File(Folder),
    /// A rule of `aplomb check`.
    Rule,
    /// One of the values to choose from.
    Choice(AllowedValue),
    /// The name of an objective, at the path of its entry.
    Objective,
}

/// The subject at an offset.
pub(crate) fn subject(document: &TextDocument, names: &NameLookup<'_>, offset: usize) -> Option<TextSubject> {
    if document.certainty == Certainty::Foreign {
        return None;
    }
    match document.outline.spot(&document.text, offset) {
        CursorContext::Key { span, item: Some(item), .. } => {
            let depth = item.keys.iter().find(|key| key.span == span)?.depth;
            let path = item.path.get(..depth)?.to_vec();
            let name = path.last()?.key()?.to_owned();
            let span = unquoted(&document.text, span);
            let given = names.own.iter().find(|own| own.name == name && crate::rename::declares(own, &path));
            let what = match given {
                Some(own) => SubjectKind::Name(NameMeaning::Own(own.clone())),
                None => part_key(names, &path, &name).unwrap_or(SubjectKind::Key(path)),
            };
            Some(TextSubject { span, name, what })
        }
        CursorContext::Value { path, span, is_text: true } => value(document, names, offset, &path, span),
        _ => None,
    }
}

/// A joint, body or site as a key: in angles, reaches, grips.
fn part_key(names: &NameLookup<'_>, path: &[PathStep], name: &str) -> Option<SubjectKind> {
    let table = path.len().checked_sub(2).and_then(|at| path[at].key())?;
    let words = match table {
        "angles" | "pose" => [&names.parts.joints, &names.parts.sets],
        "reach" | "orientation" => [&names.parts.bodies, &names.parts.sites],
        "grip" | "stand" | "hold_on" => [&names.parts.sites, &names.parts.bodies],
        _ => return None,
    };
    let word = words.into_iter().flatten().find(|word| word.name == name)?;
    Some(SubjectKind::Name(NameMeaning::Part(word.clone())))
}

fn value(
    document: &TextDocument,
    names: &NameLookup<'_>,
    offset: usize,
    path: &[PathStep],
    span: Range<usize>,
) -> Option<TextSubject> {
    let text = document.text.get(span.clone())?;
    let whole = |what| Some(TextSubject { span: span.clone(), name: text.to_owned(), what });
    let schema = schema::of(document.kind)?;
    let part = |words: &[&Vec<crate::names::Word>]| {
        let word = words.iter().copied().flatten().find(|word| word.name == text)?;
        whole(SubjectKind::Name(NameMeaning::Part(word.clone())))
    };
    match expected(schema, document.kind, path) {
        Expected::Expression(_) => {
            let name = name_at(text, offset.checked_sub(span.start)?)?;
            let wanted = name.up_to(text, offset - span.start).to_owned();
            let meaning = names.meaning(&wanted, text).or_else(|| names.meaning(name.text(text), text))?;
            let start = span.start + name.parts.first()?.start;
            Some(TextSubject {
                span: start..start + wanted.len(),
                name: wanted,
                what: SubjectKind::Name(meaning),
            })
        }
        Expected::State => whole(SubjectKind::Name(names.state(text)?)),
        Expected::Include => whole(SubjectKind::Name(names.include(text)?)),
        Expected::File(folder) => whole(SubjectKind::File(folder)),
        Expected::Rule => whole(SubjectKind::Rule),
        Expected::Joint => part(&[&names.parts.joints, &names.parts.sets]),
        Expected::Body => part(&[&names.parts.bodies]),
        Expected::Choice(choices) => {
            whole(SubjectKind::Choice(choices.into_iter().find(|choice| choice.name == text)?))
        }
        Expected::Anything if is_objective_name(path) => whole(SubjectKind::Objective),
        _ => None,
    }
}

/// Whether a path is that of an objective's name.
pub(crate) fn is_objective_name(path: &[PathStep]) -> bool {
    crate::outline::is(path, &["objectives", "#", "name"])
        || crate::outline::is(path, &["states", "*", "objectives", "#", "name"])
}

/// The bytes of a key without its quotes.
pub(crate) fn unquoted(text: &str, span: Range<usize>) -> Range<usize> {
    let written = text.get(span.clone()).unwrap_or_default();
    let is_quoted = written.len() > 1 && written.starts_with(['"', '\'']);
    if is_quoted { span.start + 1..span.end - 1 } else { span }
}
