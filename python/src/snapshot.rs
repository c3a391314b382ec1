//! Checkpoints of a world.

use crate::error;
use crate::shared::Shared;
use aplomb::scene::{Run, RunCheckpoint};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// A checkpoint of a world: everything that changes. It can be restored any number of times, with bit-identical
/// results.
#[pyclass(frozen, module = "aplomb")]
pub struct Snapshot {
    checkpoint: Mutex<RunCheckpoint>,
    /// Index of the next frame when it was taken.
    #[pyo3(get)]
    frame: u64,
}

impl Snapshot {
    pub fn of(run: &Run) -> Self {
        let checkpoint = run.checkpoint();
        Snapshot { frame: checkpoint.frame_index(), checkpoint: Mutex::new(checkpoint) }
    }

    /// Restores the checkpoint in a world.
    ///
    /// # Errors
    /// A world with other characters, or one that another thread is using.
    pub fn put_into(&self, shared: &Shared) -> PyResult<()> {
        let checkpoint = self.checkpoint.lock().unwrap_or_else(PoisonError::into_inner);
        shared.lock()?.restore(&checkpoint).map_err(error::world)?;
        shared.go_on();
        Ok(())
    }
}

#[pymethods]
impl Snapshot {
    fn __repr__(&self) -> String {
        format!("Snapshot(frame={})", self.frame)
    }
}
