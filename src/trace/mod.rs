//! Records of runs: what a frame was, its numbers as columns, and the file that keeps it.

mod aims;
mod channel;
mod column;
mod conflict;
mod coordinates;
mod difference;
mod event;
#[cfg(test)]
pub(crate) mod example;
pub mod field;
#[cfg(feature = "cli")]
mod file;
mod frame;
mod obstacle;
mod passive;
mod sampler;

pub use channel::{channels, todays_name};
pub use column::Channel;
pub use conflict::{ConflictRow, LimitSide, RowOf};
pub use coordinates::Coordinates;
pub use difference::difference;
pub use event::{CheckName, FrameEvent, ImpactCause};
#[cfg(feature = "cli")]
pub use file::{
    CHUNK_SECONDS, Ending, FORMAT, FolderLock, Gap, Judged, Repaired, Stopped, StoppedBy, TraceError,
    TraceWriter, check_frame, gaps, read, read_bytes, read_ended, repair, repair_to, said_of_gaps,
};
pub use frame::*;
pub use passive::{PassiveHeader, PassiveSegment, PassiveSolid, PassiveState, PassiveTouch, SolidShape};
pub use sampler::Sampler;
