//! TOML documents into specs.

use super::overrides::Override;
use super::renames::{self, OldFunction, Rename};
use super::toml_error::translate;
use crate::language::diagnostic::{FileError, Source, Warning};
use serde::de::DeserializeOwned;
use toml::de::{DeArray, DeTable, Deserializer};

/// What a kind of file says beyond its types.
#[derive(Clone, Copy, Debug, Default)]
pub struct Format {
    /// Tables whose keys users choose (`events`, `states`): an override cannot reach through a name that is not
    /// there.
    pub named: &'static [&'static str],
    /// Keys and values of the release before.
    pub renames: &'static [Rename],
    /// Functions of the release before, in expressions.
    pub functions: &'static [OldFunction],
}

/// Reads a TOML text as `T`, after laying the overrides over it; with warnings of old words.
///
/// The overrides become part of `source`, so that spans kept in `T` are spans of `source`.
///
/// # Errors
/// What is no TOML, or not of the type's form; overrides that reach nothing.
pub fn read<T: DeserializeOwned>(
    source: &mut Source,
    overrides: &[Override],
    format: &Format,
) -> Result<(T, Vec<Warning>), FileError> {
    let text = source.text.clone();
    let mut table = DeTable::parse(&text).map_err(|error| translate(source, &error))?;
    let mut warnings = Vec::new();
    renames::apply(format.renames, source, table.get_mut(), &mut warnings)?;
    for item in overrides {
        item.apply(source, table.get_mut(), format, &mut warnings)?;
    }
    // Again, for old words inside of values that overrides brought.
    renames::apply(format.renames, source, table.get_mut(), &mut warnings)?;
    renames::functions(format.functions, source, table.get_ref(), &mut warnings);
    let value = T::deserialize(Deserializer::from(table)).map_err(|error| translate(source, &error))?;
    Ok((value, warnings))
}

/// The element with that `name`, else with that index.
pub(super) fn element(array: &DeArray<'_>, key: &str) -> Option<usize> {
    let named = array.iter().position(|element| {
        element.get_ref().get("name").is_some_and(|name| name.get_ref().as_str() == Some(key))
    });
    named.or_else(|| key.parse().ok().filter(|index| *index < array.len()))
}
