//! Results of a frame.

use crate::controller::{BadValue, Progress};
use aplomb_control::synthesis::{BindingLimit, ForceProvenance};
use aplomb_math::extent::FARTHEST;
use aplomb_trace::{CharacterFrame, Frame, OwnFrame, WorldFrame};
use std::ops::Add;
use std::time::Duration;

/// Results of a frame for a character. The memory is reused from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct FrameResult {
    /// Record of the character in the frame.
    pub frame: CharacterFrame,
    /// Records of the parts of a divided frame.
    pub(super) parts: PartRecords<CharacterFrame>,
    /// Provenance of the forces of each part of a divided frame, if requested
    /// ([`explains`](aplomb_control::synthesis::Synthesiser::explains)).
    pub part_provenance: Vec<Option<ForceProvenance>>,
    /// Changes of the controller's state.
    pub progress: Progress,
    /// Active limits with a force, strongest first; set by
    /// [`World::note_binding`](super::World::note_binding), not by a step.
    #[doc(alias = "active set")]
    pub binding: Vec<BindingLimit>,
    /// Largest difference of a velocity coordinate between prediction and forward dynamics, m/s or rad/s; for
    /// simulated frames.
    pub divergence: Option<f64>,
    /// Wall-clock time by phase, spent on the character.
    pub timing: FrameTiming,
}

/// Results of a frame for the world, independent of its characters. The memory is reused from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct WorldResult {
    /// Record of the world in the frame.
    pub frame: WorldFrame,
    /// Records of the parts of a divided frame.
    pub(super) parts: PartRecords<WorldFrame>,
    /// Wall-clock time by phase, spent on passive objects and on the snapshots of all characters.
    pub timing: FrameTiming,
}

/// Results of a frame for the world and one of its characters, or for a world without characters.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    /// Results for the world.
    pub world: &'a WorldResult,
    /// Results for the character.
    pub character: Option<&'a FrameResult>,
    /// Record of the character, and the character's index.
    pub(super) own: Option<OwnFrame<'a>>,
    /// Whether the frame was divided.
    pub(super) is_divided: bool,
    /// Velocity at which the bias force would be evaluated without a character, by its name in records.
    pub(super) bias_velocity: &'static str,
}

/// Records of the parts of a divided frame, and the time that they took.
#[derive(Clone, Debug, Default)]
pub(super) struct PartRecords<F> {
    /// The records; those of the last frame that was divided.
    pub list: Vec<F>,
    spent: FrameTiming,
    /// Length of the step before the first, s.
    dt_before: f64,
}

impl<F: Clone> PartRecords<F> {
    fn keep(&mut self, frame: &F, timing: FrameTiming, is_first: bool) {
        if is_first {
            self.list.clear();
            self.spent = FrameTiming::default();
        }
        self.list.push(frame.clone());
        self.spent = self.spent + timing;
    }
}

impl FrameResult {
    /// Keeps the record of a part of a divided frame, after a step of `dt_before` s, the time that it took, and the
    /// provenance of its forces.
    pub(super) fn keep_part(&mut self, is_first: bool, dt_before: f64, provenance: Option<ForceProvenance>) {
        self.parts.keep(&self.frame, self.timing, is_first);
        if is_first {
            self.parts.dt_before = dt_before;
            self.part_provenance.clear();
        }
        self.part_provenance.push(provenance);
    }

    /// Makes the record of a divided frame of `dt` s from those of its parts.
    pub(super) fn join_parts(&mut self, dt: f64) {
        self.frame = CharacterFrame::joined(&self.parts.list, dt, self.parts.dt_before);
        self.timing = self.parts.spent;
    }
}

impl WorldResult {
    /// Keeps the record of a part of a divided frame, and the time that it took.
    pub(super) fn keep_part(&mut self, is_first: bool) {
        self.parts.keep(&self.frame, self.timing, is_first);
    }

    /// Makes the record of a divided frame of `dt` s from those of its parts.
    pub(super) fn join_parts(&mut self, dt: f64) {
        self.frame = WorldFrame::joined(&self.parts.list, dt);
        self.timing = self.parts.spent;
    }
}

impl Results<'_> {
    /// The record in the form of traces: that of the world with that of the character.
    pub fn frame(&self) -> Frame {
        let mut frame = Frame::default();
        self.write_frame(&mut frame);
        frame
    }

    /// Writes [`frame`](Results::frame) to one whose memory is reused.
    pub fn write_frame(&self, frame: &mut Frame) {
        write_frame(frame, &self.world.frame, self.own, self.bias_velocity);
    }

    /// Records of the parts of the frame, if it was divided, each with the number of the frame.
    pub fn parts(&self) -> Vec<Frame> {
        if !self.is_divided {
            return Vec::new();
        }
        let own = |number: usize| Some((self.own?, self.character?.parts.list.get(number)?));
        let parts = self.world.parts.list.iter().enumerate().map(|(number, world)| {
            let own = own(number).map(|(own, part)| OwnFrame { frame: part, ..own });
            let mut frame = Frame::default();
            write_frame(&mut frame, world, own, self.bias_velocity);
            frame
        });
        parts.collect()
    }

    /// Wall-clock time by phase: that of the world and that of the character.
    pub fn timing(&self) -> FrameTiming {
        let of_character = self.character.map(|of| of.timing).unwrap_or_default();
        self.world.timing + of_character
    }
}

/// Joins the record of the world and that of a character, or the former and the fields of a frame without a
/// character.
pub(crate) fn write_frame(
    frame: &mut Frame,
    world: &WorldFrame,
    own: Option<OwnFrame<'_>>,
    bias_velocity: &'static str,
) {
    frame.join(world, own);
    if own.is_none() {
        // Field values that traces have always had in frames without a character.
        frame.bias_velocity = bias_velocity.into();
        frame.state_time = frame.time;
    }
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

impl Add for FrameTiming {
    type Output = FrameTiming;

    fn add(self, other: FrameTiming) -> FrameTiming {
        FrameTiming {
            sense: self.sense + other.sense,
            assemble: self.assemble + other.assemble,
            solve: self.solve + other.solve,
            advance: self.advance + other.advance,
            record: self.record + other.record,
            solves: self.solves + other.solves,
        }
    }
}

/// A length of any size as text: 12.3, 1.2e40.
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
