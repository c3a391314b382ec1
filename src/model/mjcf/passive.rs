//! Joints that nothing drives although others are driven: legal, and seldom meant.

use crate::language::diagnostic::{FileError, Source, Warning};
use crate::model::Model;

/// Most joints that a warning names.
const MOST_NAMES: usize = 8;

/// Warns of joints without an actuator in a file that has actuators, at the line of the first; `source` is the text
/// that `model` was read from.
pub fn warn_of_passive_joints(source: &Source, model: &Model) -> Option<Warning> {
    let names: Vec<String> = model.passive_joints().map(|joint| format!("`{}`", joint.name)).collect();
    let first = model.passive_joints().next()?;
    let mut said = names[..names.len().min(MOST_NAMES)].join(", ");
    if let Some(more) = names.len().checked_sub(MOST_NAMES).filter(|more| *more > 0) {
        said += &format!(" and {more} more");
    }
    let (noun, verb) = if names.len() == 1 { ("joint", "has") } else { ("joints", "have") };
    let message =
        format!("{noun} {said} {verb} no actuator, and others have: no torque but of springs and dampers");
    let error = FileError::new(source, line_span(source, first.line), message);
    Some(Warning(
        error.help("give each joint that is to be driven a <motor>; without any, all joints are driven"),
    ))
}

/// Where a line, counted from 1, has text.
fn line_span(source: &Source, line: usize) -> std::ops::Range<usize> {
    let text = &source.text;
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let written = text[start..].lines().next().unwrap_or_default();
    let indent = written.len() - written.trim_start().len();
    start + indent..start + written.trim_end().len().max(indent)
}
