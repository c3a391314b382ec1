//! A frame with what was thought in it.

use super::Other;
use aplomb::scene::Run;
use aplomb::trace::{Frame, Header};
use aplomb::world::{Checkpoint, Mind, WorldError};
use std::sync::Arc;

/// A frame, what the controller thought as it began, and how the scene's criteria stood then.
#[derive(Clone)]
pub struct Moment {
    /// Its record.
    pub frame: Arc<Frame>,
    /// Characters that a program added to the scene.
    pub others: Arc<[Other]>,
    /// What the controller thought.
    pub mind: Arc<Mind>,
    /// The criteria, in the order of the scene.
    pub verdicts: Arc<[Verdict]>,
    /// The criteria: name, when they must hold, and what must.
    pub criteria: Arc<[[String; 3]]>,
    /// What does not change from frame to frame.
    pub header: Arc<Header>,
}

/// How a criterion stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// Whether it is met so far.
    pub holds: bool,
    /// When one that must always hold first did not, or one that must hold once first did, s.
    pub at: Option<f64>,
}

/// Everything that changes, to go back to.
#[derive(Clone)]
pub struct Saved {
    world: Checkpoint,
    verdicts: Vec<Verdict>,
}

impl Saved {
    /// How a run stands.
    pub fn of(run: &Run) -> Self {
        let verdicts =
            run.criteria.iter().map(|criterion| Verdict { holds: criterion.holds, at: criterion.at });
        Saved { world: run.world.checkpoint(), verdicts: verdicts.collect() }
    }

    /// Simulated frames before it.
    pub fn frame_index(&self) -> u64 {
        self.world.frame_index()
    }

    /// Goes back to it.
    pub fn restore(&self, run: &mut Run) -> Result<(), WorldError> {
        run.world.restore(&self.world)?;
        for (criterion, verdict) in run.criteria.iter_mut().zip(&self.verdicts) {
            (criterion.holds, criterion.at) = (verdict.holds, verdict.at);
        }
        Ok(())
    }
}
