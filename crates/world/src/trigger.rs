//! Events that wait: for a condition, for another event, or for both.

use super::contents::{CharacterId, World};
use aplomb_language::expression::Condition;
use std::ops::Range;

/// Frames of an event that has not begun.
pub const WAITING: Range<u64> = u64::MAX..u64::MAX;

/// What an event waits for.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// First frame in which it may come true.
    pub earliest: u64,
    /// Index of the event that has to be over.
    pub after: Option<usize>,
    /// What has to hold, and the index of the character of whose body and controller it speaks.
    pub condition: Option<(Condition, usize)>,
    /// Frames from then until the event begins.
    pub delay: u64,
    /// Frames in which the event acts.
    pub length: u64,
}

impl World {
    /// Gives each event that waits its frames where what it waits for is so in the present frame. Events may
    /// follow each other within a frame in the order of the scene.
    pub(super) fn trigger_events(&mut self) {
        if self.events.iter().all(|event| event.trigger.is_none()) {
            return;
        }
        self.observe();
        for place in 0..self.events.len() {
            let event = &self.events[place];
            let Some(trigger) = event.trigger.as_ref().filter(|trigger| self.is_true(trigger)) else {
                continue;
            };
            let begin = self.index + trigger.delay;
            let frames = begin..begin + trigger.length;
            let event = &mut self.events[place];
            (event.frames, event.trigger) = (frames, None);
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
