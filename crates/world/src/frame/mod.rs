//! The next frame of one character, from its snapshot and objectives to its state at the end: solve, check,
//! correct, advance. The modules here know the character, the passive world around it and the frame's number,
//! but no scene.

pub mod advance;
pub(crate) mod coupling;
mod fallback;
pub mod forces;
pub mod holding;
pub mod problem;
mod replay;
pub(crate) mod solve_loop;
pub(crate) mod solving;

pub use fallback::FALLBACK_SPEED;
