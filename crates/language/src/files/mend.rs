//! All mistakes of a document, where serde stops at the first: the wrong part is removed or replaced by the
//! probable intention, a missing one by a stand-in, and the rest is read again.

use super::absent;
use super::document::Format;
use super::part::{DocumentPart, TypeMismatch};
use super::stand_in::StandIn;
use super::toml_error::{missing, translate, unexpected, unknown};
use crate::diagnostic::{FileError, Source, nearest};
use serde::de::DeserializeOwned;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// Largest number of reported mistakes; a file with more is of another kind.
const MOST: usize = 50;
/// Largest number of times that a document is read: each stand-in is tried as several types.
const MOST_READS: usize = 8 * MOST;

/// The key at the top of a controller without which its other parts may be wrong.
const START: &str = "start";

/// Keys and indices from the root to an item of a document.
pub(super) type ItemPath = Vec<String>;

/// The value, if only plain values of unknown keys were removed and only harmless ones were missing, and all mistakes
/// in the order of the file.
pub(super) fn read<T: DeserializeOwned>(
    source: &Source,
    mut table: Spanned<DeTable<'_>>,
    format: &Format,
) -> (Option<T>, Vec<FileError>) {
    for (place, key) in format.first {
        let segments: Vec<&str> = place.split('.').collect();
        put_first(table.get_mut(), &segments, key);
    }
    let mut mistakes = Vec::new();
    let mut taken: Vec<ItemPath> = Vec::new();
    let mut stand_in: Option<StandIn> = None;
    let mut is_whole = true;
    for _ in 0..MOST_READS {
        if mistakes.len() >= MOST {
            break;
        }
        let error = match T::deserialize(DocumentPart::document(table.clone())) {
            Ok(value) => {
                mistakes.sort_by_key(line);
                return (Some(value).filter(|_| is_whole), mistakes);
            }
            Err(error) => error,
        };
        if let Some(wrong) = stand_in.as_mut().filter(|stand_in| stand_in.is_blamed(&error)) {
            if wrong.change(table.get_mut()) {
                continue;
            }
            // No stand-in has a suitable type: the rest is read without the table that lacks the key.
            let path = std::mem::take(&mut wrong.path);
            (stand_in, is_whole) = (None, false);
            if take_out(table.get_mut(), &path).is_none() {
                break;
            }
            taken.push(path);
            continue;
        }
        // An error without a span refers to the whole document.
        let span = error.span.clone().filter(|span| !span.is_empty());
        let mut path = span.and_then(|span| path_of(table.get_ref(), &span)).unwrap_or_default();
        let absent = missing(&error.message);
        if let (Some(key), Some(span)) = (absent, &error.span) {
            path.extend(element_without(table.get_mut(), &path, key, span));
        }
        if let Some((wrong, meant)) = meant(&error.message)
            && rename(table.get_mut(), &path, &wrong, &meant)
        {
            mistakes.push(translate(source, &error.message, error.span.clone()));
            continue;
        }
        // The absence of a part that was removed before is not another mistake.
        let is_removed = match absent {
            Some(key) => taken.iter().any(|other| other.strip_prefix(&path[..]) == Some(&[key.to_owned()])),
            None => is_above(&path, &taken),
        };
        if !is_removed {
            mistakes.push(reported::<T>(source, table.get_ref(), format, &path, &error));
        }
        let place = error.span.clone().unwrap_or(0..0);
        if let Some(key) = absent
            && let Some(new) = StandIn::put(table.get_mut(), &path, key, place, mistakes.len())
        {
            is_whole &= new.is_harmless();
            stand_in = Some(new);
            continue;
        }
        if path.is_empty() {
            break;
        }
        let out = take_out(table.get_mut(), &path);
        // Removing a table would cause further errors where other parts refer to it; a plain value under an
        // unknown key is never referred to, and settings at the top have defaults.
        is_whole &= match path.as_slice() {
            [setting] if setting != START => out.is_some_and(|value| is_setting(&value)),
            _ => error.message.starts_with("unknown field") && out.is_some_and(|value| is_plain(&value)),
        };
        taken.retain(|other| !other.starts_with(&path));
        taken.push(path);
    }
    mistakes.sort_by_key(line);
    (None, mistakes)
}

/// The mistake in the form reported to the user.
fn reported<T: DeserializeOwned>(
    source: &Source,
    table: &DeTable<'_>,
    format: &Format,
    path: &ItemPath,
    error: &TypeMismatch,
) -> FileError {
    let absent = missing(&error.message).and_then(|key| absent::named(source, table, format, path, key));
    let mistake = absent.unwrap_or_else(|| translate(source, &error.message, error.span.clone()));
    if let Some(help) = format.hint(&error.message, path) {
        return mistake.help(help);
    }
    // A key after the header of a table belongs to that table.
    match unknown(&error.message, "unknown field ").or_else(|| unexpected(&error.message)) {
        Some((key, _)) if !path.is_empty() && keys_at_the_top::<T>().iter().any(|known| known == key) => {
            mistake.help(format!("`{key}` belongs to the top of the file, above the first `[…]`"))
        }
        _ => mistake,
    }
}

/// The keys that are allowed at the top of a file; empty for a type without a list of keys.
fn keys_at_the_top<T: DeserializeOwned>() -> Vec<String> {
    let value = Spanned::new(0..0, DeValue::Boolean(true));
    let table = DeTable::from_iter([(Spanned::new(0..0, "\0".into()), value)]);
    let known = |error: TypeMismatch| {
        let (_, known) = unknown(&error.message, "unknown field ")?;
        Some(known.into_iter().map(str::to_owned).collect())
    };
    T::deserialize(DocumentPart::document(Spanned::new(0..0, table)))
        .err()
        .and_then(known)
        .unwrap_or_default()
}

/// Moves a key to the front of its table.
fn put_first(table: &mut DeTable<'_>, place: &[&str], key: &str) {
    let Some((segment, below)) = place.split_first() else {
        if let Some(first) = table.remove_entry(key) {
            let others = std::mem::take(table);
            table.extend(std::iter::once(first).chain(others));
        }
        return;
    };
    for (name, value) in table.iter_mut() {
        if (*segment == "*" || name.get_ref() == *segment)
            && let DeValue::Table(table) = value.get_mut()
        {
            put_first(table, below, key);
        }
    }
}

/// File and line, the order of mistakes; the sort keeps the order within a line.
fn line(mistake: &FileError) -> (String, usize) {
    let (file, line, _) = mistake.place();
    (file, line)
}

/// Whether an item below this path was removed.
fn is_above(path: &ItemPath, taken: &[ItemPath]) -> bool {
    taken.iter().any(|other| other.len() > path.len() && other.starts_with(path))
}

/// An unknown key, and the key that was probably intended.
fn meant(message: &str) -> Option<(String, String)> {
    let (wrong, known) = unknown(message, "unknown field ")
        .or_else(|| unknown(message, "unknown variant "))
        .or_else(|| unexpected(message))?;
    Some((wrong.to_owned(), nearest(wrong, known)?.to_owned()))
}

/// Renames the wrong key at `path`, or in the table there, unless the new name already exists.
fn rename(table: &mut DeTable<'_>, path: &[String], wrong: &str, name: &str) -> bool {
    let parents = match path.split_last() {
        Some((last, parents)) if last == wrong => parents,
        _ => path,
    };
    let Some(ContainerItem::Table(table)) = descend(table, parents) else { return false };
    if table.contains_key(name) {
        return false;
    }
    let Some((key, value)) = table.remove_entry(wrong) else { return false };
    table.insert(Spanned::new(key.span(), name.to_owned().into()), value);
    true
}

fn is_plain(value: &DeValue<'_>) -> bool {
    !matches!(value, DeValue::Table(_) | DeValue::Array(_))
}

/// A plain value, or a list of those.
fn is_setting(value: &DeValue<'_>) -> bool {
    match value {
        DeValue::Array(items) => items.iter().all(|item| is_plain(item.get_ref())),
        value => is_plain(value),
    }
}

/// The innermost item whose key or value contains the span of an error.
fn path_of(table: &DeTable<'_>, span: &Range<usize>) -> Option<ItemPath> {
    let mut best: Option<(usize, ItemPath)> = None;
    let mut here = ItemPath::new();
    search(table, span, &mut here, &mut best);
    best.map(|(_, path)| path)
}

fn search(
    table: &DeTable<'_>,
    span: &Range<usize>,
    here: &mut ItemPath,
    best: &mut Option<(usize, ItemPath)>,
) {
    for (key, value) in table {
        here.push(key.get_ref().to_string());
        offer(&key.span(), span, here, best);
        enter(value, span, here, best);
        here.pop();
    }
}

fn enter(
    value: &Spanned<DeValue<'_>>,
    span: &Range<usize>,
    here: &mut ItemPath,
    best: &mut Option<(usize, ItemPath)>,
) {
    offer(&value.span(), span, here, best);
    match value.get_ref() {
        DeValue::Table(table) => search(table, span, here, best),
        DeValue::Array(array) => {
            for (index, element) in array.iter().enumerate() {
                here.push(index.to_string());
                enter(element, span, here, best);
                here.pop();
            }
        }
        _ => {}
    }
}

/// Keeps the path if its span contains the given one and is shorter than the best so far.
fn offer(own: &Range<usize>, wanted: &Range<usize>, here: &ItemPath, best: &mut Option<(usize, ItemPath)>) {
    if own.is_empty() || own.start > wanted.start || own.end < wanted.end {
        return;
    }
    let excess = own.len() - wanted.len();
    if best.as_ref().is_none_or(|(least, _)| excess < *least) {
        *best = Some((excess, here.clone()));
    }
}

/// Index of the first table in the list at `path` that has this span and lacks the key: an error about the first
/// table has the span of the whole list.
fn element_without(
    table: &mut DeTable<'_>,
    path: &[String],
    key: &str,
    span: &Range<usize>,
) -> Option<String> {
    let Some(ContainerItem::Array(array)) = descend(table, path) else { return None };
    let lacks = |element: &Spanned<DeValue<'_>>| {
        element.span() == *span
            && matches!(element.get_ref(), DeValue::Table(table) if !table.contains_key(key))
    };
    array.iter().position(lacks).map(|index| index.to_string())
}

/// The table at a path.
pub(super) fn table_at<'d, 'i>(table: &'d mut DeTable<'i>, path: &[String]) -> Option<&'d mut DeTable<'i>> {
    match descend(table, path)? {
        ContainerItem::Table(table) => Some(table),
        ContainerItem::Array(_) => None,
    }
}

/// An item of the document that has children.
enum ContainerItem<'d, 'i> {
    Table(&'d mut DeTable<'i>),
    Array(&'d mut DeArray<'i>),
}

fn descend<'d, 'i>(table: &'d mut DeTable<'i>, path: &[String]) -> Option<ContainerItem<'d, 'i>> {
    let mut place = ContainerItem::Table(table);
    for key in path {
        let value = match place {
            ContainerItem::Table(table) => table.get_mut(key.as_str())?,
            ContainerItem::Array(array) => array.get_mut(key.parse::<usize>().ok()?)?,
        };
        place = match value.get_mut() {
            DeValue::Table(table) => ContainerItem::Table(table),
            DeValue::Array(array) => ContainerItem::Array(array),
            _ => return None,
        };
    }
    Some(place)
}

fn take_out<'i>(table: &mut DeTable<'i>, path: &[String]) -> Option<DeValue<'i>> {
    let (last, parents) = path.split_last()?;
    match descend(table, parents)? {
        ContainerItem::Table(table) => table.remove(last.as_str()).map(Spanned::into_inner),
        ContainerItem::Array(array) => {
            let index = last.parse::<usize>().ok()?;
            let mut out = None;
            for (k, element) in std::mem::replace(array, DeArray::new()).into_iter().enumerate() {
                if k == index {
                    out = Some(element.into_inner());
                } else {
                    array.push(element);
                }
            }
            out
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{Format, read_all};
    use serde::Deserialize;

    // Only whether these parse matters; their fields are not read.
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only whether it parses counts")]
    struct Animal {
        name: String,
        legs: Option<f64>,
        of: Option<Kind>,
        at: Option<[f64; 2]>,
        food: Option<Food>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "snake_case")]
    #[expect(dead_code, reason = "only whether it parses counts")]
    enum Kind {
        Bird { wings: f64 },
    }

    #[derive(Debug, Deserialize)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    #[expect(dead_code, reason = "only whether it parses counts")]
    enum Food {
        Hay { mass: f64 },
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only whether it parses counts")]
    struct Zoo {
        #[serde(default)]
        animals: Vec<Animal>,
    }

    /// Whether the text was parsed, and the lines of its mistakes.
    fn found(text: &str) -> (bool, Vec<usize>) {
        let read = read_all::<Zoo>(&mut Source::new("zoo.toml", text), &[], &Format::default());
        (read.value.is_some(), read.mistakes.iter().map(|mistake| mistake.place().1).collect())
    }

    #[test]
    fn every_mistake_of_a_document_is_found_once() {
        assert_eq!(found("animals = [{ name = \"cow\", legs = 4 }]\n"), (true, vec![]));
        let text = "[[animals]]\nname = \"cow\"\nlgs = 4\n\n[[animals]]\nname = 5\nlegs = 4\n\n[[animals]]\nname = \
                \"hen\"\n\
                    of.brid.wings = 2\n\n[[animals]]\nname = \"emu\"\nat = [1, \"x\"]\nlegs = \"two\"\n";
        assert_eq!(found(text), (false, vec![3, 6, 11, 15, 16]));
        assert!(found("[[animals]]\nnmae = \"cow\"\nof.brid.wngs = 2\n").0, "what was meant is plain");
    }

    #[test]
    fn a_missing_key_hides_nothing_else() {
        // The missing name of the first table and the missing content of its kind, and another mistake.
        let text = "[[animals]]\nlegs = \"two\"\nof.bird = {}\n\n[[animals]]\nat = 4\n";
        assert_eq!(found(text), (false, vec![1, 2, 3, 5, 6]));
        assert!(found("[[animals]]\nlegs = 4\n").0, "with a name it would be right");
        assert!(!found("[[animals]]\nname = \"hen\"\nof.bird = {}\n").0, "the number of wings is not known");
    }

    #[test]
    fn a_kind_that_is_missing_or_unknown_is_told_once() {
        assert_eq!(found("[[animals]]\nname = \"cow\"\n[animals.food]\nmass = 2\n"), (false, vec![3]));
        let unknown =
            "[[animals]]\nname = \"cow\"\nlegs = \"two\"\n[animals.food]\nkind = \"hya!\"\nmass = 2\n";
        assert_eq!(found(unknown), (false, vec![3, 5]));
    }

    #[test]
    fn a_key_of_the_top_in_a_table_is_told_where_it_belongs() {
        let text = "[[animals]]\nname = \"cow\"\nanimals = []\n";
        let read = read_all::<Zoo>(&mut Source::new("zoo.toml", text), &[], &Format::default());
        let help = read.mistakes[0].help.as_deref();
        assert_eq!(help, Some("`animals` belongs to the top of the file, above the first `[…]`"));
    }

    #[test]
    fn an_array_with_an_element_too_many_is_a_mistake_with_its_line() {
        assert_eq!(found("[[animals]]\nname = \"cow\"\nat = [1, 2]\n"), (true, vec![]));
        assert_eq!(found("[[animals]]\nname = \"cow\"\nat = [1, 2, 3]\n"), (false, vec![3]));
        assert_eq!(found("[[animals]]\nname = \"cow\"\nat = [1]\n"), (false, vec![3]));
    }

    #[test]
    fn a_document_with_nothing_but_unknown_keys_is_read_without_them() {
        assert_eq!(found("zookeeper = 1\n[[animals]]\nname = \"cow\"\nlgs = 4\n"), (true, vec![1, 4]));
        assert_eq!(found("[[animals]]\nlegs = 4\n").1, [1], "a missing key");
    }
}
