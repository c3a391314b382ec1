//! Frames are consecutive, each at its time, from the first to the end of the run.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use aplomb_trace::{Ending, Frame, Trace};

struct Sequence {
    number: Gauge,
    time: Gauge,
    end: Gauge,
    expected: u64,
    dt: f64,
    duration: f64,
}

pub(super) fn make(bench: &Bench<'_>) -> Box<dyn AuditCheck> {
    Box::new(Sequence {
        number: Gauge::new("numbers of frames off", "1", 0.0),
        time: Gauge::new("time off its frame's number", "s", 1e-9),
        end: Gauge::new("frames missing at the end", "1", 0.0),
        expected: 0,
        dt: bench.header.dt,
        duration: bench.header.duration,
    })
}

impl AuditCheck for Sequence {
    fn look(&mut self, passage: &Passage<'_>) {
        let now = passage.now;
        if !passage.is_first {
            return;
        }
        let off = now.index.abs_diff(self.expected) as f64;
        let expected = self.expected;
        self.number.read(off, now, || format!("frame {} came where frame {expected} belongs", now.index));
        self.expected = now.index.saturating_add(1);
        let due = now.index as f64 * self.dt;
        self.time.read((now.time - due).abs() / due.max(1.0), now, || format!("{} s, not {due} s", now.time));
    }

    fn close(&mut self, trace: &Trace, ending: Option<&Ending>) {
        let (Some(last), None, Some(ending)) = (trace.frames.last(), &trace.torn, ending) else { return };
        // The last record has no forces; there is none if the world diverged (NaN or infinite).
        let has_last =
            trace.frames.iter().rposition(|frame| !is_closing(frame, trace)).map_or(0, |at| at + 1);
        let all = (self.duration / self.dt).round() as u64;
        let is_early = ending.stopped.is_some()
            || ending.criteria.iter().any(|criterion| criterion.kind == "always" && !criterion.held);
        let missing = match (ending.stopped.is_some(), has_last == trace.frames.len(), is_early) {
            (false, true, _) => 1,
            (_, _, false) => all.saturating_sub(last.index),
            _ => 0,
        };
        self.end.read(missing as f64, last, || format!("the last record is of frame {}", last.index));
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.number, &self.time, &self.end]
    }
}

/// Whether a record may be the last of a run: it has no forces. Without a character, no record has any.
fn is_closing(frame: &Frame, trace: &Trace) -> bool {
    !frame.has_forces()
        && (trace.header.has_character() || frame.index == trace.frames.last().map_or(0, |last| last.index))
}
