//! `aplomb repair`: recovers a truncated trace.

use super::{Done, Failure, output, plot};
use crate::trace;
use std::path::PathBuf;

/// Recover a truncated trace, with every frame that can be read of it.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Trace, or folder of a run
    trace: PathBuf,
}

const AFTER_HELP: &str = "\
The file is replaced in one step; where something is wrong in its middle, the old one is kept beside it.

Example:
  aplomb repair runs/balance_push/trace.mcap";

pub fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let (path, _) = plot::locate(&arguments.trace);
    let repaired = trace::repair(&path).map_err(|error| Failure::trace(&path, error))?;
    let frames = match repaired.until {
        Some(until) => format!("{} frames, up to {until} s", repaired.frames),
        None => "no frames".into(),
    };
    let path = path.display();
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
