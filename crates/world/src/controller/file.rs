//! A controller's file: its text and its specification.

use super::check::check;
use super::compose::read;
use super::spec::{ControllerSpec, ObjectiveEntry};
use aplomb_language::diagnostic::{FileErrors, Source};
use aplomb_language::files::{self, Folder, Override, ReadError, quoted};
use std::path::Path;

/// A parsed controller file, with the text that the places of its values refer to.
#[derive(Clone, Debug)]
pub struct ControllerFile {
    /// The text with its name, for messages.
    pub source: Source,
    /// Specification from the text with overrides applied.
    pub spec: ControllerSpec,
    /// Overrides of values of the text.
    pub overrides: Vec<Override>,
}

impl ControllerFile {
    /// A controller that ships with the library, by name: `balance`, `paper/balance`.
    ///
    /// # Errors
    /// A name that no shipped controller has.
    pub fn shipped(name: &str) -> Result<Self, ReadError> {
        Self::of(files::find_shipped(Folder::Controllers, name)?.source)
    }

    /// A controller from a file on disk.
    ///
    /// # Errors
    /// A file that does not exist, and every error in it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        Self::of(files::open(path.as_ref())?)
    }

    /// A controller from TOML text; `name` is its name in messages.
    ///
    /// # Errors
    /// Every error in the text.
    pub fn parse(name: &str, text: &str) -> Result<Self, ReadError> {
        Self::of(Source::new(name, text))
    }

    fn of(source: Source) -> Result<Self, ReadError> {
        Ok(Self::laid_over(source, Vec::new())?)
    }

    /// The controller with another value at a path of keys, such as `parameters.crouch` or
    /// `states.swing.objectives.foot.weight`; `value` is in TOML.
    ///
    /// # Errors
    /// A path that does not exist, and a value that is not valid there.
    pub fn with_value(&self, path: &str, value: &str) -> Result<Self, FileErrors> {
        let item = Override::of_controller(path, value)?;
        let mut overrides = self.overrides.clone();
        overrides.retain(|other| !other.is_of_same_value(&item));
        overrides.push(item);
        Self::laid_over(self.source.alone(), overrides)
    }

    /// The keys of the objectives of a state, by index: those of every state first.
    pub fn objective_paths(&self, state: usize) -> Vec<String> {
        let list = |prefix: String, entries: &[ObjectiveEntry]| -> Vec<String> {
            let name = |place: usize| entries[place].name.get_ref();
            let is_first = |place: usize| (0..place).all(|other| name(other) != name(place));
            let key = |place: usize| if is_first(place) { quoted(name(place)) } else { place.to_string() };
            let path = |place: usize| {
                let own = || format!("{prefix}objectives.{}", key(place));
                entries[place].path.clone().unwrap_or_else(own)
            };
            (0..entries.len()).map(path).collect()
        };
        let mut paths = list(String::new(), &self.spec.objectives);
        if let Some((name, of_state)) = self.spec.states.get_index(state) {
            paths.extend(list(format!("states.{}.", quoted(name.get_ref())), &of_state.objectives));
        }
        paths
    }

    fn laid_over(source: Source, overrides: Vec<Override>) -> Result<Self, FileErrors> {
        let (source, spec) = read(source, &overrides)?;
        let errors = check(&spec, &source).errors;
        if errors.is_empty() {
            Ok(ControllerFile { source, spec, overrides })
        } else {
            Err(FileErrors::from(errors))
        }
    }
}
