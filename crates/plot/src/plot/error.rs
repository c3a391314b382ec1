//! Errors of drawing.

use aplomb_language::diagnostic::FileError;
use std::path::{Path, PathBuf};

/// Why a picture could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// A mistake in a plot file.
    #[error(transparent)]
    File(#[from] Box<FileError>),
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
    pub(super) fn drawing(error: impl std::fmt::Display) -> Self {
        PlotError::Drawing { reason: error.to_string() }
    }

    pub(super) fn write(path: &Path, error: impl std::fmt::Display) -> Self {
        PlotError::Write { path: path.to_path_buf(), reason: error.to_string() }
    }
}
