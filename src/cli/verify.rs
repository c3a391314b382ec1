//! `aplomb verify`: whether two runs are equal, bit by bit.

use super::output::TRACE;
use super::{Done, Failure, output, plot};
use crate::analysis::verify::{self, RunComparison};
use crate::trace::Trace;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Compare two runs to the bit: the first frame, joint or contact and number that differ.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Folder of a run, or a trace
    one: PathBuf,
    /// The run that should be the same
    #[arg(required_unless_present = "hashes", conflicts_with = "hashes")]
    other: Option<PathBuf>,
    /// Print number, time (s) and state hash of each frame of one run, as CSV
    #[arg(long, conflicts_with = "json")]
    hashes: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print nothing where the runs are the same
    #[arg(long, short, conflicts_with_all = ["json", "hashes"])]
    quiet: bool,
}

const AFTER_HELP: &str = "\
Frames are compared in their order, and each field of a frame in its order: time, configuration, velocity, \
state of the controller, contacts and their forces, torques, costs, passive objects. Of two folders the \
traces of all characters are compared. Names of scenes and texts of files may differ.

The state hash of a frame is 64-bit FNV-1a over the bytes of time, configuration, velocity and passive objects \
(docs/output.md): runs on two machines are compared by their lists of hashes.

Examples:
  aplomb verify runs/before runs/after
  aplomb verify old/trace.mcap runs/balance_push --json
  aplomb verify runs/balance_push --hashes > here.csv

Exit codes: 0 the runs are the same, 1 they differ, 2 usage or no trace.";

/// The comparison of one character's traces.
#[derive(Serialize)]
struct Compared {
    /// File name of the traces, or of the first one.
    trace: String,
    #[serde(flatten)]
    comparison: RunComparison,
}

/// The output of `--json`.
#[derive(Serialize)]
struct Verified {
    same: bool,
    traces: Vec<Compared>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let Some(other) = &arguments.other else {
        let (trace, _) = plot::open(&arguments.one)?;
        output::print(&hashes(&trace))?;
        return Ok(Done::Well);
    };
    let traces = match arguments.one.is_dir() && other.is_dir() {
        true => of_folders(&arguments.one, other)?,
        false => vec![compared(&arguments.one, other)?],
    };
    let same = traces.iter().all(|compared| compared.comparison.same);
    if arguments.json {
        output::print_json(&Verified { same, traces })?;
    } else if !same || !arguments.quiet {
        output::print(&text(&traces, &[&arguments.one, other]))?;
    }
    Ok(if same { Done::Well } else { Done::CriteriaFailed })
}

fn compared(one: &Path, other: &Path) -> Result<Compared, Failure> {
    let [(first, _), (second, _)] = [plot::open(one)?, plot::open(other)?];
    let (path, _) = plot::locate(one);
    let trace = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Compared { trace, comparison: verify::compare(&first, &second) })
}

/// The traces of all characters of two runs, the first one's before the others by name.
fn of_folders(one: &Path, other: &Path) -> Result<Vec<Compared>, Failure> {
    let mut all = vec![compared(one, other)?];
    let names: BTreeSet<String> = [one, other].into_iter().flat_map(companions).collect();
    for name in names {
        all.push(compared(&one.join(&name), &other.join(&name))?);
    }
    Ok(all)
}

/// File names of the traces of all characters other than the first.
fn companions(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| name != TRACE && name.starts_with("trace-") && name.ends_with(".mcap")).collect()
}

/// The comparisons as text, one trace after the other.
fn text(traces: &[Compared], runs: &[&PathBuf; 2]) -> String {
    let mut text = String::new();
    for Compared { trace, comparison } in traces {
        let of = if traces.len() > 1 { format!("{trace}: ") } else { String::new() };
        // Writing to a string cannot fail.
        let Some(first) = &comparison.first else {
            let _ = writeln!(text, "{of}the same: {} records", comparison.frames);
            continue;
        };
        let difference = &first.difference;
        let place = match (first.frame, first.time) {
            (Some(frame), Some(time)) => format!("frame {frame} at {time:.4} s: "),
            _ => String::new(),
        };
        let _ = writeln!(text, "{of}{place}`{}` differs", difference.name);
        let width = runs.iter().map(|run| run.display().to_string().chars().count()).max().unwrap_or(0);
        for ((run, value), hash) in runs.iter().zip(&difference.values).zip(&first.hashes) {
            let unit =
                if difference.unit.is_empty() { String::new() } else { format!(" {}", difference.unit) };
            let hash = hash.as_ref().map_or(String::new(), |hash| format!("  (state {hash})"));
            let _ = writeln!(text, "  {:width$}  {value}{unit}{hash}", run.display().to_string());
        }
        if let Some(distance) = difference.distance {
            let _ = writeln!(text, "  {:width$}  {distance:.3e} apart", "");
        }
        let _ = writeln!(text, "  {} records before are the same", comparison.frames);
    }
    text
}

/// The frames of a run with their hashes.
fn hashes(trace: &Trace) -> String {
    let mut text = String::from("frame,time,state_hash\n");
    for frame in &trace.frames {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{},{},{}", frame.index, frame.time, verify::hash(frame));
    }
    text
}
