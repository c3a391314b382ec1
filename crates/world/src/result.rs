//! What a frame gave.

use crate::controller::{BadValue, Progress};
use aplomb_control::synthesis::BindingLimit;
use aplomb_math::extent::FARTHEST;
use aplomb_trace::Frame;
use std::time::Duration;

/// What a frame gave. Its memory is reused from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct FrameResult {
    /// Record of the frame.
    pub frame: Frame,
    /// What happened to the controller's state.
    pub progress: Progress,
    /// Limits that held with force, strongest first; filled in by [`World::note_binding`](super::World::note_binding),
    /// not by a step.
    pub binding: Vec<BindingLimit>,
    /// Largest difference of a velocity coordinate between what was predicted and what forward dynamics gave, m/s
    /// or rad/s; where frames are simulated.
    pub divergence: Option<f64>,
    /// Wall-clock time by phase.
    pub timing: FrameTiming,
}

/// Where a frame's time went.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrameTiming {
    /// Time spent on kinematics, contacts and what else the snapshot holds.
    pub sense: Duration,
    /// Time spent on writing the QP.
    pub assemble: Duration,
    /// Time spent on solving the QP.
    pub solve: Duration,
    /// Time spent on advancing the state.
    pub advance: Duration,
    /// Making the frame's record.
    pub record: Duration,
    /// How often the QP was solved.
    pub solves: u32,
}

/// A length that may be of any size: 12.3, 1.2e40.
fn metres(length: f64) -> String {
    if length < 1e9 { format!("{length:.1}") } else { format!("{length:.1e}") }
}

/// Why a frame cannot be computed. The world is then where the frame began, but for its passive objects and the
/// states of controllers: restore a checkpoint to go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A number of a character's controller that no frame can be computed with.
    #[error("{value}")]
    Value {
        /// Name of the character.
        character: String,
        /// The value and where it came from.
        value: BadValue,
    },
    /// Something has left the region in which numbers are good. The world is where the frame would have begun.
    #[error("`{name}` is {} m from the origin at {time} s, farther than {FARTHEST} m", metres(*distance))]
    TooFar {
        /// Name of the character, passive object or obstacle.
        name: String,
        /// m
        distance: f64,
        /// s
        time: f64,
    },
    /// What an event asks for that cannot be done as the world is then.
    #[error("event `{event}`: {reason}")]
    Event {
        /// Name of the event.
        event: String,
        /// Why not.
        reason: String,
    },
}
