//! Many runs of one scene with slight changes: pushes of several strengths from several directions, or any value of
//! the scene over a range.
//!
//! [`Plan`] lists the runs; [`in_order`] executes them on several threads and passes their [`Row`]s on in the
//! plan's order, so that the output does not depend on the number of threads; [`PushMap`] reads a map of
//! pushes.

mod journal;
mod plan;
mod push_map;
mod range;
mod row;
mod show;
#[cfg(test)]
mod tests;
mod unit;

pub use journal::{Identity, JOURNAL, Journal, JournalError, noted_rows};
pub(crate) use plan::push_of;
pub use plan::{NoPush, Over, Plan, SweepAxis, Variation, blame};
pub use push_map::{Direction, PushMap};
pub use range::Range;
pub use row::{COLUMNS, Figures, Row, RowOptions, RunEnding, run, run_until};
pub use show::Show;
pub use unit::unit_of;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

/// Why parallel work stopped.
#[derive(Debug, thiserror::Error)]
pub enum PoolError<E> {
    /// The thread pool cannot be created.
    #[error("cannot start threads: {0}")]
    Threads(rayon::ThreadPoolBuildError),
    /// The error returned by the receiver of the results.
    #[error(transparent)]
    Taken(E),
}

/// Runs `work` for 0 to `count` on this number of threads, and passes each result to `take`, on the calling thread,
/// as soon as all earlier ones are done. The first error of `take` ends it.
///
/// # Errors
///
/// If the thread pool cannot be created, or the first error of `take`.
pub fn in_order<T: Send, E>(
    threads: usize,
    count: usize,
    work: impl Fn(usize) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), PoolError<E>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(PoolError::Threads)?;
    let stopped = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    pool.in_place_scope_fifo(|scope| {
        for index in 0..count {
            let (sender, work, stopped) = (sender.clone(), &work, &stopped);
            scope.spawn_fifo(move |_| {
                if !stopped.load(Ordering::Relaxed) {
                    // After `take` has failed, nothing receives the results.
                    let _ = sender.send((index, work(index)));
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut next = 0;
        for (index, result) in receiver {
            early.insert(index, result);
            while let Some(result) = early.remove(&next) {
                next += 1;
                if let Err(error) = take(result) {
                    stopped.store(true, Ordering::Relaxed);
                    return Err(PoolError::Taken(error));
                }
            }
        }
        Ok(())
    })
}
