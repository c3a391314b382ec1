//! Errors of many worlds.

use crate::LoadError;
use aplomb_world::WorldError;

/// Why many worlds cannot be made or changed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum WorldsError {
    /// The scene of a world has mistakes, or a file is missing.
    #[error("world {world}: {error}")]
    File {
        /// Index of the world.
        world: usize,
        /// The mistake.
        error: LoadError,
    },
    /// A world whose first character has another body than that of the first world.
    #[error("world {world} has (nq, nv) of {found:?}, and the first one {first:?}")]
    Shape {
        /// Index of the world.
        world: usize,
        /// Its nq and nv.
        found: (usize, usize),
        /// nq and nv of the first world.
        first: (usize, usize),
    },
    /// An index that no world has.
    #[error("there is no world {world}, there are {count}")]
    NoWorld {
        /// The index.
        world: usize,
        /// Number of worlds.
        count: usize,
    },
    /// A list that should have a value a world.
    #[error("{found} values for {count} worlds")]
    Count {
        /// Number of values.
        found: usize,
        /// Number of worlds.
        count: usize,
    },
    /// A command that a world does not take.
    #[error("world {world}: {reason}")]
    World {
        /// Index of the world.
        world: usize,
        /// Why not.
        reason: WorldError,
    },
    /// Threads cannot be created.
    #[error("{0}")]
    Threads(String),
}
