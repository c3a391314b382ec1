//! `aplomb view`: opens the window, which is a separate program.

use super::{Done, Failure};
use miette::{GraphicalReportHandler, GraphicalTheme};
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// Watch a scene as it is computed, push it with the mouse, go back in time; or look at a finished run
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Scene, controller or body, by file or shipped name, or folder of a run; and options of the window
    /// (`aplomb-view --help`)
    #[arg(value_name = "SCENE|CONTROLLER|BODY|RUN", trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

const AFTER_HELP: &str = "\
Examples:
  aplomb view step_push
  aplomb view runs/step_push

The window is a separate program, `aplomb-view`, in this program's folder or on PATH; docs/view.md describes how \
to build it, and its keys.";

/// Name of the program.
const PROGRAM: &str = "aplomb-view";

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let program = program().ok_or_else(missing)?;
    let status = Command::new(&program)
        .args(&arguments.arguments)
        .status()
        .map_err(|error| Failure::usage(format!("cannot run {}: {error}", program.display())))?;
    // The program was ended by a signal: this is neither an error of this program nor a success.
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(super::failure::USAGE);
    Ok(Done::Elsewhere(code))
}

/// A failure as shown in a terminal without colour, with source lines and carets: for windows.
pub fn rendered(failure: &Failure) -> String {
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor());
    let handler = handler.with_links(false).with_wrap_lines(false).with_width(WIDEST);
    failure.said().iter().map(|report| report.render(&handler)).collect()
}

/// Columns of text in a window.
const WIDEST: usize = 120;

/// The program of the window: in the folder of this program, or on PATH.
fn program() -> Option<PathBuf> {
    let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
    let beside = env::current_exe().ok().and_then(|own| Some(own.parent()?.to_path_buf()));
    let path = env::var_os("PATH").unwrap_or_default();
    beside
        .into_iter()
        .chain(env::split_paths(&path))
        .map(|folder| folder.join(&name))
        .find(|file| file.is_file())
}

fn missing() -> Failure {
    Failure::Usage {
        message: format!(
            "the window is a separate program, `{PROGRAM}`, which is neither in this program's folder nor on PATH"
        ),
        help: Some(format!(
            "build it with `cargo build --release -p {PROGRAM}`; `aplomb run` needs no window"
        )),
    }
}
