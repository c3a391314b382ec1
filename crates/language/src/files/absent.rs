//! Tables that extend something that does not exist: `[characters.bb.success]` where the file has only
//! `[characters.b]`.

use super::format::Format;
use crate::diagnostic::{FileError, Source, nearest};
use toml::de::{DeTable, DeValue};

/// What is said where the table at `path` lacks `key`, if it is one that adds to what somebody named: it has nothing of its
/// own but tables, as those have that add to others, and the file has others of its kind.
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

/// What one of the things in a table of this name is.
fn singular(table: &str) -> &str {
    match table {
        "passive" => "passive object",
        _ => table.strip_suffix('s').unwrap_or(table),
    }
}
