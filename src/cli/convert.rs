//! `aplomb convert`: a body file as plain MJCF.

use super::{Done, Failure, output};
use crate::language::files::{self, Folder};
use crate::language::rendered::Rendered;
use crate::model::mjcf;
use crate::model::write::scene_xml;
use std::path::PathBuf;

/// Write a body as plain MJCF: nothing but what is modelled, in one file, numbers exact.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Body file, or name of a shipped body
    model: String,
    /// File to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  aplomb convert robot/scene.xml --out robot.xml";

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let found = files::find(Folder::Characters, &arguments.model, None)?;
    let reading = mjcf::read_with(&found.source, &mjcf::Options::default())?;
    output::print_findings(reading.warnings.iter().map(Rendered::from));
    let text = scene_xml(&reading.model, &reading.model.gravity, &[], &[]);
    match &arguments.out {
        None => output::print(&text)?,
        Some(path) => {
            std::fs::write(path, text).map_err(|source| Failure::Write { path: path.clone(), source })?;
            output::print(&format!("{}\n", path.display()))?;
        }
    }
    Ok(Done::Well)
}
