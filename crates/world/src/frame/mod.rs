//! The next frame of one character, from what it senses and wants to the state it ends in: solved, looked at,
//! corrected, moved. It knows its character, the passive world around it and the frame's number, and no scene.

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
