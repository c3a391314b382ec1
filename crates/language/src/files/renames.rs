//! Words of the release before: keys, values and functions that files may still spell the old way, with a warning.

use super::element::element;
use crate::diagnostic::{FileError, Source, Warning};
use std::borrow::Cow;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A key or a value with a new name.
#[derive(Clone, Copy, Debug)]
pub struct Rename {
    /// The tables it stands in: keys joined by dots, `*` for any key or element. Empty for the file itself.
    table: &'static str,
    /// Only in tables whose `kind` is one of these; in all where this is empty.
    kinds: &'static [&'static str],
    /// The key whose value is renamed; `None` where a key is.
    key: Option<&'static str>,
    old: &'static str,
    new: &'static str,
}

impl Rename {
    /// A key of the tables at `table`.
    pub const fn key(table: &'static str, old: &'static str, new: &'static str) -> Self {
        Rename { table, kinds: &[], key: None, old, new }
    }

    /// A text that stands at `key` of the tables at `table`.
    pub const fn value(table: &'static str, key: &'static str, old: &'static str, new: &'static str) -> Self {
        Rename { table, kinds: &[], key: Some(key), old, new }
    }

    /// Restricts the rename to tables of these kinds.
    pub const fn of(self, kinds: &'static [&'static str]) -> Self {
        Rename { kinds, ..self }
    }

    fn is_of_kind(&self, table: &DeTable<'_>) -> bool {
        let kind = || table.get("kind").and_then(|kind| kind.get_ref().as_str());
        self.kinds.is_empty() || kind().is_some_and(|kind| self.kinds.contains(&kind))
    }

    fn segments(&self) -> impl Iterator<Item = &'static str> {
        self.table.split('.').filter(|segment| !segment.is_empty())
    }
}

/// A function of expressions with a new name.
#[derive(Clone, Copy, Debug)]
pub struct OldFunction {
    /// Name up to now.
    pub old: &'static str,
    /// What to write instead.
    pub write: &'static str,
}

/// Gives old keys and values of a document their new names, in place.
///
/// # Errors
/// An old key beside the new one.
pub(super) fn apply(
    renames: &[Rename],
    source: &Source,
    table: &mut DeTable<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<(), FileError> {
    for rename in renames {
        let segments: Vec<&str> = rename.segments().collect();
        each_table(table, &segments, &mut |table| rename_in(rename, source, table, warnings))?;
    }
    Ok(())
}

/// Calls `each` with every table that the segments lead to.
fn each_table(
    table: &mut DeTable<'_>,
    segments: &[&str],
    each: &mut dyn FnMut(&mut DeTable<'_>) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let Some((first, rest)) = segments.split_first() else { return each(table) };
    for (key, value) in table.iter_mut() {
        if *first == "*" || *first == key.get_ref() {
            each_inside(value.get_mut(), rest, each)?;
        }
    }
    Ok(())
}

fn each_inside(
    value: &mut DeValue<'_>,
    segments: &[&str],
    each: &mut dyn FnMut(&mut DeTable<'_>) -> Result<(), FileError>,
) -> Result<(), FileError> {
    match (value, segments.split_first()) {
        (DeValue::Table(table), _) => each_table(table, segments, each),
        (DeValue::Array(elements), Some((&"*", rest))) => {
            elements.iter_mut().try_for_each(|element| each_inside(element.get_mut(), rest, each))
        }
        _ => Ok(()),
    }
}

fn rename_in(
    rename: &Rename,
    source: &Source,
    table: &mut DeTable<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<(), FileError> {
    if !rename.is_of_kind(table) {
        return Ok(());
    }
    if let Some(key) = rename.key {
        let Some(value) = table.get_mut(key).filter(|value| value.get_ref().as_str() == Some(rename.old))
        else {
            return Ok(());
        };
        warnings.push(old_word(source, value.span(), rename.old, rename.new));
        *value = Spanned::new(value.span(), DeValue::String(Cow::Borrowed(rename.new)));
        return Ok(());
    }
    let Some((old, _)) = table.get_key_value(rename.old) else { return Ok(()) };
    let span = old.span();
    if table.contains_key(rename.new) {
        let message = format!("`{}` is the old name of `{}`, which is given too", rename.old, rename.new);
        return Err(FileError::new(source, span, message).help(format!("leave `{}` out", rename.old)));
    }
    warnings.push(old_word(source, span.clone(), rename.old, rename.new));
    // Entry by entry, because their order may mean something.
    for (key, value) in std::mem::take(table) {
        let key = match key.get_ref() == rename.old {
            true => Spanned::new(span.clone(), Cow::Borrowed(rename.new)),
            false => key,
        };
        table.insert(key, value);
    }
    Ok(())
}

/// The keys of a path with their new names, where a document of new names has the path. `start` is where the path's
/// text begins in `source`.
pub(super) fn path(
    renames: &[Rename],
    source: &Source,
    start: usize,
    table: &DeTable<'_>,
    keys: &[(String, Range<usize>)],
    warnings: &mut Vec<Warning>,
) -> Vec<(String, Range<usize>)> {
    let mut path: Vec<(String, Range<usize>)> = Vec::with_capacity(keys.len());
    for (key, span) in keys {
        let applies = |rename: &&Rename| {
            let fits = rename.segments().count() == path.len()
                && rename.segments().zip(&path).all(|(segment, (key, _))| segment == "*" || segment == key);
            let kind = || follow(table, &path).is_some_and(|table| rename.is_of_kind(table));
            rename.key.is_none() && rename.old == key && fits && (rename.kinds.is_empty() || kind())
        };
        let key = match renames.iter().find(applies) {
            Some(rename) => {
                let place = start + span.start..start + span.end;
                warnings.push(old_word(source, place, rename.old, rename.new));
                rename.new.to_owned()
            }
            None => key.clone(),
        };
        path.push((key, span.clone()));
    }
    path
}

/// The table at a path.
fn follow<'t, 'i>(table: &'t DeTable<'i>, path: &[(String, Range<usize>)]) -> Option<&'t DeTable<'i>> {
    let Some(((first, _), rest)) = path.split_first() else { return Some(table) };
    let mut value = table.get(first.as_str())?.get_ref();
    for (key, _) in rest {
        value = match value {
            DeValue::Table(table) => table.get(key.as_str())?.get_ref(),
            DeValue::Array(array) => array.get(element(array, key)?)?.get_ref(),
            _ => return None,
        };
    }
    if let DeValue::Table(table) = value { Some(table) } else { None }
}

/// Texts that are not expressions.
const PROSE: [&str; 3] = ["title", "doc", "name"];

/// Warns of old functions in the expressions of a document.
pub(super) fn functions(
    old: &[OldFunction],
    source: &Source,
    table: &DeTable<'_>,
    warnings: &mut Vec<Warning>,
) {
    for (key, value) in table.iter() {
        if !PROSE.contains(&key.get_ref().as_ref()) {
            functions_in(old, source, value, warnings);
        }
    }
}

fn functions_in(
    old: &[OldFunction],
    source: &Source,
    value: &Spanned<DeValue<'_>>,
    warnings: &mut Vec<Warning>,
) {
    match value.get_ref() {
        DeValue::Table(table) => functions(old, source, table, warnings),
        DeValue::Array(array) => {
            array.iter().for_each(|element| functions_in(old, source, element, warnings));
        }
        DeValue::String(text) => {
            for function in old {
                if let Some(at) = call(text, function.old) {
                    let span = value.span();
                    let span = match source.slice(span.clone()).find(text.as_ref()) {
                        Some(quotes) => {
                            let start = span.start + quotes + at;
                            start..start + function.old.len()
                        }
                        None => span,
                    };
                    warnings.push(old_word(source, span, function.old, function.write));
                }
            }
        }
        _ => {}
    }
}

/// Where `text` calls the function first.
fn call(text: &str, name: &str) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    text.match_indices(name)
        .map(|(at, _)| at)
        .find(|at| !text[..*at].ends_with(is_word) && text[at + name.len()..].trim_start().starts_with('('))
}

fn old_word(source: &Source, span: Range<usize>, old: &str, new: &str) -> Warning {
    let message = format!("`{old}` is an old name");
    let help = format!("write `{new}`; the next release will not know `{old}`");
    Warning(FileError::new(source, span, message).help(help))
}
