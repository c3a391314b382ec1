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
    /// The first character of a world has a body of another size than that of the first world.
    #[error("world {world} has (nq, nv) of {found:?}, and the first one {first:?}")]
    Shape {
        /// Index of the world.
        world: usize,
        /// Its nq and nv.
        found: (usize, usize),
        /// nq and nv of the first world.
        first: (usize, usize),
    },
    /// No world has this index.
    #[error("there is no world {world}, there are {count}")]
    NoWorld {
        /// The index.
        world: usize,
        /// Number of worlds.
        count: usize,
    },
    /// A list does not have one value per world.
    #[error("{found} values for {count} worlds")]
    Count {
        /// Number of values.
        found: usize,
        /// Number of worlds.
        count: usize,
    },
    /// A world rejects a change.
    #[error("world {world}: {reason}")]
    World {
        /// Index of the world.
        world: usize,
        /// Reason.
        reason: WorldError,
    },
    /// Threads cannot be created.
    #[error("{0}")]
    Threads(String),
}
