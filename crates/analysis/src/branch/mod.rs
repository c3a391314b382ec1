//! Many futures of one moment of a run: with a value changed, or after a push.
//!
//! Each thread repeats the run up to the moment once; each future continues from there. The results do not
//! depend on the number of threads.

mod criteria;
mod futures;
mod margin;

pub use criteria::{FutureCriteria, judged};
pub use futures::{BranchEnd, BranchFate, changed, check, unchanged, value_now};
pub use margin::{Answer, PushMargin, push_margins};

use crate::rerun::{RerunError, bound};
use crate::sweep::in_order;
use aplomb_scene::{LoadError, Run, RunCheckpoint};
use aplomb_trace::Header;
use aplomb_world::{CharacterId, StepError, WorldError};
use std::convert::Infallible;
use std::ops::Range;

/// A moment of a run, and the length of its futures.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// Header of the trace of the character.
    pub header: &'a Header,
    /// Frame with which its futures begin.
    pub frame: u64,
    /// Length of the futures, s; `None`: to the end of the scene.
    pub seconds: Option<f64>,
    /// Number of threads.
    pub threads: usize,
}

/// Why a moment has no futures.
#[derive(Debug, thiserror::Error)]
pub enum BranchError {
    /// The scene cannot be run again.
    #[error(transparent)]
    Rerun(#[from] RerunError),
    /// A frame cannot be computed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The scene has no such body.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The scene has no character.
    #[error("this scene has no character")]
    Nobody,
    /// The run ends before the moment.
    #[error("the run has no frame {0}: it ends before")]
    NoFrame(u64),
    /// Threads cannot be created.
    #[error("{0}")]
    Threads(String),
}

impl From<LoadError> for BranchError {
    fn from(error: LoadError) -> Self {
        BranchError::Rerun(error.into())
    }
}

/// A run paused at a moment.
struct StandingRun {
    run: Run,
    /// The character of the trace.
    hero: CharacterId,
    checkpoint: RunCheckpoint,
    /// Frame with which futures end.
    end: u64,
}

impl Moment<'_> {
    /// Frame with which futures end in a run of `frames` frames.
    fn end(&self, frames: u64) -> u64 {
        let own = self.seconds.map_or(u64::MAX, |seconds| (seconds / self.header.dt).round().max(1.0) as u64);
        self.frame.saturating_add(own).min(frames)
    }

    /// Runs the scene up to the moment.
    fn reached(&self) -> Result<StandingRun, BranchError> {
        let (_, mut run) = bound(self.header, &[])?;
        let own = run.world.find_character(&self.header.character);
        let hero = own.or(run.hero()).ok_or(BranchError::Nobody)?;
        while run.world.frame_index() < self.frame {
            run.step()?.ok_or(BranchError::NoFrame(self.frame))?;
        }
        if run.is_over() {
            return Err(BranchError::NoFrame(self.frame));
        }
        let end = self.end(run.frames);
        let checkpoint = run.checkpoint();
        Ok(StandingRun { run, hero, checkpoint, end })
    }

    /// Runs `work` for 0 to `count` in a run that is at the moment, and returns the results in that order. `progress`
    /// receives the number done.
    fn each<T: Send>(
        &self,
        count: usize,
        work: impl Fn(&mut StandingRun, usize) -> Result<T, BranchError> + Sync,
        progress: &dyn Fn(usize),
    ) -> Result<Vec<T>, BranchError> {
        let threads = self.threads.clamp(1, count.max(1));
        let part =
            |thread: usize| -> Range<usize> { thread * count / threads..(thread + 1) * count / threads };
        let work = |thread: usize| -> Result<Vec<T>, BranchError> {
            let mut standing = self.reached()?;
            part(thread).map(|index| work(&mut standing, index)).collect()
        };
        let mut results = Vec::with_capacity(count);
        let mut failure = None;
        in_order(threads, threads, work, |done| {
            match done {
                Ok(done) => {
                    progress(done.len());
                    results.extend(done);
                }
                Err(error) => failure = failure.take().or(Some(error)),
            }
            Ok::<(), Infallible>(())
        })
        .map_err(|error| BranchError::Threads(error.to_string()))?;
        failure.map_or(Ok(results), Err)
    }
}
