//! Plots and pose strip of a trace, at the paths of `run` and `plot`.

use super::Failure;
use crate::language::files::{self, Folder};
use crate::trace::{Trace, TraceError};
use crate::view::plot::figure::About;
use crate::view::plot::{Moments, PlotSpec, render_all, render_strip};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Draws every shipped plot that applies to the trace into `folder/plots`, and the pose strip of these
/// moments into `folder`.
pub(crate) fn draw_all(trace: &Trace, moments: &Moments, folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let plots: Vec<PlotSpec> =
        files::shipped(Folder::Plots).iter().map(|name| plot(name)).collect::<Result<_, _>>()?;
    let fits = |plot: &PlotSpec| match plot.figure.about {
        About::Character => trace.header.has_character(),
        About::Grips => !trace.header.holds.is_empty(),
        About::Objects => !trace.header.passive.is_empty(),
    };
    let plots: Vec<PlotSpec> = plots.into_iter().filter(fits).collect();
    let mut written = draw(trace, &plots, folder)?;
    written.extend(draw_strip(trace, moments, folder)?);
    Ok(written)
}

/// Draws the pose strip of these moments into `folder`.
pub(crate) fn draw_strip(trace: &Trace, moments: &Moments, folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    Ok(render_strip(trace, moments, folder)?)
}

/// Draws these plots into `folder/plots`.
pub(crate) fn draw(trace: &Trace, plots: &[PlotSpec], folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    Ok(render_all(trace, plots, &folder.join("plots"))?)
}

/// The plot with this name or path.
pub(crate) fn plot(reference: &str) -> Result<PlotSpec, Failure> {
    // The strip is drawn next to the plots, but is not a plot.
    if matches!(reference, "strip" | "pose_strip" | "pose-strip" | "poses") && !Path::new(reference).exists()
    {
        return Err(Failure::Usage {
            message: format!("`{reference}` is not a plot"),
            help: Some("`aplomb plot RUN --at 0.9,1.1` draws the pose strip of these moments, s".into()),
        });
    }
    let found = files::find(Folder::Plots, reference, None)?;
    PlotSpec::read_all(&found.source).map_err(|mistakes| Failure::Mistakes(mistakes.into()))
}

/// Removes the files that exist.
pub(crate) fn clear(paths: impl IntoIterator<Item = PathBuf>) -> Result<(), TraceError> {
    for path in paths {
        match fs::remove_file(&path) {
            Ok(()) => {}
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
            Err(source) => return Err(TraceError::Write { path, source }),
        }
    }
    Ok(())
}
