//! Traces in the formats that other programs read.

mod csv;
mod foxglove;
mod jsonl;
mod scene;

use crate::language::diagnostic::FileErrors;
use crate::trace::Trace;
use foxglove::FoxgloveError;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What a trace can be exported to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Tables: `frames.csv`, `contacts.csv`, `external.csv`, where there are passive objects `objects.csv`, and
    /// `columns.csv`, which says what their columns are.
    Csv,
    /// One JSON object a line, `trace.jsonl`, and `scene.xml`, the MJCF file its numbers belong to.
    Jsonl,
    /// `foxglove.mcap`: shapes, places and forces in the standard messages of 3-D viewers.
    Foxglove,
}

/// Every file that an export may leave in a folder.
pub const FILES: [&str; 8] = [
    "frames.csv",
    "contacts.csv",
    "external.csv",
    "objects.csv",
    "columns.csv",
    "trace.jsonl",
    "scene.xml",
    "foxglove.mcap",
];

impl Format {
    /// Every format there is.
    pub const ALL: [Format; 3] = [Format::Csv, Format::Jsonl, Format::Foxglove];

    /// The name that the command line uses.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Jsonl => "jsonl",
            Format::Foxglove => "foxglove",
        }
    }

    /// The format of that name.
    pub fn of_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// Why a trace could not be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A file or its folder could not be created or written.
    #[error("cannot write {}", path.display())]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The trace's header holds no text of kind `model`.
    #[error("the trace does not hold the text of its model")]
    NoModel,
    /// The model in the trace is none that this program reads.
    #[error("the model in the trace cannot be read")]
    Model(#[source] FileErrors),
    /// A frame whose numbers are not a configuration of the model.
    #[error("frame {frame} is not a configuration of the trace's model")]
    Misfit {
        /// Number of the frame.
        frame: u64,
    },
}

/// Writes the trace into the folder, which is made if there is none, and returns the paths of the files.
///
/// # Errors
///
/// If the folder or a file cannot be written.
pub fn export(trace: &Trace, folder: impl AsRef<Path>, format: Format) -> Result<Vec<PathBuf>, ExportError> {
    let folder = folder.as_ref();
    fs::create_dir_all(folder).map_err(|source| ExportError::Write { path: folder.to_path_buf(), source })?;
    match format {
        Format::Csv => csv::export(trace, folder),
        Format::Jsonl => {
            let scene = scene::xml(trace)?;
            let paths = [folder.join("trace.jsonl"), folder.join("scene.xml")];
            write(&paths[0], |file| jsonl::write(trace, file))?;
            write(&paths[1], |file| file.write_all(scene.as_bytes()))?;
            Ok(paths.to_vec())
        }
        Format::Foxglove => {
            let path = folder.join("foxglove.mcap");
            let unwritten = |source| ExportError::Write { path: path.clone(), source };
            let file = io::BufWriter::new(fs::File::create(&path).map_err(unwritten)?);
            foxglove::write(trace, file).map_err(|error| match error {
                FoxgloveError::Trace(error) => *error,
                FoxgloveError::File(error) => unwritten(io::Error::other(error)),
            })?;
            Ok(vec![path])
        }
    }
}

/// Creates the file and writes its content.
fn write(path: &Path, content: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> Result<(), ExportError> {
    let write = || {
        let mut file = io::BufWriter::new(fs::File::create(path)?);
        content(&mut file)?;
        io::Write::flush(&mut file)
    };
    write().map_err(|source| ExportError::Write { path: path.to_path_buf(), source })
}

#[cfg(test)]
mod tests;
