//! What can go wrong with a trace file.

use std::io;
use std::path::PathBuf;

/// Why a trace could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file could not be opened or read.
    #[error("cannot read {}", path.display())]
    Read { path: PathBuf, source: io::Error },
    /// The file could not be created or written.
    #[error("cannot write {}", path.display())]
    Write { path: PathBuf, source: io::Error },
    /// The bytes are no MCAP file, or one that some other program wrote.
    #[error("not a trace of aplomb: {reason}")]
    NotATrace { reason: String },
    /// A trace of a later version.
    #[error("a trace of format {found}; this program reads format {known}")]
    Format { found: u64, known: u64 },
    /// Nothing can be read of the file, because its header is missing.
    #[error("the trace has no header: {reason}")]
    NoHeader { reason: String },
    /// The file passes its checksums, yet says something no trace says. `at` is the byte the record starts at.
    #[error("damaged trace, byte {at}: {reason}")]
    Damaged { at: u64, reason: String },
    /// A number that no file should hold.
    #[error("{what} is not finite in frame {frame}")]
    NotFinite { frame: u64, what: &'static str },
    /// A list of the wrong length.
    #[error("{what}: {found} numbers in frame {frame}, expected {expected}")]
    WrongLength { frame: u64, what: &'static str, expected: usize, found: usize },
    /// Frames are numbered from 0 without gaps.
    #[error("frame {found} came where frame {expected} belongs")]
    OutOfOrder { expected: u64, found: u64 },
    /// A header that cannot stand in a file.
    #[error("cannot write a trace with this header: {reason}")]
    BadHeader { reason: String },
    /// The MCAP library refused.
    #[error("cannot write the trace")]
    Library(#[source] mcap::McapError),
}
