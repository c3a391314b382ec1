//! One world among many.

use super::outcome::WorldOutcome;
use crate::Run;
use crate::checkpoint::RunCheckpoint;
use aplomb_world::WorldError;
use std::sync::{Arc, Mutex, PoisonError};

/// One run among many: its outcome, and its initial state.
pub(super) struct WorldSlot {
    pub run: Run,
    pub outcome: WorldOutcome,
    /// Whether it was changed since its outcome was determined.
    pub is_changed: bool,
    /// Whether the record of its last frame belongs to the frame before its present state.
    pub has_torque: bool,
    /// Initial state. It contains a solver with its warm start, which only one thread may use at a time.
    start: Arc<Mutex<RunCheckpoint>>,
}

impl WorldSlot {
    pub(super) fn new(mut run: Run, start: Arc<Mutex<RunCheckpoint>>) -> Self {
        let outcome = run.outcome();
        WorldSlot { run, outcome, is_changed: false, has_torque: false, start }
    }

    /// Computes at most this number of frames, while the world has frames left.
    pub(super) fn step(&mut self, frames: u64) {
        self.look();
        for _ in 0..frames {
            if !self.outcome.is_running() {
                return;
            }
            let stepped = self.run.world.step();
            self.has_torque = stepped.is_ok();
            self.outcome = match stepped {
                Ok(()) => self.run.outcome(),
                Err(error) => WorldOutcome::Failed(error),
            };
        }
    }

    /// Updates the outcome if the world was changed. A failure remains.
    pub(super) fn look(&mut self) {
        if std::mem::take(&mut self.is_changed) && !matches!(self.outcome, WorldOutcome::Failed(_)) {
            self.outcome = self.run.outcome();
        }
    }

    /// Restores the initial state.
    pub(super) fn reset(&mut self) -> Result<(), WorldError> {
        let start = self.start.clone();
        self.restore(&start.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Restores a checkpoint.
    pub(super) fn restore(&mut self, checkpoint: &RunCheckpoint) -> Result<(), WorldError> {
        self.run.restore(checkpoint)?;
        (self.is_changed, self.has_torque) = (false, false);
        self.outcome = self.run.outcome();
        Ok(())
    }
}
