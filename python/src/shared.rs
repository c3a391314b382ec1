//! A world shared by several Python objects. One thread uses it at a time; a second one gets an error instead of
//! waiting, because the first may be waiting for the interpreter.

use crate::error::Trouble;
use aplomb::scene::{Run, WorldOutcome};
use aplomb::world::{StepError, World};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// Frames between two checks for Ctrl-C.
const FRAMES_BETWEEN_SIGNALS: u64 = 64;

/// A world, with or without a scene.
pub struct Shared {
    run: Mutex<Run>,
    pub failure: std::sync::Arc<Failure>,
    /// Error of the next frame of one among many worlds; cleared when the world is reset or restored.
    stopped: Mutex<Option<StepError>>,
}

/// First exception that a Python objective raised during a frame.
#[derive(Default)]
pub struct Failure(Mutex<Option<PyErr>>);

impl Failure {
    /// Stores the exception, unless there already is one.
    pub fn keep(&self, error: PyErr) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    fn take(&self) -> Result<(), Trouble> {
        match self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(Trouble::Raised(error)),
            None => Ok(()),
        }
    }
}

impl Shared {
    pub fn of_run(run: Run) -> Self {
        Shared { run: Mutex::new(run), failure: std::sync::Arc::default(), stopped: Mutex::default() }
    }

    /// A world without an end and without criteria.
    pub fn of_world(world: World) -> Self {
        Shared::of_run(Run { world, criteria: Vec::new(), frames: u64::MAX })
    }

    /// # Errors
    /// Another thread is using it.
    pub fn lock(&self) -> Result<MutexGuard<'_, Run>, Trouble> {
        match self.run.try_lock() {
            Ok(run) => Ok(run),
            // Only a panic of the engine poisons the lock; the world can still be read.
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(Trouble::Busy),
        }
    }

    /// Steps the world while `goes_on` returns true, without the interpreter's lock.
    ///
    /// # Errors
    /// Errors of a frame or an objective, and a signal.
    pub fn step_while(
        &self,
        py: Python<'_>,
        mut goes_on: impl FnMut(&mut Run) -> bool + Send,
    ) -> Result<u64, Trouble> {
        py.detach(|| {
            let mut run = self.lock()?;
            let mut frames = 0;
            while goes_on(&mut run) {
                run.world.step()?;
                self.failure.take()?;
                frames += 1;
                if frames % FRAMES_BETWEEN_SIGNALS == 0 {
                    Python::attach(|py| py.check_signals())?;
                }
            }
            Ok(frames)
        })
    }

    /// Runs `work` on the world, without the interpreter's lock.
    ///
    /// # Errors
    /// Errors of `work` or of an objective.
    pub fn with_world<E: Into<Trouble>>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut World) -> Result<(), E> + Send,
    ) -> Result<(), Trouble> {
        py.detach(|| {
            let done = work(&mut self.lock()?.world);
            self.failure.take()?;
            done.map_err(Into::into)
        })
    }

    /// Computes one frame.
    ///
    /// # Errors
    /// Errors of the frame or of an objective.
    pub fn step(&self) -> Result<(), Trouble> {
        self.lock()?.world.step()?;
        self.failure.take()
    }

    /// Computes at most `frames` frames of one among many worlds, while its run continues. An error of a frame stops
    /// it until it is reset or restored.
    ///
    /// # Errors
    /// Errors of a frame or of an objective.
    pub fn step_among(&self, frames: u64) -> Result<(), Trouble> {
        if self.stopped().is_some() {
            return Ok(());
        }
        for _ in 0..frames {
            if !self.lock()?.outcome().is_running() {
                break;
            }
            if let Err(trouble) = self.step() {
                if let Trouble::Step(error) = &trouble {
                    *self.stop() = Some(error.clone());
                }
                return Err(trouble);
            }
        }
        Ok(())
    }

    /// Error of the next frame, if it was found by [`step_among`](Shared::step_among).
    pub fn stopped(&self) -> Option<StepError> {
        self.stop().clone()
    }

    /// Clears the error that stopped the world.
    pub fn go_on(&self) {
        *self.stop() = None;
    }

    /// Outcome of the run so far.
    ///
    /// # Errors
    /// Another thread is using it.
    pub fn outcome(&self) -> Result<WorldOutcome, Trouble> {
        match self.stopped() {
            Some(error) => Ok(WorldOutcome::Failed(error)),
            None => Ok(self.lock()?.outcome()),
        }
    }

    fn stop(&self) -> MutexGuard<'_, Option<StepError>> {
        self.stopped.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
