//! Progress of a world among many.

use crate::{BoundCriterion, CriterionKind, Run};
use aplomb_world::StepError;

/// The outcome of a world among many after its last frame.
#[derive(Clone, Debug, PartialEq)]
pub enum WorldOutcome {
    /// It has frames left.
    Running,
    /// All frames of its scene are done, and no criterion of kind `always` was violated.
    Finished,
    /// A criterion of kind `always` does not hold, which ends the run.
    Violated {
        /// Its index among the criteria of the run.
        criterion: usize,
        /// Time of the first frame in which it did not hold, s.
        time: f64,
    },
    /// The next frame cannot be computed. The world is not changed until it is reset.
    Failed(StepError),
}

impl WorldOutcome {
    /// Whether the world has frames left.
    pub fn is_running(&self) -> bool {
        *self == WorldOutcome::Running
    }

    /// `running`, `finished`, `violated` or `failed`.
    pub fn name(&self) -> &'static str {
        match self {
            WorldOutcome::Running => "running",
            WorldOutcome::Finished => "finished",
            WorldOutcome::Violated { .. } => "violated",
            WorldOutcome::Failed(_) => "failed",
        }
    }
}

impl Run {
    /// The outcome of the run, if its last frame could be computed: evaluates the criteria in the present state.
    pub fn outcome(&mut self) -> WorldOutcome {
        if !self.judge() {
            let is_violated =
                |criterion: &BoundCriterion| criterion.kind == CriterionKind::Always && !criterion.holds;
            let criterion = self.criteria.iter().position(is_violated).unwrap_or(0);
            let since = self.criteria.get(criterion).and_then(|criterion| criterion.at);
            return WorldOutcome::Violated { criterion, time: since.unwrap_or_else(|| self.world.time()) };
        }
        if self.is_over() { WorldOutcome::Finished } else { WorldOutcome::Running }
    }
}
