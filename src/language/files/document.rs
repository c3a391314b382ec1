//! TOML documents into specs.

use super::format::Format;
use super::overrides::Override;
use super::renames;
use super::toml_error::translate;
use crate::language::diagnostic::{FileError, Source, Warning};
use serde::de::DeserializeOwned;
use toml::de::{DeTable, Deserializer};

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
