//! `aplomb plot`: the pictures of a run, drawn again from its trace.

use super::{Done, Failure, output, pictures, run::TRACE};
use crate::trace::{self, Trace};
use std::path::{Path, PathBuf};

/// Draw the plots and the pose strip of a run again, or one plot.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Folder of a run, or a trace
    run: PathBuf,
    /// Plot file, or name of a shipped plot (`aplomb list plots`) [default: all shipped, and the pose strip]
    plot: Option<String>,
    /// Folder for the pictures [default: that of the trace]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  aplomb plot runs/balance_push
  aplomb plot runs/balance_push torques
  aplomb plot old/trace.mcap my_plot.toml --out pictures";

pub fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let plots = arguments.plot.as_deref().map(pictures::plot).transpose()?;
    let (trace, folder) = open(&arguments.run)?;
    if plots.is_none() && arguments.out.is_none() {
        pictures::clear(pictures::OLD_STRIP.map(|name| folder.join(name)))?;
    }
    let folder = arguments.out.clone().unwrap_or(folder);
    let written = match plots {
        Some(plot) => pictures::draw(&trace, &[plot], &folder)?,
        None => pictures::draw_all(&trace, &folder)?,
    };
    output::print(&said(&written))?;
    Ok(Done::Well)
}

/// The trace in a run's folder, or at a path, and the folder it is in. A torn one is used as far as it goes.
pub(super) fn open(run: &Path) -> Result<(Trace, PathBuf), Failure> {
    let (path, folder) = locate(run);
    if run.is_dir() && !path.exists() {
        return Err(Failure::Usage {
            message: format!("{} is not the folder of a run: it has no {TRACE}", run.display()),
            help: Some(
                "`aplomb run` makes one; a sweep leaves traces with `--keep`, in its folder `traces`".into(),
            ),
        });
    }
    let trace = trace::read(&path).map_err(|error| Failure::trace(&path, error))?;
    if let Some(torn) = &trace.torn {
        output::remark(&format!("{}: {torn} (`aplomb repair` recovers it)", path.display()));
    }
    Ok((trace, folder))
}

/// Path of the trace meant by a folder or path, and its folder.
pub(super) fn locate(run: &Path) -> (PathBuf, PathBuf) {
    if run.is_dir() {
        (run.join(TRACE), run.to_path_buf())
    } else {
        let folder = run.parent().filter(|parent| !parent.as_os_str().is_empty());
        (run.to_path_buf(), folder.unwrap_or(Path::new(".")).to_path_buf())
    }
}

/// The paths, one a line.
pub(super) fn said(written: &[PathBuf]) -> String {
    written.iter().map(|path| format!("{}\n", path.display())).collect()
}
