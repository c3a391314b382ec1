//! Single objectives and constraints of a program, in the form in which controller files write them.

use super::format::FORMAT;
use super::spec::ObjectiveEntry;
use aplomb_control::constraint::{self, CollisionAvoidance};
use aplomb_language::diagnostic::{FileError, FileErrors, Source, nearest};
use aplomb_language::files::read_all;
use serde::de::DeserializeOwned;

/// Constraints with settings: they can be added, and added again. The others follow from body and surroundings.
const WITH_SETTINGS: [&str; 1] = ["collision_avoidance"];

/// A constraint of a program.
#[derive(Clone, Debug)]
pub enum ConstraintEntry {
    /// See [`CollisionAvoidance`].
    CollisionAvoidance(CollisionAvoidance),
}

/// A name that no constraint has, or one of a constraint without settings.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConstraintKindError {
    /// There is no such kind.
    #[error("there is no constraint `{name}`{}; with settings: {}", meant(.name), WITH_SETTINGS.join(", "))]
    Unknown {
        /// The name that was given.
        name: String,
    },
    /// The constraint holds without being added.
    #[error(
        "`{name}` holds for every character to which it applies, and has no settings; with settings: {}",
        WITH_SETTINGS.join(", ")
    )]
    Always {
        /// Its name.
        name: &'static str,
    },
}

/// The most similar name, as a question.
fn meant(name: &str) -> String {
    nearest(name, constraint::list().into_iter().map(|(name, _)| name))
        .map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

impl ObjectiveEntry {
    /// An objective in TOML, with the keys of an entry of `objectives`: `name`, `weight`, `of = { KIND = { … } }`, …
    ///
    /// # Errors
    /// Every mistake that can be found without a body.
    pub fn parse(source: &Source) -> Result<Self, FileErrors> {
        let entry: Self = parse(source)?;
        let mut mistakes = Vec::new();
        entry.check(source, &mut |mistake| mistakes.push(mistake));
        if mistakes.is_empty() { Ok(entry) } else { Err(mistakes.into()) }
    }
}

impl ConstraintEntry {
    /// Whether constraints of this kind can be added.
    ///
    /// # Errors
    /// A name that no constraint has, and that of a constraint without settings.
    pub fn check_kind(kind: &str) -> Result<(), ConstraintKindError> {
        if WITH_SETTINGS.contains(&kind) {
            return Ok(());
        }
        let known = constraint::list().into_iter().find(|(name, _)| *name == kind);
        Err(known.map_or_else(
            || ConstraintKindError::Unknown { name: kind.into() },
            |(name, _)| ConstraintKindError::Always { name },
        ))
    }

    /// A constraint in TOML, with the keys that it has in a controller file.
    ///
    /// # Errors
    /// Every mistake that can be found without a body, at its place; at the beginning for a kind that does not exist.
    pub fn parse(kind: &str, source: &Source) -> Result<Self, FileErrors> {
        Self::check_kind(kind).map_err(|wrong| FileError::new(source, 0..0, wrong.to_string()))?;
        Ok(ConstraintEntry::CollisionAvoidance(parse(source)?))
    }
}

fn parse<T: DeserializeOwned>(source: &Source) -> Result<T, FileErrors> {
    let read = read_all(&mut source.clone(), &[], &FORMAT);
    match read.value {
        Some(value) if read.mistakes.is_empty() => Ok(value),
        _ => Err(read.mistakes.into()),
    }
}
