//! The next frame of one character, from its snapshot and objectives to its state at the end: solve, check,
//! correct, advance. The modules here know the character, the passive world around it and the frame's number,
//! but no scene.

pub(crate) mod advance;
pub(crate) mod coupling;
pub(crate) mod excess;
mod fallback;
pub(crate) mod forces;
pub(crate) mod holding;
pub mod problem;
mod replay;
pub(crate) mod solve_loop;
pub(crate) mod solving;

pub use fallback::FALLBACK_SPEED;

/// Number and length of the frame that is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FrameTime {
    /// Number of the frame; 0 is the first of the run.
    pub(crate) index: u64,
    /// Length of the frame, s.
    pub(crate) dt: f64,
}

/// Kind of a frame's solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FrameMode {
    /// All objectives are weighted, and every constraint is enforced.
    #[default]
    Ordinary,
    /// Objectives are ignored: the solution has the least kinetic energy under contacts and joint limits.
    Impact,
    /// Constraints were relaxed; the outcome names them.
    Relaxed,
}
