//! A controller's file: its text, and what that says.

use super::check::check;
use super::spec::{ControllerSpec, read};
use crate::language::diagnostic::{FileErrors, Source};
use crate::language::files::{self, Folder, ReadError};
use std::path::Path;

/// A controller as its file says, with the text that the places of its values point into.
#[derive(Clone, Debug)]
pub struct ControllerFile {
    /// The text with its name, for messages.
    pub source: Source,
    /// What the text says.
    pub spec: ControllerSpec,
}

impl ControllerFile {
    /// A controller that ships with the library, by name: `balance`, `paper/balance`.
    ///
    /// # Errors
    /// A name that none has.
    pub fn shipped(name: &str) -> Result<Self, ReadError> {
        Self::of(files::find_shipped(Folder::Controllers, name)?.source)
    }

    /// A controller from a file on disk.
    ///
    /// # Errors
    /// A file that is not there, and every mistake in it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        Self::of(files::open(path.as_ref())?)
    }

    /// A controller from a text in TOML; `name` is what messages call it.
    ///
    /// # Errors
    /// Every mistake in the text.
    pub fn parse(name: &str, text: &str) -> Result<Self, ReadError> {
        Self::of(Source::new(name, text))
    }

    fn of(source: Source) -> Result<Self, ReadError> {
        let (source, spec) = read(source, &[])?;
        let errors = check(&spec, &source).errors;
        if errors.is_empty() {
            Ok(ControllerFile { source, spec })
        } else {
            Err(FileErrors::from(errors).into())
        }
    }
}
