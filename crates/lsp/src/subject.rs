//! What the cursor is on: a key, a name of an expression, a state, another file.

use crate::document::{Certainty, Document};
use crate::expression::name_at;
use crate::lookup::{Meaning, Names};
use crate::outline::{Spot, Step};
use crate::schema::{self, Choice, Expected, expected};
use aplomb_language::files::Folder;
use std::ops::Range;

/// Something that a text says at a place.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Bytes of it.
    pub span: Range<usize>,
    /// The name, without quotes.
    pub name: String,
    /// What it is.
    pub what: What,
}

/// What something is.
#[derive(Clone, Debug)]
pub enum What {
    /// A key that the type of the file has.
    Key(Vec<Step>),
    /// A name with a meaning.
    Name(Meaning),
    /// Another file.
    File(Folder),
    /// A rule of `aplomb check`.
    Rule,
    /// One of the values to choose from.
    Choice(Choice),
    /// The name of an objective, at the path of its entry.
    Objective,
}

/// What is at an offset.
pub fn subject(document: &Document, names: &Names<'_>, offset: usize) -> Option<Subject> {
    if document.certainty == Certainty::Foreign {
        return None;
    }
    match document.outline.spot(&document.text, offset) {
        Spot::Key { span, item: Some(item), .. } => {
            let depth = item.keys.iter().find(|key| key.span == span)?.depth;
            let path = item.path.get(..depth)?.to_vec();
            let name = path.last()?.key()?.to_owned();
            let span = unquoted(&document.text, span);
            let given = names.own.iter().find(|own| own.name == name && crate::rename::declares(own, &path));
            let what = match given {
                Some(own) => What::Name(Meaning::Own(own.clone())),
                None => part_key(names, &path, &name).unwrap_or(What::Key(path)),
            };
            Some(Subject { span, name, what })
        }
        Spot::Value { path, span, is_text: true } => value(document, names, offset, &path, span),
        _ => None,
    }
}

/// A joint, body or site as a key: of angles, reaches, grips.
fn part_key(names: &Names<'_>, path: &[Step], name: &str) -> Option<What> {
    let table = path.len().checked_sub(2).and_then(|at| path[at].key())?;
    let words = match table {
        "angles" | "pose" => [&names.parts.joints, &names.parts.sets],
        "reach" | "orientation" => [&names.parts.bodies, &names.parts.sites],
        "grip" | "stand" | "hold_on" => [&names.parts.sites, &names.parts.bodies],
        _ => return None,
    };
    let word = words.into_iter().flatten().find(|word| word.name == name)?;
    Some(What::Name(Meaning::Part(word.clone())))
}

fn value(
    document: &Document,
    names: &Names<'_>,
    offset: usize,
    path: &[Step],
    span: Range<usize>,
) -> Option<Subject> {
    let text = document.text.get(span.clone())?;
    let whole = |what| Some(Subject { span: span.clone(), name: text.to_owned(), what });
    let schema = schema::of(document.kind)?;
    let part = |words: &[&Vec<crate::names::Word>]| {
        let word = words.iter().copied().flatten().find(|word| word.name == text)?;
        whole(What::Name(Meaning::Part(word.clone())))
    };
    match expected(schema, document.kind, path) {
        Expected::Expression(_) => {
            let name = name_at(text, offset.checked_sub(span.start)?)?;
            let wanted = name.up_to(text, offset - span.start).to_owned();
            let meaning = names.meaning(&wanted, text).or_else(|| names.meaning(name.text(text), text))?;
            let start = span.start + name.parts.first()?.start;
            Some(Subject { span: start..start + wanted.len(), name: wanted, what: What::Name(meaning) })
        }
        Expected::State => whole(What::Name(names.state(text)?)),
        Expected::Include => whole(What::Name(names.include(text)?)),
        Expected::File(folder) => whole(What::File(folder)),
        Expected::Rule => whole(What::Rule),
        Expected::Joint => part(&[&names.parts.joints, &names.parts.sets]),
        Expected::Body => part(&[&names.parts.bodies]),
        Expected::Choice(choices) => {
            whole(What::Choice(choices.into_iter().find(|choice| choice.name == text)?))
        }
        Expected::Anything if is_objective_name(path) => whole(What::Objective),
        _ => None,
    }
}

/// Whether a path is that of an objective's name.
pub fn is_objective_name(path: &[Step]) -> bool {
    crate::outline::is(path, &["objectives", "#", "name"])
        || crate::outline::is(path, &["states", "*", "objectives", "#", "name"])
}

/// The bytes of a key without its quotes.
pub fn unquoted(text: &str, span: Range<usize>) -> Range<usize> {
    let written = text.get(span.clone()).unwrap_or_default();
    let is_quoted = written.len() > 1 && written.starts_with(['"', '\'']);
    if is_quoted { span.start + 1..span.end - 1 } else { span }
}
