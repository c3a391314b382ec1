//! The log of events, frame by frame.

use aplomb::trace::{Frame, Outcome};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An event.
pub struct LogEntry {
    pub index: u64,
    pub time: f64,
    pub text: String,
    pub is_alarm: bool,
}

/// Recent events; one that lasts several frames is logged once.
#[derive(Default)]
pub struct EventLog {
    pub entries: Vec<LogEntry>,
    state: String,
    going_on: BTreeSet<String>,
}

/// Most events kept.
const MOST: usize = 2000;

impl EventLog {
    /// Adds new frames.
    pub fn extend(&mut self, frames: &[Arc<Frame>]) {
        for frame in frames {
            self.add(frame);
        }
        let excess = self.entries.len().saturating_sub(MOST);
        self.entries.drain(..excess);
    }

    /// Drops events from this frame on.
    pub fn cut(&mut self, index: u64) {
        self.entries.retain(|entry| entry.index < index);
        self.going_on.clear();
    }

    fn add(&mut self, frame: &Frame) {
        if frame.state != self.state {
            self.state.clone_from(&frame.state);
            self.tell(frame, format!("state {}", frame.state), false);
        }
        let happening = happening(frame);
        for (text, is_alarm) in &happening {
            if !self.going_on.contains(text) {
                self.tell(frame, text.clone(), *is_alarm);
            }
        }
        self.going_on = happening.into_iter().map(|(text, _)| text).collect();
    }

    fn tell(&mut self, frame: &Frame, text: String, is_alarm: bool) {
        self.entries.push(LogEntry { index: frame.index, time: frame.time, text, is_alarm });
    }
}

/// Events of a frame, and whether each is a relaxation or a failure.
fn happening(frame: &Frame) -> Vec<(String, bool)> {
    let mut all: Vec<(String, bool)> = frame.events.iter().map(|event| (event.clone(), false)).collect();
    match &frame.outcome {
        Outcome::Relaxed { rows } => {
            all.extend(rows.iter().map(|row| (format!("gave way: {}", row.label), true)));
        }
        Outcome::Failed { reason, rows } => {
            all.push((format!("no solution: {reason}; {}", rows.join(", ")), true));
        }
        Outcome::Solved | Outcome::Limp => {}
    }
    if !frame.conflict.is_empty() {
        let rows: Vec<String> = frame.conflict.iter().map(ToString::to_string).collect();
        all.push((format!("cannot hold together: {}", rows.join("; ")), true));
    }
    all.extend(frame.solve_events.iter().map(|event| (event.to_string(), false)));
    all
}
