//! `aplomb export`: a trace in the formats of other programs.

use super::{Done, Failure, output, plot};
use crate::view::export::{ExportFormat, export};
use std::path::PathBuf;

/// Write a run's trace as tables, as JSON lines, for 3-D viewers, or as an animation.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Folder of a run, or a trace
    run: PathBuf,
    /// `csv`: frames.csv, contacts.csv, external.csv, columns.csv, where there are any objects.csv and
    /// self_contacts.csv; `jsonl`: trace.jsonl and scene.xml (MJCF);
    /// `foxglove`: foxglove.mcap, which Foxglove, Lichtblick and Rerun show in 3-D; `gltf`: scene.glb,
    /// animated, for Blender, three.js and game engines; `bvh`: motion.bvh, the skeleton's motion (m, y up);
    /// `mjcf`: scene.xml alone
    #[arg(long, value_name = "FORMAT", value_parser = ExportFormat::ALL.map(ExportFormat::name))]
    to: String,
    /// Folder for the files [default: that of the trace]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  aplomb export runs/balance_push --to csv
  aplomb export runs/balance_push --to jsonl --out elsewhere
  aplomb export runs/balance_push --to foxglove
  aplomb export runs/balance_push --to gltf";

pub fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let format = ExportFormat::of_name(&arguments.to)
        .ok_or_else(|| Failure::usage(format!("there is no format `{}`", arguments.to)))?;
    let (trace, folder) = plot::open(&arguments.run)?;
    let written = export(&trace, arguments.out.clone().unwrap_or(folder), format)?;
    output::print(&plot::said(&written))?;
    Ok(Done::Well)
}
