//! Scenes: files with the world, its characters, events and success criteria.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod aim;
mod build;
mod check;
mod check_events;
mod checkpoint;
mod criteria;
mod event;
mod events;
mod header;
mod hold_spec;
mod holds;
mod load;
mod motion;
mod overrides;
mod passive_settings;
mod run;
mod spec;
mod start;
mod surfaces;
mod switches;
mod terrain;
#[cfg(test)]
mod tests;
mod track;
#[doc(hidden)] // shared with aplomb-analysis, not public API
pub mod trials;
mod worlds;

pub use checkpoint::RunCheckpoint;
pub use criteria::{BoundCriterion, CriterionKind};
pub use event::{EventKind, EventSpec, list as list_events};
pub use events::unknown_bodies;
pub use header::{header, header_of_character};
pub use hold_spec::{BarSpec, HoldSpec, HoldsSpec};
pub(crate) use holds::{carried, holds};
pub use load::{
    CharacterFiles, Examined, LoadError, SceneFiles, examine, examine_found, load, load_kept, load_text,
    load_trial, spec_of,
};
pub use run::Run;
pub use spec::{CharacterSpec, Criterion, GroundSpec, ObstacleSpec, ReactionDelaySpec, SceneSpec};
pub use track::TrackSpec;
pub use worlds::{WorldOutcome, Worlds, WorldsError};
