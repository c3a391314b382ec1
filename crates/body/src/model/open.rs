//! Opening of models: from files, from strings, and from those that ship with the library.

use super::{Model, mjcf};
use aplomb_language::diagnostic::Source;
use aplomb_language::files::{self, Folder, ReadError};
use std::path::Path;

impl Model {
    /// A character or passive object that ships with the library, by name: `adult`, `ball`.
    ///
    /// # Errors
    /// A name that no shipped model has.
    pub fn shipped(name: &str) -> Result<Self, ReadError> {
        let found = files::find_shipped(Folder::Characters, name)
            .or_else(|missing| files::find_shipped(Folder::Passive, name).map_err(|_| missing))?;
        Self::of(&found.source)
    }

    /// A model from an MJCF file on disk.
    ///
    /// # Errors
    /// A file that does not exist, and errors in it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        Self::of(&files::open(path.as_ref())?)
    }

    /// A model from MJCF text; `name` is its name in messages.
    ///
    /// # Errors
    /// Errors in the text.
    pub fn parse(name: &str, text: &str) -> Result<Self, ReadError> {
        Self::of(&Source::new(name, text))
    }

    fn of(source: &Source) -> Result<Self, ReadError> {
        Ok(mjcf::read(source)?)
    }
}
