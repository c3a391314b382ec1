//! A state in which a run waits for a condition that does not hold, and the thresholds of its conditions.

use super::evidence::Recording;
use aplomb_language::expression::NearMiss;
use aplomb_math::seconds::seconds;
use aplomb_scene::SceneFiles;
use aplomb_world::controller::{ControllerFile, Stay};
use serde::Serialize;

/// A run waits in a state that lasts for at least this share of it and this time, s.
const LONG: f64 = 0.4;
const LEAST: f64 = 1.5;
/// Largest number of thresholds of a condition that are changed.
const MOST_THRESHOLDS: usize = 4;

/// A state that was entered and never left.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Waiting {
    /// Name of the state.
    pub(crate) state: String,
    /// Time of entry, s.
    pub(crate) from: f64,
    /// Duration of the stay, s.
    pub(crate) lasted: f64,
    /// The condition that would have ended it, as written.
    pub(crate) until: String,
    /// Its comparison that was nearest to holding.
    pub(crate) nearest: NearMiss,
}

impl Waiting {
    /// The last state of a run without loss of balance, and those that it is in, if they continue for long
    /// although their `until` should end them; the outermost first.
    pub(crate) fn of(files: &SceneFiles, run: &Recording) -> Vec<Self> {
        if run.summary.balance_lost_at.is_some() {
            return Vec::new();
        }
        let character = files.characters.iter().find(|character| character.name == run.header.character);
        let Some(character) = character else { return Vec::new() };
        let end = run.summary.simulated_time;
        let waiting = |stay: &Stay| {
            let lasted = end - stay.from;
            // A run that never left its first state may have no other task.
            if stay.exit.is_some() || lasted < LEAST.max(LONG * end) {
                return None;
            }
            let (state, from, nearest) = (stay.state.clone(), stay.from, stay.nearest.clone());
            let until = until_of(&character.controller, &state)?;
            Some(Waiting { state, from, lasted, until, nearest })
        };
        run.summary.stay.iter().flat_map(Stay::levels).filter_map(waiting).collect()
    }

    /// As a sentence.
    pub(crate) fn sentence(&self) -> String {
        let Waiting { state, from, lasted, until, nearest } = self;
        format!(
            "it stayed in `{state}` from {from} s to the end, {lasted} s: `until` ({until}) never held; \
             {nearest}.",
            lasted = seconds(lasted),
            from = seconds(from)
        )
    }
}

/// The `until` of a state that has a successor.
fn until_of(controller: &ControllerFile, state: &str) -> Option<String> {
    let composite = || controller.spec.composites.get(state).map(|composite| &composite.state);
    let spec = controller.spec.states.get(state).or_else(composite)?;
    let text = controller.source.slice(spec.done.as_ref()?.span()).trim();
    let text = text.trim_matches(['"', '\'']);
    let is_plain = !text.is_empty() && text != "false" && !text.contains(['\n', '"']);
    is_plain.then(|| text.to_owned())
}

/// A number in a condition, and the text around it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Threshold {
    before: String,
    after: String,
    /// The number.
    pub value: f64,
}

impl Threshold {
    /// The condition with another number.
    pub(super) fn with(&self, number: &str) -> String {
        format!("{}{number}{}", self.before, self.after)
    }
}

/// The numbers of a condition that are not 0, from the left.
pub(super) fn thresholds(condition: &str) -> Vec<Threshold> {
    let mut all = Vec::new();
    let mut previous = ' ';
    let mut rest = condition.char_indices().peekable();
    while let Some((start, letter)) = rest.next() {
        let begins = letter.is_ascii_digit() && !(previous.is_alphanumeric() || "_.".contains(previous));
        previous = letter;
        if !begins {
            continue;
        }
        let mut end = start + 1;
        while let Some((at, next)) = rest.peek().copied() {
            let is_sign = "+-".contains(next) && "eE".contains(previous);
            if !(next.is_ascii_alphanumeric() || next == '.' || is_sign) {
                break;
            }
            (previous, end) = (next, at + next.len_utf8());
            rest.next();
        }
        let Ok(value) = condition[start..end].parse::<f64>() else { continue };
        if value != 0.0 && value.is_finite() {
            let (before, after) = (condition[..start].to_owned(), condition[end..].to_owned());
            all.push(Threshold { before, after, value });
        }
    }
    all.truncate(MOST_THRESHOLDS);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_the_numbers_of_a_condition_and_not_those_in_names() {
        let found = thresholds("state_time > 0.5 and abs(com.y - foot_2.y) < 2.5e-2 or x1 > 0");
        let values: Vec<f64> = found.iter().map(|threshold| threshold.value).collect();
        assert_eq!(values, [0.5, 0.025]);
        assert_eq!(found[1].with("0.03"), "state_time > 0.5 and abs(com.y - foot_2.y) < 0.03 or x1 > 0");
    }
}
