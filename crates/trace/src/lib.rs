//! Traces of runs: records of frames, their numbers as channels, and the trace file.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod aims;
mod brush;
mod channel;
mod column;
mod conflict;
mod coordinates;
mod difference;
#[cfg(any(test, feature = "testing"))]
#[doc(hidden)]
pub mod example;
#[cfg_attr(not(feature = "file"), allow(dead_code, reason = "what files of traces are read by"))]
mod field;
#[cfg(feature = "file")]
mod file;
mod frame;
mod obstacle;
mod parts;
mod passive;
mod sampler;

pub use aplomb_control::synthesis::{
    CheckName, ConflictRow, FrameEvent, ImpactCause, LimitSide, Outcome, RelaxedRow, RowOf,
};
pub use channel::channels;
pub use column::Channel;
pub use coordinates::Coordinates;
pub use difference::{Difference, difference, first_difference, state_hash};
#[cfg(feature = "file")]
pub use file::{
    Ending, FORMAT, FolderLock, Gap, Judged, Repaired, Stopped, StoppedBy, TraceError, TraceWriter,
    check_frame, gaps, read, read_bytes, read_ended, repair, repair_to, said_of_gaps,
};
pub use frame::*;
pub use parts::{Step, part_lengths, severity};
pub use passive::{PassiveHeader, PassiveSegment, PassiveSolid, PassiveState, PassiveTouch, SolidShape};
pub use sampler::Sampler;
