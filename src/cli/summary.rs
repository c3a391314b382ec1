//! `aplomb summary`: the summary of a run from its trace.

use super::output::Paint;
use super::{Done, Failure, fit, output, plot, table};
use crate::analysis::summary;
use crate::trace;
use std::path::PathBuf;

/// Say again what a run came to, from its trace: of a run that was killed, or whose summary is gone.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Folder of a run, or a trace
    run: PathBuf,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Print all that the summary has
    #[arg(long, short, conflicts_with = "json")]
    verbose: bool,
    /// Write it to summary.json in the folder of the trace as well
    #[arg(long)]
    write: bool,
    /// Print nothing but errors, and what --json asks for
    #[arg(long, short)]
    quiet: bool,
}

impl Arguments {
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }
}

const AFTER_HELP: &str = "\
Data that are not in the trace are omitted: wall times, reasons of state changes, collision avoidance. The verdict \
of a run that was killed is `unknown`.

Examples:
  aplomb summary runs/balance_push
  aplomb summary runs/balance_push --write --json";

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let (path, folder) = plot::locate(&arguments.run);
    plot::has_trace(&arguments.run, &path)?;
    let (trace, ending) = trace::read_ended(&path).map_err(|error| Failure::trace(&path, error))?;
    plot::print_gaps(&trace, &path);
    let summary = summary::of_trace(&trace, ending.as_ref(), &path.display().to_string());
    let json = output::json(&summary)?;
    if arguments.write {
        let _lock = trace::FolderLock::take(&folder).map_err(|error| Failure::trace(&path, error))?;
        output::replace(&folder.join(output::SUMMARY), json.as_bytes())?;
    }
    if arguments.json {
        output::print_json(&summary)?;
        return Ok(Done::Well);
    }
    output::print(&if arguments.verbose {
        table::summary(&summary, fit::width_of_output())
    } else {
        table::short::summary(&summary, Paint::of_output(), fit::width_of_output())
    })?;
    Ok(Done::Well)
}
