//! One run from its first frame to its summary, with or without a trace on disk. The command line and sweeps run
//! scenes through this.

use super::summary::{Closing, Summariser, Summary};
use crate::scene::{self, Run, SceneFiles};
use crate::trace::{Frame, TraceError, TraceWriter};
use crate::world::{FrameResult, StepError};
use std::path::Path;
use std::time::{Duration, Instant};

/// Why a run stopped.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A number of the controller that no frame can be computed with.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The trace cannot be written.
    #[error(transparent)]
    Trace(#[from] TraceError),
}

/// What is made of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'a> {
    /// Where the trace is to be written, if it is to be kept.
    pub trace: Option<&'a Path>,
    /// Whether the summary has everything: wall times, grips, distances of what is kept apart.
    pub in_detail: bool,
}

/// Runs a scene to its end. `each` sees every frame. Returns the summary and the last record, which has no forces.
///
/// # Errors
/// Where a frame cannot be computed, or the trace not be written; what there is of the trace stays readable.
pub fn record(
    files: &SceneFiles,
    run: &mut Run,
    wanted: Wanted<'_>,
    mut each: impl FnMut(&FrameResult),
) -> Result<(Summary, Frame), RunError> {
    let header = scene::header(files, run);
    let mut writer = wanted.trace.map(|path| TraceWriter::create(path, &header)).transpose()?;
    let mut summariser = Summariser::of(run, &header, wanted.in_detail);
    let started = Instant::now();
    let last = run.finish(|_, result| {
        let encoding = Instant::now();
        if let Some(writer) = &mut writer {
            writer.write(&result.frame)?;
        }
        let encoding = if wanted.in_detail { encoding.elapsed() } else { Duration::ZERO };
        summariser.add(result, encoding);
        each(result);
        Ok::<(), RunError>(())
    });
    if let Some(mut writer) = writer {
        // Where the run failed, why it did is the more important message.
        let written = last.as_ref().map_or(Ok(()), |last| writer.write(last)).and_then(|()| writer.finish());
        if last.is_ok() {
            written?;
        }
    }
    let last = last?;
    let closing = Closing {
        last: &last,
        hangs: run.world.sensed(run.hero()).1.grips.hangs(),
        criteria: &run.criteria,
        wall_time: if wanted.in_detail { started.elapsed() } else { Duration::ZERO },
        trace: wanted.trace.map(|path| path.display().to_string()).unwrap_or_default(),
    };
    let summary = summariser.finish(&closing);
    Ok((summary, last))
}
