//! `aplomb repair`: recovers a truncated trace.

use super::{Done, Failure, output, plot};
use crate::trace;
use std::path::PathBuf;

/// Recover a truncated or damaged trace, with every frame that can be read of it.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Trace, or folder of a run
    trace: PathBuf,
    /// Write what can be read to this file, and leave the trace as it is; for where there is no room beside
    /// it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
The file is replaced in one step; where something is wrong in its middle, the old one is kept beside it, and what can \
be read after that place is kept too: the frames between are said to be missing. The trace of a run that still goes on \
is left alone.

Examples:
  aplomb repair runs/balance_push/trace.mcap
  aplomb repair runs/balance_push --out elsewhere.mcap";

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let (path, _) = plot::locate(&arguments.trace);
    let repaired = match &arguments.out {
        Some(out) => trace::repair_to(&path, out),
        None => trace::repair(&path),
    };
    let repaired = repaired.map_err(|error| Failure::trace(&path, error))?;
    let frames = match repaired.until {
        Some(until) => format!("{} frames, up to {until} s", repaired.frames),
        None => "no frames".into(),
    };
    let frames = match &repaired.missing[..] {
        [] => frames,
        gaps => format!("{frames}, without {}", trace::said_of_gaps(gaps)),
    };
    let path = arguments.out.as_ref().unwrap_or(&path).display();
    let text = match (&repaired.fault, &repaired.original) {
        (None, _) => format!("{path}: whole, {frames}\n"),
        (Some(fault), None) => format!("{path}: repaired, {frames}; {fault}\n"),
        (Some(fault), Some(kept)) => {
            format!("{path}: repaired, {frames}; {fault}; as it was: {}\n", kept.display())
        }
    };
    output::print(&text)?;
    Ok(Done::Well)
}
