//! `aplomb graph`: a controller's states and transitions as a picture.

use super::{Done, Failure, output};
use crate::controller;
use crate::language::files::{self, Folder};
use crate::view::plot::graph::StateGraph;
use std::path::{Path, PathBuf};

/// Draw the states of a controller and the transitions between them.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Controller file, or name of a shipped controller (`aplomb list controllers`)
    controller: String,
    /// Picture to write, .svg or .png [default: NAME.svg]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print the graph in the DOT language instead
    #[arg(long, conflicts_with = "out")]
    dot: bool,
}

const AFTER_HELP: &str = "\
Examples:
  aplomb graph balance
  aplomb graph my_controller.toml --out states.png
  aplomb graph one_foot --dot | dot -Tpdf > states.pdf";

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let found = files::find(Folder::Controllers, &arguments.controller, None)?;
    let name = found.locator.stem();
    let (source, spec) = controller::read(found.source, &[])?;
    let mistakes = controller::check(&spec, &source).errors;
    if !mistakes.is_empty() {
        return Err(Failure::Mistakes(mistakes.into()));
    }
    let graph = StateGraph::new(&source, &spec);
    if arguments.dot {
        output::print(&graph.dot())?;
        return Ok(Done::Well);
    }
    let path = arguments.out.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.svg")));
    match ending(&path).to_ascii_lowercase().as_str() {
        "svg" => graph.picture().write_svg(&path)?,
        "png" => graph.picture().write_png(&path)?,
        other => {
            return Err(Failure::usage(format!("cannot draw `.{other}`: pictures are .svg or .png")));
        }
    }
    output::print(&format!("{}\n", path.display()))?;
    Ok(Done::Well)
}

fn ending(path: &Path) -> &str {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or("svg")
}
