//! Figures over time, described by plot files.

mod axis;
mod draw;
mod flags;
mod layer;
mod layout;
mod legend;
pub mod panel;
mod panels;
mod spec;
mod table;

pub use axis::Scale;
pub(super) use axis::{AxisScale, round_step};
pub(super) use draw::{SMALL, TEXT, labelled_grid};
pub(super) use layout::{heading, title_width};
pub use spec::{About, Figure, PlotSpec};

use super::PlotError;
use super::picture::Picture;
use aplomb_trace::Trace;
use std::path::{Path, PathBuf};

/// A drawn figure and its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// The drawing.
    pub picture: Picture,
    /// The plotted series as CSV: one row per frame, a header with names and units, empty cells for missing values.
    pub(crate) csv: String,
}

/// Draws one figure.
///
/// # Errors
/// [`PlotError::File`] with all channels that are missing in the trace.
pub fn draw(trace: &Trace, plot: &PlotSpec) -> Result<Drawn, PlotError> {
    let panels = panels::bind(trace, plot)?;
    let csv = table::csv(trace, &panels)?;
    Ok(Drawn { picture: layout::picture(trace, &plot.figure, &panels), csv })
}

/// Writes each figure as `NAME.svg` and `NAME.png`, with its numbers in `NAME.csv`, into `directory`, which is
/// created if it is missing. Returns the paths in that order.
///
/// # Errors
/// The mistakes in the first plot file with mistakes, or the error of the first file that cannot be written.
pub fn render_all(trace: &Trace, plots: &[PlotSpec], directory: &Path) -> Result<Vec<PathBuf>, PlotError> {
    std::fs::create_dir_all(directory).map_err(|error| PlotError::write(directory, error))?;
    let mut written = Vec::new();
    for plot in plots {
        let drawn = draw(trace, plot)?;
        let path = |ending: &str| directory.join(format!("{}.{ending}", plot.name));
        let [svg, png, csv] = [path("svg"), path("png"), path("csv")];
        drawn.picture.write_svg(&svg)?;
        drawn.picture.write_png(&png)?;
        std::fs::write(&csv, &drawn.csv).map_err(|error| PlotError::write(&csv, error))?;
        written.extend([svg, png, csv]);
    }
    Ok(written)
}

#[cfg(test)]
mod tests;
