//! A world shared by several Python objects. One thread uses it at a time; another gets an error and never
//! waits, because the first may be waiting for the interpreter.

use crate::error::Trouble;
use aplomb::scene::{Run, WorldOutcome};
use aplomb::world::{StepError, World};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// Frames between two looks at whether somebody pressed Ctrl-C.
const FRAMES_BETWEEN_SIGNALS: u64 = 64;

/// A world, of a scene or without one.
pub struct Shared {
    run: Mutex<Run>,
    pub failure: std::sync::Arc<Failure>,
    /// Why the next frame of one among many cannot be computed, until it goes back.
    stopped: Mutex<Option<StepError>>,
}

/// What an objective in Python raised while a frame was computed.
#[derive(Default)]
pub struct Failure(Mutex<Option<PyErr>>);

impl Failure {
    /// Keeps the first.
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
    /// Another has it.
    pub fn lock(&self) -> Result<MutexGuard<'_, Run>, Trouble> {
        match self.run.try_lock() {
            Ok(run) => Ok(run),
            // Only a panic of the engine leaves it so; what there is can still be looked at.
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(Trouble::Busy),
        }
    }

    /// Steps the world as long as `goes_on` says, without the interpreter's lock.
    ///
    /// # Errors
    /// What a frame or an objective gives, and a signal.
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

    /// Does something to the world, without the interpreter's lock.
    ///
    /// # Errors
    /// What it or an objective gives.
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

    /// One frame, wherever it is called from.
    ///
    /// # Errors
    /// What the frame or an objective gives.
    pub fn step(&self) -> Result<(), Trouble> {
        self.lock()?.world.step()?;
        self.failure.take()
    }

    /// At most so many frames of one among many worlds, as long as its run goes on. An error of a frame stops it until it
    /// goes back.
    ///
    /// # Errors
    /// What a frame or an objective gives.
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

    /// Why its next frame cannot be computed, if it was found so among many.
    pub fn stopped(&self) -> Option<StepError> {
        self.stop().clone()
    }

    /// What stopped it is over.
    pub fn go_on(&self) {
        *self.stop() = None;
    }

    /// How far it has come.
    ///
    /// # Errors
    /// Another has it.
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
