//! Events that wait: for a condition, for another event, or for both.

use super::contents::{CharacterId, World};
use super::event::Event;
use aplomb_language::expression::Condition;
use std::ops::Range;

/// Frames of an event that has not begun.
pub const WAITING: Range<u64> = u64::MAX..u64::MAX;

/// The condition for which an event waits.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// First frame in which the event can be triggered.
    pub earliest: u64,
    /// Index of the event that must have ended.
    pub after: Option<usize>,
    /// The condition, and the index of the character to whose body and controller it refers.
    pub condition: Option<(Condition, usize)>,
    /// Number of frames from the trigger until the event begins.
    pub delay: u64,
    /// Number of frames in which the event acts.
    pub length: u64,
}

/// Why an event did not start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Missed {
    /// The event that it follows, by name, has not started either.
    #[error("`{0}` did not come before it")]
    Before(String),
    /// The event that it follows, by name, had not ended.
    #[error("`{0}` had not ended before the end of the run")]
    NotOver(String),
    /// Its condition, as text, did not hold.
    #[error("`{0}` did not hold when it could begin")]
    Condition(String),
    /// Its condition became true, but the run ended first.
    #[error("the run ended before it could begin")]
    End,
}

impl World {
    /// Events that have not begun because they wait for something: name, and reason.
    pub fn missed_events(&self) -> impl Iterator<Item = (&str, Missed)> {
        let has_come = |event: &Event| event.frames.start < self.index;
        let waits = self.events.iter().filter(move |event| event.trigger.is_some() && !has_come(event));
        waits.filter_map(move |event| {
            let trigger = event.trigger.as_ref()?;
            let before = trigger.after.map(|before| &self.events[before]);
            let missed = match (before, &trigger.condition) {
                _ if event.frames != WAITING => Missed::End,
                (Some(before), _) if !has_come(before) => Missed::Before(before.name.clone()),
                (Some(before), _) if before.frames.end >= self.index => Missed::NotOver(before.name.clone()),
                (_, Some((condition, _))) => Missed::Condition(condition.text().to_string()),
                (_, None) => Missed::End,
            };
            Some((event.name.as_str(), missed))
        })
    }

    /// Sets the frames of each waiting event whose trigger holds in the present frame. Events may follow each other
    /// within a frame in the order of the scene.
    pub(super) fn trigger_events(&mut self) {
        let waits = |event: &Event| event.trigger.is_some() && event.frames == WAITING;
        if !self.events.iter().any(waits) {
            return;
        }
        self.observe();
        for place in 0..self.events.len() {
            let event = &self.events[place];
            let Some(trigger) =
                event.trigger.as_ref().filter(|trigger| waits(event) && self.is_true(trigger))
            else {
                continue;
            };
            let begin = self.index + trigger.delay;
            self.events[place].frames = begin..begin + trigger.length;
        }
    }

    fn is_true(&self, trigger: &Trigger) -> bool {
        let Trigger { earliest, after, condition, .. } = trigger;
        let is_over = |event: usize| self.events[event].frames.end <= self.index;
        let holds = |(condition, of): &(Condition, usize)| {
            let of = CharacterId(*of);
            match self.actors.get(of.0) {
                Some(actor) => condition.value(&actor.character.machine.lookup(&self.measure(Some(of)))),
                None => condition.value(&self.measure(None)),
            }
        };
        self.index >= *earliest && after.is_none_or(is_over) && condition.as_ref().is_none_or(holds)
    }
}
