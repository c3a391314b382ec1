//! The file a run is kept in: MCAP, readable wherever it was cut off.

mod cdr;
mod definition;
mod error;
mod header;
mod read;
mod records;
mod repair;
mod schema;
#[cfg(test)]
mod tests;
mod validate;
mod version1;
mod write;

pub use error::TraceError;
pub use read::{read, read_bytes};
pub use repair::{Repaired, repair};
pub use write::{CHUNK_SECONDS, FORMAT, TraceWriter};
