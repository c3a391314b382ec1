//! Runs on several threads; results of earlier processes are read from a journal.

use crate::analysis::sweep::{Identity, Journal, JournalError, PoolError, in_order};
use crate::cli::signal::Signals;
use crate::cli::sweep::progress;
use crate::cli::{Done, Failure, output, resume as resuming};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Settings of the runs.
pub(super) struct RunPlan {
    threads: usize,
    is_quiet: bool,
    signals: Signals,
    /// Number of completed runs, and of all.
    reached: [AtomicUsize; 2],
}

/// Results of earlier runs, and the journal of new ones.
pub(super) struct RunJournal<T> {
    path: PathBuf,
    journal: Mutex<Journal>,
    done: BTreeMap<usize, T>,
    is_resumed: bool,
}

impl<T: Serialize + DeserializeOwned> RunJournal<T> {
    /// Begins the journal with this name in a folder, or continues it. `table` exists when all runs are complete.
    pub(super) fn begin(
        folder: &Path,
        name: &str,
        table: &str,
        identity: &Identity,
        resume: bool,
        number: impl Fn(&T) -> usize,
    ) -> Result<Self, Failure> {
        let path = folder.join(name);
        if resume && !path.exists() && folder.join(table).exists() {
            return Err(Failure::Usage {
                message: format!("the experiment in {} is complete", folder.display()),
                help: Some("leave out `--resume` to make it again".into()),
            });
        }
        let (journal, rows) = match resume && path.exists() {
            true => Journal::resume_of(&path, identity).map_err(|error| match error {
                JournalError::Another { .. } => Failure::Usage {
                    message: format!("cannot go on in {}: {error}", folder.display()),
                    help: Some("give the same scene and options, or another folder with `--out`".into()),
                },
                JournalError::Io(error) => Failure::write(&path, error),
            })?,
            false => {
                take_away(&folder.join(table))?;
                let begun = Journal::begin(&path, identity);
                (begun.map_err(|error| Failure::write(&path, error))?, Vec::new())
            }
        };
        let done = rows.into_iter().map(|row| (number(&row), row)).collect();
        Ok(RunJournal { path, journal: Mutex::new(journal), done, is_resumed: resume })
    }

    fn note(&self, row: &T) -> Result<(), Failure> {
        // A thread that panicked during a write has left an incomplete line, which is ignored.
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.note(row).map_err(|error| Failure::write(&self.path, error))
    }

    /// Removes the journal after all runs.
    pub(super) fn end(self) -> Result<(), Failure> {
        fs::remove_file(&self.path).map_err(|error| Failure::write(&self.path, error))
    }
}

/// Refuses to overwrite the runs of an interrupted experiment.
///
/// # Errors
/// If there is an interrupted experiment.
pub(super) fn keep_interrupted(folder: &Path, name: &str, table: &str) -> Result<(), Failure> {
    // An experiment that ended by `--time-budget` has its table.
    if folder.join(table).exists() { Ok(()) } else { resuming::keep_interrupted("experiment", folder, name) }
}

/// Removes a file, if it exists.
fn take_away(path: &Path) -> Result<(), Failure> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Failure::write(path, error)),
        _ => Ok(()),
    }
}

/// Reason for which no more results are accepted.
enum BatchEnd {
    /// A run was skipped.
    Stopped,
    Failed(Failure),
}

impl RunPlan {
    pub(super) fn new(threads: Option<NonZeroUsize>, is_quiet: bool) -> Self {
        let threads = threads.or_else(|| thread::available_parallelism().ok());
        let threads = threads.map_or(1, NonZeroUsize::get);
        RunPlan { threads, is_quiet, signals: Signals::catch(), reached: Default::default() }
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.signals.caught().is_some()
    }

    /// Reports an interruption, and returns how the command ends.
    pub(super) fn interrupted(&self) -> Done {
        let [done, all] = self.reached.each_ref().map(|count| count.load(Ordering::Relaxed));
        output::print_note(&resuming::interrupted(done, all, "runs"));
        self.signals.caught().map_or(Done::Well, |(number, _)| Done::Interrupted(number))
    }

    /// Executes runs 0 to `count`, in order up to the first one for which `run` returns nothing; results in the
    /// journal are not computed again.
    pub(super) fn make<T: Serialize + DeserializeOwned + Clone + Send + Sync>(
        &self,
        name: &str,
        count: usize,
        made: &RunJournal<T>,
        run: impl Fn(usize) -> Option<T> + Sync,
    ) -> Result<Vec<T>, Failure> {
        let done = made.done.keys().filter(|number| **number < count).count();
        self.reached[0].store(done, Ordering::Relaxed);
        self.reached[1].store(count, Ordering::Relaxed);
        if made.is_resumed && !self.is_quiet {
            output::print_note(&format!("{name}: {done} of {count} runs are done"));
        }
        let work = |number: usize| -> Result<Option<T>, Failure> {
            if let Some(row) = made.done.get(&number) {
                return Ok(Some(row.clone()));
            }
            let row = run(number);
            row.iter().try_for_each(|row| made.note(row))?;
            self.reached[0].fetch_add(usize::from(row.is_some()), Ordering::Relaxed);
            Ok(row)
        };
        let progress = progress(count, self.is_quiet);
        let mut rows = Vec::with_capacity(count);
        let done = in_order(self.threads, count, work, |row| {
            rows.push(row.map_err(BatchEnd::Failed)?.ok_or(BatchEnd::Stopped)?);
            progress.inc(1);
            Ok(())
        });
        progress.finish_and_clear();
        match done {
            Ok(()) | Err(PoolError::Taken(BatchEnd::Stopped)) => Ok(rows),
            Err(PoolError::Taken(BatchEnd::Failed(failure))) => Err(failure),
            Err(PoolError::Threads(error)) => Err(Failure::usage(format!("cannot start threads: {error}"))),
        }
    }
}
