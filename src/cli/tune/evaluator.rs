//! Evaluates sets of values, or reads their results: the journal, the table and the progress of a search.

use super::Arguments;
use crate::analysis::sweep::{Journal, PoolError};
use crate::analysis::tune::{Evaluation, OWN, PUSHES, Problem, SearchResult};
use crate::cli::Failure;
use crate::cli::signal::Signals;
use csv::Writer;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::fs::File;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

/// The key of a set of values.
pub(super) fn key(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

pub(super) struct Evaluator<'a> {
    problem: &'a Problem,
    threads: usize,
    signals: Signals,
    /// Time at which the search stops in any case.
    pub deadline: Option<Instant>,
    journal: Journal,
    journal_path: PathBuf,
    known: BTreeMap<Vec<u64>, Evaluation>,
    table: Writer<File>,
    table_path: PathBuf,
    rows: usize,
    stage: &'static str,
    batch: usize,
    progress: ProgressBar,
}

/// Reports the progress of a search.
pub(super) struct Teller {
    progress: ProgressBar,
    deadline: Option<Instant>,
}

impl Teller {
    pub(super) fn tell(&self, search: &SearchResult) {
        let best = search.best().value.map_or("none yet".into(), |value| format!("{value:.4}"));
        let mut text = format!("generation {}, best {best}", search.done);
        if let Some(left) = self.deadline.map(|end| end.saturating_duration_since(Instant::now())) {
            text += &format!(", {} min {} s left at most", left.as_secs() / 60, left.as_secs() % 60);
        }
        self.progress.set_message(text);
    }
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(
        arguments: &Arguments,
        problem: &'a Problem,
        folder: &Path,
        journal: Journal,
        known: BTreeMap<Vec<u64>, Evaluation>,
        signals: Signals,
    ) -> Result<Self, Failure> {
        let table_path = folder.join("tune.csv");
        let unwritten = |error: csv::Error| Failure::write(&table_path, error.into());
        let mut table = Writer::from_path(&table_path).map_err(unwritten)?;
        table.write_record(columns(problem)).map_err(unwritten)?;
        let threads = arguments.threads.or_else(|| thread::available_parallelism().ok());
        let progress = if arguments.quiet { ProgressBar::hidden() } else { ProgressBar::no_length() };
        Ok(Evaluator {
            problem,
            threads: threads.map_or(1, NonZeroUsize::get),
            signals,
            deadline: None,
            journal,
            journal_path: folder.join(super::JOURNAL),
            known,
            table,
            table_path,
            rows: 0,
            stage: "search",
            batch: 0,
            progress,
        })
    }

    /// Begins another stage of the work, with an expected number of sets of values.
    pub(super) fn begin(&mut self, stage: &'static str, expected: Option<u64>) {
        (self.stage, self.batch) = (stage, 0);
        self.progress.reset();
        self.progress.set_message(stage);
        let style = match expected {
            Some(count) => {
                self.progress.set_length(count);
                "{wide_bar} {pos}/{len} sets of values, {eta} left; {msg}"
            }
            None => "{spinner} {pos} sets of values in {elapsed}; {msg}",
        };
        if let Ok(style) = ProgressStyle::with_template(style) {
            self.progress.set_style(style);
        }
    }

    pub(super) fn teller(&self) -> Teller {
        Teller { progress: self.progress.clone(), deadline: self.deadline }
    }

    /// Number of sets of values that were tried.
    pub(super) fn tried(&self) -> usize {
        self.known.len()
    }

    pub(super) fn end(&self) {
        self.progress.finish_and_clear();
    }

    /// The evaluations of sets of values, each run once; `None` if the search was stopped.
    pub(super) fn evaluate(&mut self, sets: &[Vec<f64>]) -> Result<Option<Vec<Evaluation>>, Failure> {
        let mut unknown: Vec<Vec<f64>> = Vec::new();
        for values in sets {
            if !self.known.contains_key(&key(values)) && !unknown.contains(values) {
                unknown.push(values.clone());
            }
        }
        self.progress.inc((sets.len() - unknown.len()) as u64);
        let Evaluator { problem, threads, signals, deadline, journal, journal_path, known, progress, .. } =
            self;
        let stop = || signals.caught().is_some() || deadline.is_some_and(|end| Instant::now() >= end);
        let done = problem.evaluate(&unknown, *threads, &stop, |_, evaluation| {
            journal.note(&evaluation).map_err(|error| Failure::write(journal_path, error))?;
            known.insert(key(&evaluation.values), evaluation);
            progress.inc(1);
            Ok(())
        });
        let is_whole = done.map_err(|error| match error {
            PoolError::Taken(failure) => failure,
            PoolError::Threads(error) => Failure::usage(format!("cannot start threads: {error}")),
        })?;
        if !is_whole {
            return Ok(None);
        }
        let found: Option<Vec<Evaluation>> =
            sets.iter().map(|values| self.known.get(&key(values)).cloned()).collect();
        for evaluation in found.iter().flatten() {
            self.write(evaluation).map_err(|error| Failure::write(&self.table_path, error.into()))?;
        }
        self.batch += 1;
        Ok(found)
    }

    fn write(&mut self, evaluation: &Evaluation) -> Result<(), csv::Error> {
        let number = |value: f64| if value.is_finite() { format!("{value:?}") } else { String::new() };
        let mut cells = vec![self.rows.to_string(), self.stage.to_string(), self.batch.to_string()];
        cells.extend(evaluation.values.iter().map(|value| number(*value)));
        cells.push(evaluation.value.map(number).unwrap_or_default());
        for outcome in &evaluation.scenes {
            let own = outcome.own.as_ref().ok();
            cells.extend(OWN.iter().map(|(.., value)| own.map(value).map(number).unwrap_or_default()));
            let pushes = outcome.pushes.as_ref();
            if self.problem.map.is_some() {
                cells.extend(
                    PUSHES.iter().map(|(.., value)| pushes.map(value).map(number).unwrap_or_default()),
                );
            }
            cells.push(outcome.own.as_ref().err().cloned().unwrap_or_default());
        }
        self.rows += 1;
        self.table.write_record(cells)?;
        Ok(self.table.flush()?)
    }
}

fn columns(problem: &Problem) -> Vec<String> {
    let mut columns: Vec<String> = ["evaluation", "stage", "batch"].map(String::from).into();
    columns.extend(problem.variables.iter().map(|variable| variable.name.clone()));
    columns.push("value".into());
    for scene in &problem.scenes {
        // The name of a single scene is omitted.
        let of = if problem.scenes.len() > 1 { format!("{}: ", scene.files.name) } else { String::new() };
        columns.extend(OWN.iter().map(|(name, ..)| format!("{of}{name}")));
        if problem.map.is_some() {
            columns.extend(PUSHES.iter().map(|(name, ..)| format!("{of}{name}(pushes)")));
        }
        columns.push(format!("{of}reason"));
    }
    columns
}
