//! Scenes: what files say about the world, who acts in it, what happens, and what counts as success.

mod check;
mod load;
mod spec;
#[cfg(test)]
mod tests;

pub use load::{LoadError, SceneFiles, load, load_text};
pub use spec::{BiasVelocity, CharacterSpec, Criterion, GroundSpec, ObstacleSpec, PushSpec, SceneSpec};
