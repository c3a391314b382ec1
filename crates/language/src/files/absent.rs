//! Tables that extend something that does not exist: `[characters.bb.success]` where the file has only
//! `[characters.b]`.

use super::document::Format;
use crate::diagnostic::{FileError, Source, nearest};
use toml::de::{DeTable, DeValue};

/// A mistake at `path` if the table there lacks `key` and the key was meant to extend an existing entry: its
/// value has only tables, as extensions have, and the file has other entries of its kind.
pub(super) fn named(
    source: &Source,
    table: &DeTable<'_>,
    format: &Format,
    path: &[String],
    key: &str,
) -> Option<FileError> {
    let [of, name] = path else { return None };
    let is_named = format.named.contains(&of.as_str());
    let DeValue::Table(all) = table.get(of.as_str()).filter(|_| is_named)?.get_ref() else { return None };
    let (at, own) = all.get_key_value(name.as_str())?;
    let DeValue::Table(own) = own.get_ref() else { return None };
    let only_adds = !own.is_empty() && own.values().all(|value| matches!(value.get_ref(), DeValue::Table(_)));
    let others: Vec<&str> =
        all.keys().map(|other| other.get_ref().as_ref()).filter(|other| other != name).collect();
    if !only_adds || others.is_empty() {
        return None;
    }
    let message = format!("there is no {} `{name}`", singular(of));
    let error = FileError::new(source, at.span(), message);
    Some(match nearest(name, others.iter().copied()) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error.help(format!("known: {}; another one needs `{key}`", others.join(", "))),
    })
}

/// Singular of a table's name, for messages.
fn singular(table: &str) -> &str {
    match table {
        "passive" => "passive object",
        _ => table.strip_suffix('s').unwrap_or(table),
    }
}
