//! One run from its first frame to its summary, with or without a trace on disk. The command line and sweeps
//! run scenes through this.

use super::summary::{Closing, CutOffPush, MissedEvent, OtherPush, Summariser, Summary, judged};
use aplomb_scene::{Run, SceneFiles};
use aplomb_trace::{Ending, Frame, Header, Stopped, StoppedBy, TraceError, TraceWriter};
use aplomb_world::reaction_delay::ReactionDelay;
use aplomb_world::{CharacterId, FrameTiming, Results, StepError, World};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

/// Why a run has no result.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Its first frame cannot be computed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The trace cannot be written.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The run differs from its existing records.
    #[error("frame {frame} at {time} s differs from the recorded one: `{field}`")]
    Differs {
        /// Number of the frame.
        frame: u64,
        /// Time of the frame, s.
        time: f64,
        /// The first field that is not equal bit by bit.
        field: &'static str,
    },
    /// It was interrupted before it reached the end of its existing records, which are unchanged.
    #[error("{0}")]
    Interrupted(String),
}

/// The outputs of a run.
#[derive(Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// Path of the trace, if it is written.
    pub trace: Option<&'a Path>,
    /// Whether the summary is complete: wall times, grips, distances of collision avoidance.
    pub in_detail: bool,
    /// Called once, as soon as the run has a result: its first frames are in the trace, or, without a trace,
    /// its first frame is computed. It may rename the trace.
    pub begun: Option<&'a dyn Fn() -> Result<(), TraceError>>,
    /// Path of the trace in the summary; `None` for the path above.
    pub trace_name: Option<&'a Path>,
    /// The character whose records are made; `None`: the first. A trace is that of the first in any case.
    pub character: Option<CharacterId>,
    /// Existing records of this run, of which some may be missing: the run must equal them bit by bit, and counts as
    /// started at their end.
    pub recorded: &'a [Frame],
}

/// Result of a run.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Summary of the frames.
    pub summary: Summary,
    /// The last record, without forces; `None` if the final state of the world is not finite.
    pub(crate) last: Option<Frame>,
}

/// The reason why a run ends early.
enum Halt {
    Step(StepError),
    Trace(TraceError),
    Interrupt(String),
    Differs { frame: u64, time: f64, field: &'static str },
}

/// Existing records, in order, that the run has not reached yet.
struct Earlier<'a>(&'a [Frame]);

impl Earlier<'_> {
    /// Number of frames after which all of them have been reached.
    fn until(&self) -> u64 {
        self.0.last().map_or(0, |last| last.index + 1)
    }

    /// Compares a frame with the record of its number.
    fn hold(&mut self, frame: &Frame) -> Result<(), Halt> {
        let Some((next, rest)) = self.0.split_first().filter(|(next, _)| next.index <= frame.index) else {
            return Ok(());
        };
        self.0 = rest;
        let differs = |field| Halt::Differs { frame: next.index, time: next.time, field };
        aplomb_trace::difference(next, frame).map_or(Ok(()), |field| Err(differs(field)))
    }

    /// Compares the last record with the existing one, after which none may remain.
    fn close(mut self, last: Option<&Frame>) -> Result<(), RunError> {
        let held = last.map_or(Ok(()), |last| self.hold(last));
        let left = self.0.first().map(|next| (next.index, next.time, "index"));
        if let (Err(Halt::Differs { frame, time, field }), _) | (_, Some((frame, time, field))) = (held, left)
        {
            return Err(RunError::Differs { frame, time, field });
        }
        Ok(())
    }
}

impl From<StepError> for Halt {
    fn from(error: StepError) -> Self {
        Halt::Step(error)
    }
}

/// Writers of a run's traces; empty if no trace is requested.
struct Traces<'a> {
    header: &'a Header,
    own: Option<TraceWriter>,
    /// Traces of all characters except the first, next to its own: `trace-NAME.mcap`.
    companions: Vec<(CharacterId, TraceWriter)>,
    /// Record of a companion, whose memory is reused.
    frame: Frame,
}

impl<'a> Traces<'a> {
    fn create(
        files: &SceneFiles,
        run: &Run,
        header: &'a Header,
        path: Option<&Path>,
    ) -> Result<Self, TraceError> {
        let frame = Frame::default();
        let Some(path) = path else { return Ok(Traces { header, own: None, companions: Vec::new(), frame }) };
        let own = Some(TraceWriter::create(path, header)?);
        remove_companions(path);
        let writer = |id: CharacterId| {
            let header = aplomb_scene::header_of_character(files, &run.world, Some(id));
            let path = path.with_file_name(companion_trace(&run.world.character(id).name));
            Ok((id, TraceWriter::create(&path, &header)?))
        };
        let others = run.world.characters().skip(1);
        let companions = others.map(writer).collect::<Result<_, TraceError>>()?;
        Ok(Traces { header, own, companions, frame })
    }

    /// Writes a frame of every character; without a trace, checks that it could be written.
    fn write(&mut self, world: &World, frame: &Frame) -> Result<(), TraceError> {
        for (id, writer) in &mut self.companions {
            world.results(Some(*id)).write_frame(&mut self.frame);
            writer.write_parts(&world.results(Some(*id)).parts())?;
            writer.write(&self.frame)?;
        }
        match &mut self.own {
            Some(writer) => {
                writer.write_parts(&world.results(world.characters().next()).parts())?;
                writer.write(frame)
            }
            None => aplomb_trace::check_frame(self.header, frame),
        }
    }

    /// Whether this many of the frames to be written are on disk.
    fn has_kept(&self, frames: u64) -> bool {
        self.own.as_ref().is_none_or(|writer| writer.frames_kept() >= frames)
    }

    /// Writes the last records, if there are any, and the end of the run.
    fn finish(self, run: &mut Run, last: Option<&Frame>, ending: &Ending) -> Result<(), TraceError> {
        if let Some(mut writer) = self.own {
            if let Some(last) = last {
                writer.write(last)?;
            }
            writer.finish_with(ending)?;
        }
        for (id, mut writer) in self.companions {
            if last.is_some() {
                writer.write(&run.world.standing_frame(Some(id)))?;
            }
            writer.finish_with(ending)?;
        }
        Ok(())
    }
}

/// File name of the trace of another character than the first.
pub fn companion_trace(character: &str) -> String {
    let plain = |letter: char| if letter.is_alphanumeric() { letter } else { '_' };
    let name: String = character.chars().map(plain).collect();
    format!("trace-{name}.mcap")
}

/// Removes the traces of companions next to a trace: those of an earlier run may be of characters that no
/// longer exist.
fn remove_companions(trace: &Path) {
    for entry in trace.parent().and_then(|folder| folder.read_dir().ok()).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_companion =
            name.to_str().is_some_and(|name| name.starts_with("trace-") && name.ends_with(".mcap"));
        if is_companion {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// The reason for which a run ended early, if it did, and its last record, unless the world diverged (NaN or
/// infinite). `frames` were computed, and `until` of them have been recorded before.
///
/// # Errors
/// If the run has no result.
fn closed(
    ended: Result<Frame, Halt>,
    run: &mut Run,
    header: &Header,
    frames: u64,
    until: u64,
) -> Result<(Option<Stopped>, Option<Frame>), RunError> {
    let at = frames as f64 * header.dt;
    let stop = |by: StoppedBy, reason: String| Some(Stopped { by, reason, at });
    let (stopped, last) = match ended {
        Err(Halt::Interrupt(reason)) if frames < until => return Err(RunError::Interrupted(reason)),
        Err(Halt::Differs { frame, time, field }) => return Err(RunError::Differs { frame, time, field }),
        Ok(last) => (None, Some(last)),
        Err(Halt::Interrupt(reason)) => (stop(StoppedBy::Interrupt, reason), Some(run.last_frame())),
        Err(Halt::Step(error)) if frames == 0 => return Err(error.into()),
        Err(Halt::Step(error)) => (stop(StoppedBy::Value, error.to_string()), Some(run.last_frame())),
        Err(Halt::Trace(error @ TraceError::NotFinite { .. })) if frames > 0 => {
            (stop(StoppedBy::Value, error.to_string()), None)
        }
        Err(Halt::Trace(error)) => return Err(error.into()),
    };
    Ok((stopped, last.filter(|last| aplomb_trace::check_frame(header, last).is_ok())))
}

/// Runs a scene to its end. `each` receives every frame as in the trace, with the results from which it was made, and
/// may end the run with a reason. A number with which no frame can be computed or recorded ends it too: the summary
/// states where and why.
///
/// # Errors
/// If not even the first frame can be computed, or the trace cannot be written; the existing part of the
/// trace remains readable.
pub fn record(
    files: &SceneFiles,
    run: &mut Run,
    wanted: Wanted<'_>,
    mut each: impl FnMut(&Frame, Results<'_>) -> ControlFlow<String>,
) -> Result<Recorded, RunError> {
    let own = wanted.character.or(run.hero());
    let header = aplomb_scene::header_of_character(files, &run.world, own);
    let mut traces = Traces::create(files, run, &header, wanted.trace)?;
    let mut summariser = Summariser::of(run, &header, wanted.in_detail);
    let started = Instant::now();
    let mut frames = 0_u64;
    let mut earlier = Earlier(wanted.recorded);
    let until = earlier.until();
    let (mut begun, mut frame) = (false, Frame::default());
    let mut begin = |is_time: bool| {
        if is_time && !std::mem::replace(&mut begun, true) {
            wanted.begun.map_or(Ok(()), |begun| begun())
        } else {
            Ok(())
        }
    };
    let ended = run.finish(|world, results| {
        let encoding = Instant::now();
        let results = wanted.character.map_or(results, |of| world.results(Some(of)));
        results.write_frame(&mut frame);
        earlier.hold(&frame)?;
        traces.write(world, &frame).map_err(Halt::Trace)?;
        begin(traces.has_kept(until.max(1))).map_err(Halt::Trace)?;
        let encoding = if wanted.in_detail { encoding.elapsed() } else { Duration::ZERO };
        frames += 1;
        let timing = results.timing();
        let timing = FrameTiming { record: timing.record + encoding, ..timing };
        summariser.add(&frame, results.character, timing);
        match each(&frame, results) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(reason) => Err(Halt::Interrupt(reason)),
        }
    });
    let ended = match (ended, wanted.character) {
        (Ok(_), Some(of)) => Ok(run.world.standing_frame(Some(of))),
        (ended, _) => ended,
    };
    let (stopped, last) = closed(ended, run, &header, frames, until)?;
    earlier.close(last.as_ref())?;
    let ending = Ending { stopped, criteria: run.criteria.iter().map(judged).collect() };
    traces.finish(run, last.as_ref(), &ending)?;
    begin(true)?;
    let name = wanted.trace_name.or(wanted.trace);
    let closing = Closing {
        last: last.as_ref(),
        hangs: run.world.sensed(own).1.grips.hangs(),
        stay: own.and_then(|own| run.world.stay(own)),
        ending: Some(&ending),
        wall_time: if wanted.in_detail { started.elapsed() } else { Duration::ZERO },
        trace: name.map(|path| path.display().to_string()).unwrap_or_default(),
    };
    let summary = with_facts_of(run, own, files, summariser.finish(&closing));
    Ok(Recorded { summary, last })
}

/// The paragraph on a failure, with the name of the character concerned if only others failed.
fn of_whom(run: &Run, own: Option<CharacterId>, reason: String) -> String {
    let mut failed = run.criteria.iter().filter(|criterion| !criterion.holds).peekable();
    let met = failed.peek().is_some() && failed.all(|criterion| own.is_some_and(|own| criterion.of != own.0));
    match own.filter(|_| met) {
        Some(own) => format!(
            "`{}`, the character of these figures, met its criteria. {reason}",
            run.world.character(own).name
        ),
        None => reason,
    }
}

/// Completes the summary with facts that only the finished run contains.
fn with_facts_of(run: &Run, own: Option<CharacterId>, files: &SceneFiles, figures: Summary) -> Summary {
    let delay = own.and_then(|own| run.world.character(own).reaction_delay.as_ref());
    let reason = figures.reason.clone().map(|reason| of_whom(run, own, reason));
    Summary {
        reason,
        cut_off_pushes: CutOffPush::of(&files.scene, &figures.pushes, figures.dt, figures.simulated_time),
        other_characters: run
            .world
            .characters()
            .skip(1)
            .map(|id| run.world.character(id).name.to_string())
            .collect(),
        other_pushes: OtherPush::of(run, figures.frames, figures.dt),
        reaction_delay_settings: delay.map(ReactionDelay::settings),
        missed_events: MissedEvent::of(run),
        unread_values: run.world.unread_values().to_vec(),
        clamped_commands: run.world.clamped_commands(),
        ..figures
    }
}
