//! Checkpoints of a run: those of its world, with the state of its criteria.

use super::run::Run;
use aplomb_language::expression::NearestDeciding;
use aplomb_world::{Checkpoint, WorldError};

/// The complete mutable state of a run. A restored run continues with the same numbers, to the last bit, any
/// number of times. Created by [`Run::checkpoint`].
#[doc(alias = "snapshot")]
#[derive(Clone)]
pub struct RunCheckpoint {
    world: Checkpoint,
    criteria: Vec<CriterionState>,
}

/// The state of a criterion.
#[derive(Clone)]
struct CriterionState {
    at: Option<f64>,
    holds: bool,
    margin: Option<f64>,
    decided: Option<NearestDeciding>,
}

impl RunCheckpoint {
    /// Number of frames simulated before it.
    pub fn frame_index(&self) -> u64 {
        self.world.frame_index()
    }
}

impl Run {
    /// Saves the changing state, for [`restore`](Run::restore).
    pub fn checkpoint(&self) -> RunCheckpoint {
        let state = |criterion: &super::BoundCriterion| CriterionState {
            at: criterion.at,
            holds: criterion.holds,
            margin: criterion.margin,
            decided: criterion.decided,
        };
        RunCheckpoint { world: self.world.checkpoint(), criteria: self.criteria.iter().map(state).collect() }
    }

    /// Restores a checkpoint of this run, or of another one of the same scene.
    ///
    /// # Errors
    /// If the checkpoint is of a run with other characters.
    pub fn restore(&mut self, checkpoint: &RunCheckpoint) -> Result<(), WorldError> {
        self.world.restore(&checkpoint.world)?;
        for (criterion, state) in self.criteria.iter_mut().zip(&checkpoint.criteria) {
            (criterion.at, criterion.holds) = (state.at, state.holds);
            (criterion.margin, criterion.decided) = (state.margin, state.decided);
        }
        Ok(())
    }
}
