//! The summary of a trace alone: for a run that was killed, or whose summary was lost.

use super::{Closing, Summariser, Summary};
use aplomb_body::model::{Model, mjcf};
use aplomb_language::diagnostic::Source;
use aplomb_trace::{ContactKind, Ending, Frame, Trace};
use aplomb_world::FrameTiming;
use std::time::Duration;

/// Text for the unknown reason of a visit.
const UNKNOWN: &str = "the trace does not say why";

/// The summary of a trace, as far as the trace contains its values: without wall times, collision avoidance and
/// reasons of states. `ending`: the end of the run according to the trace; `name`: its name in the summary.
pub fn of_trace(trace: &Trace, ending: Option<&Ending>, name: &str) -> Summary {
    let Trace { header, frames, torn, .. } = trace;
    let text = header.text("model").map(|text| Source::new(&text.name, &text.text));
    let model = match text.and_then(|source| mjcf::read(&source).ok()) {
        // A body with other coordinates is not that of the trace.
        Some(model) if model.nv == header.coordinate_names.len() => model,
        _ => Model::empty(),
    };
    let root = if model.is_floating() { 6 } else { 0 };
    let mut summariser = Summariser::new(header, root);
    if model.nv == header.coordinate_names.len() {
        summariser = summariser.watching(&model).following(&model, &[]);
    }
    let is_closing = |frame: &&Frame| torn.is_none() && !frame.has_forces();
    let (frames, last) = match frames.split_last() {
        Some((last, frames)) if is_closing(&last) => (frames, Some(last)),
        _ => (&frames[..], None),
    };
    let mut state = None;
    for frame in frames {
        if header.has_character() && state != Some(&frame.state) {
            summariser.enter(&frame.state, frame.time, UNKNOWN.into());
            state = Some(&frame.state);
        }
        summariser.add(frame, None, FrameTiming::default());
    }
    let holds = |frame: &Frame| frame.contacts.iter().any(|contact| contact.kind == ContactKind::Grip);
    summariser.finish(&Closing {
        last,
        stay: None,
        hangs: frames.last().is_some_and(holds),
        ending,
        wall_time: Duration::ZERO,
        trace: name.into(),
    })
}
