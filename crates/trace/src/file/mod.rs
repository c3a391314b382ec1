//! The trace file: MCAP, readable up to where it was cut off.

mod cdr;
mod definition;
mod ending;
mod error;
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
pub use error::TraceError;
pub use gaps::{Gap, of as gaps, said as said_of_gaps};
pub use lock::FolderLock;
pub use read::{read, read_bytes, read_ended};
pub use repair::{Repaired, repair, repair_to};
pub use validate::frame as check_frame;
pub use write::{CHUNK_SECONDS, FORMAT, TraceWriter};
