//! TOML documents into specs.

use super::finite;
use super::format::Format;
use super::mend;
use super::overrides::Override;
use super::renames;
use super::toml_error::translate;
use crate::language::diagnostic::{FileError, Source, Warning};
use serde::de::DeserializeOwned;
use toml::de::DeTable;

/// What a document says, and all that is wrong with it.
#[derive(Clone, Debug)]
pub struct Read<T> {
    /// `None` where mistakes left a part of it unknown; keys that nothing knows do not.
    pub value: Option<T>,
    /// Old words.
    pub warnings: Vec<Warning>,
    /// Every mistake, in the order of the file.
    pub mistakes: Vec<FileError>,
}

impl<T> Read<T> {
    fn failed(warnings: Vec<Warning>, mistake: FileError) -> Self {
        Read { value: None, warnings, mistakes: vec![mistake] }
    }
}

/// Reads a TOML text as `T`, after laying the overrides over it; with warnings of old words.
///
/// The overrides become part of `source`, so that spans kept in `T` are spans of `source`.
///
/// # Errors
/// The first of: what is no TOML, or not of the type's form; overrides that reach nothing.
pub fn read<T: DeserializeOwned>(
    source: &mut Source,
    overrides: &[Override],
    format: &Format,
) -> Result<(T, Vec<Warning>), FileError> {
    let read = read_all(source, overrides, format);
    match (read.mistakes.into_iter().next(), read.value) {
        (None, Some(value)) => Ok((value, read.warnings)),
        (Some(mistake), _) => Err(mistake),
        // Nothing is unknown without a mistake.
        (None, None) => Err(FileError::new(source, 0..0, "this file cannot be read")),
    }
}

/// Longest file, bytes.
const LONGEST: usize = 16 << 20;

/// [`read`] that goes on after a mistake.
pub fn read_all<T: DeserializeOwned>(
    source: &mut Source,
    overrides: &[Override],
    format: &Format,
) -> Read<T> {
    let text = source.text.clone();
    let mut warnings = Vec::new();
    if text.len() > LONGEST {
        let message = format!("the file is longer than {} MiB", LONGEST >> 20);
        return Read::failed(warnings, FileError::new(source, 0..0, message));
    }
    let mut table = match DeTable::parse(&text) {
        Ok(table) => table,
        Err(error) => return Read::failed(warnings, translate(source, &error)),
    };
    let laid = renames::apply(format.renames, source, table.get_mut(), &mut warnings).and_then(|()| {
        for item in overrides {
            item.apply(source, table.get_mut(), format, &mut warnings)?;
        }
        // Again, for old words inside of values that overrides brought.
        renames::apply(format.renames, source, table.get_mut(), &mut warnings)
    });
    if let Err(mistake) = laid {
        return Read::failed(warnings, mistake);
    }
    renames::functions(format.functions, source, table.get_ref(), &mut warnings);
    let none = finite::mistakes(source, table.get_ref(), format.may_be_infinite);
    let (value, mut mistakes) = mend::read(source, table);
    // What the rest comes to is not known then.
    let value = value.filter(|_| none.is_empty());
    mistakes.extend(none);
    Read { value, warnings, mistakes }
}
