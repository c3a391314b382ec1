//! Repeated runs of a trace's scene, unchanged or with changed values, from its beginning or from a later moment.

use crate::summary::MOST_FAILED;
use aplomb_language::diagnostic::FileErrors;
use aplomb_scene::{CriterionKind, LoadError, Run, SceneFiles};
use aplomb_trace::{Header, Outcome};
use aplomb_world::{Checkpoint, FrameResult, StepError};

/// Largest number of checkpoints of a run.
const MOST_CHECKPOINTS: u64 = 24;

/// Why a scene cannot be run again.
#[derive(Debug, thiserror::Error)]
pub enum RerunError {
    /// The texts of the trace cannot be loaded, or not with a change.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The files do not bind to each other.
    #[error(transparent)]
    Bind(#[from] FileErrors),
    /// A number with which no frame can be computed.
    #[error(transparent)]
    Step(#[from] StepError),
}

/// End of a repeated run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fate {
    /// All criteria held; without criteria, the character never fell.
    Kept,
    /// A criterion was violated, or too many frames had no solution; the time from which that is certain, s.
    Failed {
        /// Time of the failure, s.
        at: f64,
    },
    /// The criteria that are explained held, but something else failed.
    FailedOtherwise {
        /// Time of that failure, s.
        at: f64,
    },
    /// The scene cannot be run with the change.
    Impossible,
}

/// The explained failure of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FailureExplained {
    /// The criteria that failed first, by name.
    pub(crate) criteria: Vec<String>,
    /// Time of the failure, s.
    pub(crate) at: f64,
}

impl FailureExplained {
    /// Whether these criteria held in a run that failed at `end`, s.
    fn held(&self, run: &Run, end: f64) -> bool {
        let mut known =
            run.criteria.iter().filter(|criterion| self.criteria.contains(&criterion.name)).peekable();
        end >= self.at - 1e-9 && known.peek().is_some() && known.all(|criterion| criterion.holds)
    }
}

impl Fate {
    /// Whether all criteria held.
    pub(crate) fn is_kept(self) -> bool {
        self == Fate::Kept
    }
}

/// The scene with these values changed, ready to run.
///
/// # Errors
/// If the texts do not load or bind with the changes.
pub(crate) fn bound(header: &Header, changes: &[String]) -> Result<(SceneFiles, Run), RerunError> {
    let files = aplomb_scene::load_kept(header, changes)?;
    let run = Run::bind(&files)?;
    Ok((files, run))
}

/// The result of the scene with these values changed.
pub(crate) fn fate(header: &Header, changes: &[String]) -> Fate {
    fate_of(header, changes, &FailureExplained::default())
}

/// The result of the scene with these values changed, with respect to the explained failure.
pub(crate) fn fate_of(header: &Header, changes: &[String], explained: &FailureExplained) -> Fate {
    let Ok((_, mut run)) = bound(header, changes) else { return Fate::Impossible };
    match finish(&mut run, 0) {
        Fate::Failed { at } if explained.held(&run, at) => Fate::FailedOtherwise { at },
        fate => fate,
    }
}

/// Whether the character of the header comes to a state of its controller with these values changed.
pub(crate) fn comes_to(header: &Header, changes: &[String], state: &str) -> bool {
    let Ok((_, mut run)) = bound(header, changes) else { return false };
    let Some(character) = run.world.find_character(&header.character) else { return false };
    while !run.is_over() && matches!(run.step(), Ok(Some(_))) {
        let results = run.world.results(Some(character));
        if results.character.is_some_and(|of| of.frame.state == state) {
            return true;
        }
    }
    false
}

/// Continues to the end, or until the result is certain; `failed` frames had no solution before.
fn finish(run: &mut Run, failed: u64) -> Fate {
    let mut failed = failed;
    while !run.is_over() {
        match run.step() {
            Err(_) => return Fate::Failed { at: run.world.time() },
            Ok(None) => return Fate::Failed { at: run.world.time() },
            Ok(Some(results)) => {
                let has_failed = |of: &FrameResult| matches!(of.frame.outcome, Outcome::Failed { .. });
                failed += u64::from(results.character.is_some_and(has_failed));
            }
        }
        if run.criteria.is_empty() && has_fallen(run) {
            return Fate::Failed { at: run.world.time() };
        }
    }
    let held = run.judge() && run.criteria.iter().all(|criterion| criterion.holds);
    let too_often = failed as f64 > MOST_FAILED * run.frames as f64;
    if held && !too_often { Fate::Kept } else { Fate::Failed { at: run.world.time() } }
}

/// Whether the scene's character had fallen when the last frame began.
pub(crate) fn has_fallen(run: &Run) -> bool {
    run.hero().is_some_and(|hero| run.world.has_fallen(hero))
}

/// Snapshot of a run.
struct RunSnapshot {
    checkpoint: Checkpoint,
    /// For each criterion of the scene, in order: whether it held, and when it was decided.
    criteria: Vec<(bool, Option<f64>)>,
}

/// A run that can be rewound.
pub(crate) struct Past {
    header: Header,
    run: Run,
    checkpoints: Vec<RunSnapshot>,
}

impl Past {
    /// Repeats the unchanged run up to a frame.
    ///
    /// # Errors
    /// Like [`bound`], and if a frame cannot be computed.
    pub(crate) fn new(header: &Header, end: u64) -> Result<Self, RerunError> {
        let (_, run) = bound(header, &[])?;
        let mut past = Past { header: header.clone(), run, checkpoints: Vec::new() };
        let every = (end / MOST_CHECKPOINTS).max(1);
        for frame in 0..=end {
            if frame % every == 0 {
                past.keep();
            }
            if frame == end || past.run.step()?.is_none() {
                break;
            }
        }
        Ok(past)
    }

    fn keep(&mut self) {
        let criteria = self.run.criteria.iter().map(|criterion| (criterion.holds, criterion.at)).collect();
        self.checkpoints.push(RunSnapshot { checkpoint: self.run.world.checkpoint(), criteria });
    }

    /// Its result if values are changed from a frame on.
    pub(crate) fn changed_from(&mut self, frame: u64, changes: &[String]) -> Fate {
        let before = |moment: &&RunSnapshot| moment.checkpoint.frame_index() <= frame;
        let Some(RunSnapshot { checkpoint, criteria }) = self.checkpoints.iter().rev().find(before) else {
            return Fate::Impossible;
        };
        if self.run.world.restore(checkpoint).is_err() {
            return Fate::Impossible;
        }
        for (criterion, (holds, at)) in self.run.criteria.iter_mut().zip(criteria) {
            (criterion.holds, criterion.at) = (*holds, *at);
        }
        while self.run.world.frame_index() < frame {
            if !matches!(self.run.step(), Ok(Some(_))) {
                return Fate::Failed { at: self.run.world.time() };
            }
        }
        let Ok((_, mut other)) = bound(&self.header, changes) else { return Fate::Impossible };
        other.world.take_over(&self.run.world);
        for criterion in &mut other.criteria {
            let before = self.run.criteria.iter().find(|known| known.name == criterion.name);
            if let Some(before) = before.filter(|_| criterion.kind != CriterionKind::AtEnd) {
                (criterion.holds, criterion.at) = (before.holds, before.at);
            }
        }
        finish(&mut other, 0)
    }
}
