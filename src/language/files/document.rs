//! TOML documents into specs.

use super::overrides::Override;
use super::toml_error::translate;
use crate::language::diagnostic::{FileError, Source};
use serde::de::DeserializeOwned;
use toml::de::{DeTable, Deserializer};

/// Reads a TOML text as `T`, after laying the overrides over it. `named` lists the tables whose keys users
/// choose (`events`, `states`): an override cannot reach through a name that is not there.
///
/// The overrides become part of `source`, so that spans kept in `T` are spans of `source`.
pub fn read<T: DeserializeOwned>(
    source: &mut Source,
    overrides: &[Override],
    named: &[&str],
) -> Result<T, FileError> {
    let text = source.text.clone();
    let mut table = DeTable::parse(&text).map_err(|error| translate(source, &error))?;
    for item in overrides {
        item.apply(source, table.get_mut(), named)?;
    }
    T::deserialize(Deserializer::from(table)).map_err(|error| translate(source, &error))
}
