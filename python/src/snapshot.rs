//! Checkpoints of a world.

use crate::error;
use aplomb::scene::Run;
use aplomb::world::Checkpoint;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// A moment of a world: everything that changes. Going back to it gives the same bits, as often as one likes.
#[pyclass(frozen, module = "aplomb")]
pub struct Snapshot {
    checkpoint: Mutex<Checkpoint>,
    /// Of each criterion: when it was decided, and whether it holds.
    criteria: Vec<(Option<f64>, bool)>,
    /// Number of the frame before which it was taken.
    #[pyo3(get)]
    frame: u64,
}

impl Snapshot {
    pub fn of(run: &Run) -> Self {
        let checkpoint = run.world.checkpoint();
        Snapshot {
            frame: checkpoint.frame_index(),
            checkpoint: Mutex::new(checkpoint),
            criteria: run.criteria.iter().map(|criterion| (criterion.at, criterion.holds)).collect(),
        }
    }

    /// Has a world go back to it.
    ///
    /// # Errors
    /// A world with other characters.
    pub fn put_into(&self, run: &mut Run) -> PyResult<()> {
        let checkpoint = self.checkpoint.lock().unwrap_or_else(PoisonError::into_inner);
        run.world.restore(&checkpoint).map_err(error::world)?;
        for (criterion, (at, holds)) in run.criteria.iter_mut().zip(&self.criteria) {
            (criterion.at, criterion.holds) = (*at, *holds);
        }
        Ok(())
    }
}

#[pymethods]
impl Snapshot {
    fn __repr__(&self) -> String {
        format!("Snapshot(frame={})", self.frame)
    }
}
