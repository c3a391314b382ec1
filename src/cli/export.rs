//! `aplomb export`: a trace in the formats of other programs.

use super::{Done, Failure, output, plot};
use crate::view::export::{ExportFormat, export, export_motion};
use std::path::PathBuf;

/// Write a run's trace as tables, as JSON lines, for 3-D viewers, or as an animation.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Folder of a run, or a trace
    run: PathBuf,
    /// `csv`: frames.csv, contacts.csv, external.csv, columns.csv, where there are any objects.csv and
    /// self_contacts.csv; `jsonl`: trace.jsonl and scene.xml (MJCF);
    /// `foxglove`: foxglove.mcap, which Foxglove, Lichtblick and Rerun show in 3-D; `gltf`: scene.glb,
    /// animated, for Blender, three.js and game engines; `bvh`: motion.bvh, the skeleton's motion (m, y up);
    /// `npz`: motion.npz and scene.xml, for motion tracking in mjlab and Isaac Lab; `mjcf`: scene.xml alone
    #[arg(long, value_name = "FORMAT", value_parser = ExportFormat::ALL.map(ExportFormat::name))]
    to: String,
    /// Folder for the files [default: that of the trace; of `trace-NAME.mcap`, one more character, the folder
    /// `trace-NAME` in it]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Rows of motion.npz a second: mjlab shows a row a control step, 50 a second [default: frames of the run]
    #[arg(long, value_name = "HZ")]
    fps: Option<f64>,
    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

impl Arguments {
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }
}

const AFTER_HELP: &str = "\
Examples:
  aplomb export runs/balance_push --to csv
  aplomb export runs/balance_push --to jsonl --out elsewhere
  aplomb export runs/balance_push --to foxglove
  aplomb export runs/balance_push --to gltf
  aplomb export runs/balance_push --to npz --fps 50";

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let format = ExportFormat::of_name(&arguments.to)
        .ok_or_else(|| Failure::usage(format!("there is no format `{}`", arguments.to)))?;
    if arguments.fps.is_some() && format != ExportFormat::Npz {
        return Err(Failure::usage("--fps goes with `--to npz`"));
    }
    let (trace, folder) = plot::open_for_output(&arguments.run)?;
    let folder = arguments.out.clone().unwrap_or(folder);
    let written = match format {
        ExportFormat::Npz => export_motion(&trace, folder, arguments.fps)?,
        _ => export(&trace, folder, format)?,
    };
    output::print(&plot::said(&written))?;
    Ok(Done::Well)
}
