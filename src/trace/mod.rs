//! Records of runs: what a frame was, the file that keeps it, and its numbers as columns.

mod channel;
mod coordinates;
mod error;
mod event;
#[cfg(test)]
pub(crate) mod example;
mod frame;
mod message;
mod obstacle;
mod passive;
mod read;
mod records;
mod repair;
mod schema;
#[cfg(test)]
mod tests;
mod validate;
mod write;

pub use channel::{Channel, channels};
pub use coordinates::Coordinates;
pub use error::TraceError;
pub use event::{CheckName, FrameEvent, ImpactCause};
pub use frame::*;
pub use passive::{PassiveSegment, PassiveSolid, PassiveState, PassiveThing, PassiveTouch, SolidShape};
pub use read::{read, read_bytes};
pub use repair::{Repaired, repair};
pub use write::{CHUNK_SECONDS, FORMAT, TraceWriter};
