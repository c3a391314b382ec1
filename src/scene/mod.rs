//! Scenes: what files say about the world, who acts in it, what happens, and what counts as success.

mod check;
mod check_events;
mod event;
mod holds;
mod load;
#[cfg(test)]
mod mistakes;
#[cfg(test)]
mod mistakes_events;
mod motion;
mod spec;
pub mod start;
mod surfaces;
#[cfg(test)]
mod tests;

pub use event::{EventKind, EventSpec};
pub use holds::{BarSpec, HoldSpec, HoldsSpec, carried, holds};
pub use load::{LoadError, SceneFiles, load, load_text};
pub use motion::{MotionSpec, PathSpec, SineSpec};
pub use spec::{
    Advance, CharacterSpec, Criterion, GripSpec, GroundSpec, ObstacleSpec, REACTION_DELAY, ReactionDelaySpec,
    SceneSpec,
};
