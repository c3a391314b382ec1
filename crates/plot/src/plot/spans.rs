//! Spans of a run: controller states, events, and relaxed or failed frames.

use aplomb_trace::{Outcome, Trace};

/// A named span of time, s.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TimeSpan {
    pub name: String,
    pub from: f64,
    pub to: f64,
}

/// The states in order, each until the next begins; the last one until the last frame.
pub(super) fn states(trace: &Trace) -> Vec<TimeSpan> {
    let mut spans: Vec<TimeSpan> = Vec::new();
    for frame in &trace.frames {
        match spans.last_mut() {
            Some(span) if span.name == frame.state => span.to = frame.time,
            last => {
                if let Some(span) = last {
                    span.to = frame.time;
                }
                spans.push(TimeSpan { name: frame.state.clone(), from: frame.time, to: frame.time });
            }
        }
    }
    spans.retain(|span| !span.name.is_empty());
    spans
}

/// Spans of events in the order of their beginnings; the forces of a frame act until the next one.
pub(super) fn events(trace: &Trace) -> Vec<TimeSpan> {
    let dt = trace.header.dt;
    let mut spans: Vec<TimeSpan> = Vec::new();
    let mut running: Vec<usize> = Vec::new();
    let brushes = trace.brushes();
    for frame in &trace.frames {
        let mut still = Vec::new();
        let externals = frame.external.iter().map(|external| &external.name);
        let externals = externals.filter(|name| !trace.header.has_other(name));
        for name in frame.events.iter().chain(externals).filter(|name| !brushes.contains(name)) {
            let open = running.iter().copied().find(|&at| spans[at].name == *name);
            let at = open.unwrap_or_else(|| {
                spans.push(TimeSpan { name: name.clone(), from: frame.time, to: frame.time });
                spans.len() - 1
            });
            spans[at].to = frame.time + dt;
            running.push(at);
            still.push(at);
        }
        running = still;
    }
    spans
}

/// Kind of a frame that was not solved with every constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameTrouble {
    Relaxed,
    Failed,
}

/// Times of frames that were relaxed or failed.
pub(super) fn troubles(trace: &Trace) -> Vec<(f64, FrameTrouble)> {
    let trouble = |outcome: &Outcome| match outcome {
        Outcome::Solved | Outcome::Limp => None,
        Outcome::Relaxed { .. } => Some(FrameTrouble::Relaxed),
        Outcome::Failed { .. } => Some(FrameTrouble::Failed),
    };
    trace.frames.iter().filter_map(|frame| Some((frame.time, trouble(&frame.outcome)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_trace::example;

    #[test]
    fn a_state_lasts_until_the_next_begins() {
        let mut trace = example::trace(5);
        trace.frames[3].state = "fall".into();
        trace.frames[4].state = "fall".into();
        let spans = states(&trace);
        let names: Vec<(&str, f64, f64)> =
            spans.iter().map(|span| (span.name.as_str(), span.from, span.to)).collect();
        assert_eq!(names, [("balance", 0.0, 0.03), ("fall", 0.03, 0.04)]);
    }

    #[test]
    fn an_event_lasts_to_the_end_of_its_last_frame() {
        let mut trace = example::trace(8);
        for frame in &mut trace.frames {
            let active = (2..4).contains(&frame.index) || frame.index == 6;
            frame.events = if active { vec!["push".into()] } else { Vec::new() };
            frame.external.clear();
        }
        let spans = events(&trace);
        assert_eq!(spans.len(), 2);
        assert_eq!(spans[0].from, 0.02);
        assert!((spans[0].to - 0.04).abs() < 1e-12 && (spans[1].to - 0.07).abs() < 1e-12);
    }
}
