//! What can go wrong with a trace file.

use std::io;
use std::path::PathBuf;

/// Why a trace could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file could not be opened or read.
    #[error("cannot read {}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The file could not be created or written.
    #[error("cannot write {}", path.display())]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The bytes are no MCAP file, or one that some other program wrote.
    #[error("not a trace of aplomb: {reason}")]
    NotATrace {
        /// What the file has instead.
        reason: String,
    },
    /// A trace of another format.
    #[error("a trace of format {found}; this program reads format {known}")]
    Format {
        /// Format version in the file.
        found: u64,
        /// The format version that can be read.
        known: u64,
    },
    /// Nothing can be read of the file, because its header is missing.
    #[error("the trace has no header: {reason}")]
    NoHeader {
        /// What is missing.
        reason: String,
    },
    /// The file passes its checksums, yet says something no trace says. `at` is the byte the record starts at.
    #[error("damaged trace, byte {at}: {reason}")]
    Damaged {
        /// Byte at which the damage was found.
        at: u64,
        /// What is wrong there.
        reason: String,
    },
    /// A number that no file should hold.
    #[error("{what} is not finite in frame {frame}")]
    NotFinite {
        /// Number of the frame.
        frame: u64,
        /// Field that holds NaN or an infinite number, or the passive object.
        what: String,
    },
    /// A list of the wrong length.
    #[error("{what}: {found} numbers in frame {frame}, expected {expected}")]
    WrongLength {
        /// Number of the frame.
        frame: u64,
        /// Field with the wrong number of items.
        what: &'static str,
        /// Number of items it should have.
        expected: usize,
        /// Number of items it has.
        found: usize,
    },
    /// Frames are numbered from 0 without gaps.
    #[error("frame {found} came where frame {expected} belongs")]
    OutOfOrder {
        /// Number of the frame that should come next.
        expected: u64,
        /// Number of the frame that came.
        found: u64,
    },
    /// A header that cannot stand in a file.
    #[error("cannot write a trace with this header: {reason}")]
    BadHeader {
        /// What is wrong with the header.
        reason: String,
    },
    /// Another process is changing the files of a folder.
    #[error("{} is in use: another aplomb writes there", folder.display())]
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// The MCAP library refused.
    #[error("cannot write the trace")]
    Library(#[source] mcap::McapError),
}
