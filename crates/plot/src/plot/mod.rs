//! Pictures of a run from its trace (figures over time, pose strips), pictures of sweeps, and the state graph.

mod colour;
pub mod comparison;
pub mod figure;
#[cfg(test)]
mod fixture;
mod font;
pub mod graph;
pub mod margin;
pub mod picture;
mod png;
mod spans;
pub mod strip;
mod svg;
pub mod sweep;
pub mod values;

pub use colour::Colour;
pub use figure::{PlotSpec, render_all};
pub use graph::StateGraph;
pub(crate) use strip::Film;
pub use strip::{FilmSettings, Moments, PICTURES, render_strip};

use aplomb_language::diagnostic::FileErrors;
use std::path::{Path, PathBuf};

/// Why a picture could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// A plot file has mistakes.
    #[error(transparent)]
    File(#[from] FileErrors),
    /// A file could not be written.
    #[error("cannot write {}: {reason}", path.display())]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Message of the operating system or the encoder.
        reason: String,
    },
    /// The drawing library failed.
    #[error("the drawing backend failed: {reason}")]
    Drawing {
        /// Message of the drawing library.
        reason: String,
    },
    /// The built-in font could not be read.
    #[error("the built-in font cannot be read")]
    Font,
    /// The model text of the trace cannot be read, so there are no shapes to draw.
    #[error("no shapes to draw: {reason}")]
    Model {
        /// Why the trace's own model text cannot be read.
        reason: String,
    },
}

impl PlotError {
    fn drawing(error: impl std::fmt::Display) -> Self {
        PlotError::Drawing { reason: error.to_string() }
    }

    fn write(path: &Path, error: impl std::fmt::Display) -> Self {
        PlotError::Write { path: path.to_path_buf(), reason: error.to_string() }
    }
}
