//! A scene that is run many times.

use super::draw::draw;
use super::{Trial, TrialOutcome};
use crate::runner::{self, Wanted};
use crate::summary::{Summary, Verdict};
use crate::sweep::Identity;
use aplomb_language::diagnostic::FileErrors;
use aplomb_scene::trials::TrialsSpec;
use aplomb_scene::{LoadError, Run, SceneFiles};
use aplomb_trace::{Header, StoppedBy};
use std::ops::ControlFlow;

/// A scene that is run many times, as it was when the experiment began: independent of later changes of its files.
pub struct Experiment {
    /// Contents of its files.
    pub files: SceneFiles,
    /// The draws.
    pub spec: TrialsSpec,
    /// Seed of the random numbers.
    pub(crate) seed: u64,
    /// Names of the criteria, in the scene's order.
    pub criteria: Vec<String>,
    header: Header,
}

impl Experiment {
    /// An experiment with a loaded scene and these draws.
    ///
    /// # Errors
    /// If the scene, or its first trial, has a mistake.
    pub fn new(files: SceneFiles, spec: TrialsSpec, seed: u64) -> Result<Self, LoadError> {
        let run = Run::bind(&files)?;
        let criteria = run.criteria.iter().map(|criterion| criterion.name.clone()).collect();
        let header = aplomb_scene::header(&files, &run);
        Ok(Experiment { files, spec, seed, criteria, header })
    }

    /// Paths of the drawn values.
    pub fn keys(&self) -> Vec<&str> {
        self.spec.draw.keys().map(|key| key.get_ref().as_str()).collect()
    }

    /// The values of a trial, as TOML.
    pub fn values(&self, trial: usize) -> Vec<String> {
        draw(&self.spec, self.seed, trial).iter().map(ToString::to_string).collect()
    }

    /// The `PATH=VALUE` overrides with a trial's values.
    pub fn sets(&self, values: &[String]) -> Vec<String> {
        self.keys().iter().zip(values).map(|(key, value)| format!("{key}={value}")).collect()
    }

    /// The data on which trials depend.
    pub fn identity(&self, is_portable: bool) -> Identity {
        let more = [
            ("scene's name", self.files.name.clone()),
            ("seed", self.seed.to_string()),
            ("options `--portable`", is_portable.to_string()),
        ];
        Identity::of_files([&self.files], more)
    }

    /// Runs a trial; `None` if `stop` ended it.
    pub fn run(&self, trial: usize, stop: &(dyn Fn() -> bool + Sync)) -> Option<Trial> {
        let values = self.values(trial);
        let sets = self.sets(&values);
        self.run_with(trial, values, &sets, stop)
    }

    /// Runs the scene with these values. A trial that is impossible with them ends with an error.
    pub fn run_with(
        &self,
        trial: usize,
        values: Vec<String>,
        sets: &[String],
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Trial> {
        if stop() {
            return None;
        }
        let failed = |reason: String, values: Vec<String>, simulated_time: f64| Trial {
            trial,
            values,
            outcome: TrialOutcome::Error,
            held: Vec::new(),
            failed_criteria: Vec::new(),
            margin: None,
            broken_at: None,
            simulated_time,
            reason,
        };
        let files = match self.with(sets) {
            Ok(files) => files,
            Err(error) => return Some(failed(said(&error), values, 0.0)),
        };
        let mut run = match Run::bind(&files) {
            Ok(run) => run,
            Err(mistakes) => return Some(failed(said_of(&mistakes), values, 0.0)),
        };
        run.measure_margins();
        let recorded = runner::record(&files, &mut run, Wanted::default(), |_, _| match stop() {
            true => ControlFlow::Break(String::new()),
            false => ControlFlow::Continue(()),
        });
        let summary = match recorded {
            Ok(recorded) => recorded.summary,
            Err(error) => return Some(failed(error.to_string(), values, 0.0)),
        };
        match &summary.stopped {
            Some(stopped) if stopped.by == StoppedBy::Interrupt => None,
            Some(stopped) => Some(failed(stopped.reason.clone(), values, stopped.at)),
            None => Some(judged(trial, values, &run, summary)),
        }
    }

    /// The scene's files with values changed.
    ///
    /// # Errors
    /// If the files do not accept the values.
    pub fn with(&self, sets: &[String]) -> Result<SceneFiles, LoadError> {
        aplomb_scene::load_trial(&self.header, sets)
    }
}

/// The result of a completed trial.
fn judged(trial: usize, values: Vec<String>, run: &Run, summary: Summary) -> Trial {
    let broken = summary.criteria.iter().filter(|criterion| !criterion.held);
    let missed: Vec<String> = summary.missed_events.iter().map(ToString::to_string).collect();
    Trial {
        trial,
        values,
        outcome: if summary.verdict == Verdict::Pass { TrialOutcome::Pass } else { TrialOutcome::Fail },
        held: summary.criteria.iter().map(|criterion| criterion.held).collect(),
        failed_criteria: broken.clone().map(|criterion| criterion.name.clone()).collect(),
        margin: run.criteria.iter().filter_map(|criterion| criterion.margin).min_by(f64::total_cmp),
        broken_at: broken.filter_map(|criterion| criterion.at).min_by(f64::total_cmp),
        simulated_time: summary.simulated_time,
        reason: summary.reason.unwrap_or_else(|| missed.join("; ")),
    }
}

fn said(error: &LoadError) -> String {
    match error {
        LoadError::NotFound(missing) => missing.message.clone(),
        LoadError::Mistakes(mistakes) => said_of(mistakes),
    }
}

fn said_of(mistakes: &FileErrors) -> String {
    let reports = mistakes.iter().map(|mistake| format!("{}: {}", mistake.location(), mistake.message));
    reports.collect::<Vec<_>>().join("; ")
}
