//! The trace file: MCAP, readable up to where it was cut off.

mod cdr;
mod definition;
mod ending;
mod gaps;
mod header;
mod lock;
mod read;
mod records;
mod repair;
mod salvage;
mod schema;
mod spare;
#[cfg(test)]
mod tests;
mod validate;
mod write;

pub use ending::{Ending, Judged, Stopped, StoppedBy};
pub use gaps::{Gap, of as gaps, said as said_of_gaps};
pub use lock::FolderLock;
pub use read::{read, read_bytes, read_ended};
pub use repair::{Repaired, repair, repair_to};
pub use validate::frame as check_frame;
pub use write::{FORMAT, TraceWriter};

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
    /// The bytes are not an MCAP file, or are one of another program.
    #[error("not a trace of aplomb: {reason}")]
    NotATrace {
        /// The value in the file.
        reason: String,
    },
    /// The trace has another format version.
    #[error("a trace of format {found}; this program reads format {known}")]
    Format {
        /// Format version in the file.
        found: u64,
        /// The format version that can be read.
        known: u64,
    },
    /// The file has no readable header.
    #[error("the trace has no header: {reason}")]
    NoHeader {
        /// The missing item.
        reason: String,
    },
    /// The file passes its checksums but is not a valid trace. `at` is the byte at which the record starts.
    #[error("damaged trace, byte {at}: {reason}")]
    Damaged {
        /// Byte at which the damage was found.
        at: u64,
        /// The fault there.
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
        /// Number of the expected frame.
        expected: u64,
        /// Number of the frame that was found.
        found: u64,
    },
    /// The header is not valid in a file.
    #[error("cannot write a trace with this header: {reason}")]
    BadHeader {
        /// The fault in the header.
        reason: String,
    },
    /// Another process is changing the files of a folder.
    #[error("{} is in use: another aplomb writes there", folder.display())]
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// An error of the MCAP library.
    #[error("cannot write the trace")]
    Library(#[source] mcap::McapError),
}
