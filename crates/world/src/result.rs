//! Results of a frame.

use crate::controller::{BadValue, Progress};
use aplomb_control::synthesis::BindingLimit;
use aplomb_math::extent::FARTHEST;
use aplomb_trace::Frame;
use std::time::Duration;

/// Results of a frame. The memory is reused from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct FrameResult {
    /// Record of the frame.
    pub frame: Frame,
    /// Changes of the controller's state.
    pub progress: Progress,
    /// Active limits with a force, strongest first; set by
    /// [`World::note_binding`](super::World::note_binding), not by a step.
    #[doc(alias = "active set")]
    pub binding: Vec<BindingLimit>,
    /// Largest difference of a velocity coordinate between prediction and forward dynamics, m/s or rad/s; for
    /// simulated frames.
    pub divergence: Option<f64>,
    /// Wall-clock time by phase.
    pub timing: FrameTiming,
}

/// Computation time of a frame by phase.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrameTiming {
    /// Time spent on kinematics, contacts and the rest of the snapshot.
    pub sense: Duration,
    /// Time spent on writing the QP.
    pub assemble: Duration,
    /// Time spent on solving the QP.
    pub solve: Duration,
    /// Time spent on advancing the state.
    pub advance: Duration,
    /// Time spent on the frame's record.
    pub record: Duration,
    /// Number of QP solves.
    pub solves: u32,
}

/// A length of any size: 12.3, 1.2e40.
fn metres(length: f64) -> String {
    if length < 1e9 { format!("{length:.1}") } else { format!("{length:.1e}") }
}

/// Why a frame cannot be computed. The world is then at the beginning of the frame, except for its passive
/// objects and the states of controllers: restore a checkpoint to continue.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A number of a character's controller with which no frame can be computed.
    #[error("{value}")]
    Value {
        /// Name of the character.
        character: String,
        /// The value and its source.
        value: BadValue,
    },
    /// An object is too far from the origin for the accuracy of numbers. The world is at the beginning of the
    /// frame.
    #[error("`{name}` is {} m from the origin at {time} s, farther than {FARTHEST} m", metres(*distance))]
    TooFar {
        /// Name of the character, passive object or obstacle.
        name: String,
        /// Distance from the origin, m.
        distance: f64,
        /// Time of the frame, s.
        time: f64,
    },
    /// An event whose command is impossible at that time.
    #[error("event `{event}`: {reason}")]
    Event {
        /// Name of the event.
        event: String,
        /// Reason.
        reason: String,
    },
}
