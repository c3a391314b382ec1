//! A frame with the state of its controller and criteria.

use super::AddedCharacter;
use aplomb::scene::Run;
use aplomb::trace::{Frame, Header};
use aplomb::world::{Checkpoint, Mind, WorldError};
use std::sync::Arc;

/// A frame, and the state of the controller and of the scene's criteria at its beginning.
#[derive(Clone)]
pub struct SessionMoment {
    /// Record of the frame.
    pub frame: Arc<Frame>,
    /// Characters that a program added to the scene.
    pub others: Arc<[AddedCharacter]>,
    /// State of the controller.
    pub mind: Arc<Mind>,
    /// Verdicts of the criteria, in the order of the scene.
    pub verdicts: Arc<[CriterionVerdict]>,
    /// The criteria: name, when they must hold, and their condition.
    pub criteria: Arc<[[String; 3]]>,
    /// The trace header.
    pub header: Arc<Header>,
}

/// Current verdict of a criterion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CriterionVerdict {
    /// Whether it holds so far.
    pub holds: bool,
    /// Time of the first violation of an `always` criterion, or of the first success of a `once` criterion,
    /// s.
    pub at: Option<f64>,
}

/// A checkpoint: everything that changes in a run.
#[derive(Clone)]
pub struct Saved {
    world: Checkpoint,
    verdicts: Vec<CriterionVerdict>,
}

impl Saved {
    /// The checkpoint of a run's current state.
    pub fn of(run: &Run) -> Self {
        let verdicts = run
            .criteria
            .iter()
            .map(|criterion| CriterionVerdict { holds: criterion.holds, at: criterion.at });
        Saved { world: run.world.checkpoint(), verdicts: verdicts.collect() }
    }

    /// Number of frames simulated before it.
    pub fn frame_index(&self) -> u64 {
        self.world.frame_index()
    }

    /// Restores the checkpoint.
    pub fn restore(&self, run: &mut Run) -> Result<(), WorldError> {
        run.world.restore(&self.world)?;
        for (criterion, verdict) in run.criteria.iter_mut().zip(&self.verdicts) {
            (criterion.holds, criterion.at) = (verdict.holds, verdict.at);
        }
        Ok(())
    }
}
