//! Scenes: what files say about the world, who acts in it, what happens, and what counts as success.

mod check;
mod holds;
mod load;
#[cfg(test)]
mod mistakes;
mod spec;
#[cfg(test)]
mod tests;

pub use holds::{BarSpec, HoldSpec, HoldsSpec, holds};
pub use load::{LoadError, SceneFiles, load, load_text};
pub use spec::{
    Advance, CharacterSpec, Criterion, GripSpec, GroundSpec, MUSCLE_DELAY, MuscleDelaySpec, ObstacleSpec,
    PushSpec, SceneSpec,
};
