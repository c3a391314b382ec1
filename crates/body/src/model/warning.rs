//! Warnings about elements that were ignored, and about probable mistakes: one of each kind, which lists all
//! places.

use aplomb_language::diagnostic::{FileError, Source, Warning};
use std::ops::Range;

/// Largest number of names that a warning lists.
const MOST_NAMES: usize = 8;

/// Ignored elements, in the order found.
#[derive(Default)]
pub struct Ignored {
    found: Vec<(String, Range<usize>)>,
}

impl Ignored {
    /// Adds an element with this description.
    pub fn add(&mut self, what: String, span: Range<usize>) {
        self.found.push((what, span));
    }

    /// Adds all elements of another list.
    pub fn append(&mut self, other: Ignored) {
        self.found.extend(other.found);
    }

    /// One warning for all, at the place of the first.
    pub fn warning(&self, source: &Source, message: &str, help: &str) -> Option<Warning> {
        let (_, first) = self.found.first()?;
        let mut kinds: Vec<(&str, usize)> = Vec::new();
        for (what, _) in &self.found {
            match kinds.iter_mut().find(|(known, _)| known == what) {
                Some((_, count)) => *count += 1,
                None => kinds.push((what, 1)),
            }
        }
        let counts = kinds.iter().map(|(what, count)| match count {
            1 => what.to_string(),
            _ => format!("{what} ({count}×)"),
        });
        let error = FileError::new(source, first.clone(), format!("{message}: {}", listed(counts)));
        Some(Warning(error.help(help)))
    }

    /// One error for each element.
    pub fn errors(&self, source: &Source) -> impl Iterator<Item = FileError> {
        self.found.iter().map(|(what, span)| {
            let message = format!("{what} is outside the subset, and the reader is strict");
            FileError::new(source, span.clone(), message)
        })
    }
}

/// The first few of a list, and the number of the rest.
pub fn listed(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    let mut text = items[..items.len().min(MOST_NAMES)].join(", ");
    if let Some(more) = items.len().checked_sub(MOST_NAMES).filter(|more| *more > 0) {
        text += &format!(" and {more} more");
    }
    text
}

/// Warning about joints without an actuator in a file with actuators: valid, and seldom intended. `joints`
/// are their names, `first` the place of the first.
#[cfg(feature = "files")]
pub(crate) fn of_passive_joints<'a>(
    source: &Source,
    joints: impl Iterator<Item = &'a str>,
    first: Range<usize>,
) -> Warning {
    let names: Vec<String> = joints.map(|name| format!("`{name}`")).collect();
    let (noun, verb) = if names.len() == 1 { ("joint", "has") } else { ("joints", "have") };
    let items = listed(names.into_iter());
    let message = format!(
        "{noun} {items} {verb} no actuator, while others have: only passive torques of springs and dampers"
    );
    let help = "give each joint that is to be driven a <motor>; without any, all joints are driven";
    Warning(FileError::new(source, first, message).help(help))
}
