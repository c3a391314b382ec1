//! Warnings about elements that were ignored, and about probable mistakes: one of each kind, which lists all
//! places.

use aplomb_language::diagnostic::{FileError, Source, Warning};
use std::ops::Range;

/// Most names that a warning lists.
const MOST_NAMES: usize = 8;

/// What was passed over, in the order in which it was found.
#[derive(Default)]
pub struct Ignored {
    found: Vec<(String, Range<usize>)>,
}

impl Ignored {
    /// Notes something of this description.
    pub fn add(&mut self, what: String, span: Range<usize>) {
        self.found.push((what, span));
    }

    /// Notes all that another found.
    pub fn append(&mut self, other: Ignored) {
        self.found.extend(other.found);
    }

    /// One warning of all, at the place of the first.
    pub fn warning(&self, source: &Source, message: &str, help: &str) -> Option<Warning> {
        let (_, first) = self.found.first()?;
        let mut kinds: Vec<(&str, usize)> = Vec::new();
        for (what, _) in &self.found {
            match kinds.iter_mut().find(|(known, _)| known == what) {
                Some((_, count)) => *count += 1,
                None => kinds.push((what, 1)),
            }
        }
        let said = kinds.iter().map(|(what, count)| match count {
            1 => what.to_string(),
            _ => format!("{what} ({count}×)"),
        });
        let error = FileError::new(source, first.clone(), format!("{message}: {}", listed(said)));
        Some(Warning(error.help(help)))
    }

    /// Each as an error of its own.
    pub fn errors(&self, source: &Source) -> impl Iterator<Item = FileError> {
        self.found.iter().map(|(what, span)| {
            let message = format!("{what} is outside the subset, and the reader is strict");
            FileError::new(source, span.clone(), message)
        })
    }
}

/// The first few of a list, and how many more there are.
pub fn listed(said: impl Iterator<Item = String>) -> String {
    let said: Vec<String> = said.collect();
    let mut text = said[..said.len().min(MOST_NAMES)].join(", ");
    if let Some(more) = said.len().checked_sub(MOST_NAMES).filter(|more| *more > 0) {
        text += &format!(" and {more} more");
    }
    text
}

/// Of joints without an actuator in a file that has actuators: legal, and seldom meant. `joints` are their names, `first`
/// the place of the first.
pub fn of_passive_joints<'a>(
    source: &Source,
    joints: impl Iterator<Item = &'a str>,
    first: Range<usize>,
) -> Warning {
    let names: Vec<String> = joints.map(|name| format!("`{name}`")).collect();
    let (noun, verb) = if names.len() == 1 { ("joint", "has") } else { ("joints", "have") };
    let said = listed(names.into_iter());
    let message =
        format!("{noun} {said} {verb} no actuator, and others have: no torque but of springs and dampers");
    let help = "give each joint that is to be driven a <motor>; without any, all joints are driven";
    Warning(FileError::new(source, first, message).help(help))
}
