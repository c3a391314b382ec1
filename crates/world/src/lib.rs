//! Characters and the world around them, frame by frame, without files.
//!
//! [`World`] owns everything that moves; [`World::step`] computes the next frame. Scene files are one of its
//! users.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod actor;
mod builder;
pub mod character;
mod checkpoint;
mod clamped;
mod command;
mod contents;
pub mod controller;
mod controller_swap;
mod division;
pub mod event;
pub mod feedback;
mod forces_ahead;
#[doc(hidden)] // shared with aplomb-scene and tests, not a public API
pub mod frame;
pub mod goal;
mod hand_in_hand;
mod islands;
mod mind;
mod obey;
pub mod reaction_delay;
#[doc(hidden)] // shared with aplomb-scene and tests, not a public API
pub mod record;
mod result;
mod scenery;
mod settings;
mod springs;
pub mod start;
mod step;
#[doc(hidden)] // shared with aplomb-scene and tests, not a public API
pub mod surface_change;
mod take_over;
mod track;
pub mod trigger;
mod unread;

pub use aplomb_control::synthesis::{
    BindingLimit, BodyForce, BodyForcePart, ForcePart, ForceProvenance, JoinedForce, PartOf,
};
pub use builder::{Ground, Obstacle, WorldBuilder};
pub use checkpoint::Checkpoint;
pub use clamped::ClampedCommand;
pub use command::Wrench;
pub use contents::{CharacterId, FALLEN, ObstacleId, World, WorldError};
pub use event::Throw;
pub use forces_ahead::ForcesAheadError;
pub use goal::Goal;
pub use hand_in_hand::point_of;
pub use mind::{GoalNow, Mind, Watch};
pub use result::{FrameResult, FrameTiming, Results, StepError, WorldResult};
pub use settings::{Advance, WorldSettings};
pub use start::StartPose;
pub use take_over::LeftBehind;
pub use unread::UnreadValue;
