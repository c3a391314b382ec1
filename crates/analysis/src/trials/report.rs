//! Results of the trials of a scene.

use super::Trial;
use super::common::{Common, in_common};
use super::compare::TrialsComparison;
use super::experiment::Experiment;
use super::rate::{Rate, RateVerdict};
use serde::Serialize;

/// The rate of one criterion.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CriterionRate {
    /// Name of the criterion.
    pub name: String,
    /// Rate over the completed trials.
    #[serde(flatten)]
    pub rate: Rate,
}

/// Results of the trials of a scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrialsReport {
    /// Name of the scene.
    pub scene: String,
    /// Title of the scene.
    pub title: String,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Requested number of trials.
    pub asked: usize,
    /// Rate at which all criteria held; a trial that ended with an error counts as failed.
    pub all: Rate,
    /// Required rate.
    pub promised: Option<f64>,
    /// Comparison of the measured rate with the required one.
    pub verdict: Option<RateVerdict>,
    /// Rate of each criterion.
    pub criteria: Vec<CriterionRate>,
    /// Number of trials that ended with an error.
    pub errors: usize,
    /// Number of trials that a failed criterion ended before the scene's duration: their other criteria are judged at
    /// that time, and may hold although the character has fallen.
    pub ended_early: usize,
    /// Paths of the drawn values.
    pub drawn: Vec<String>,
    /// Trials that did not pass, in order.
    pub failures: Vec<Trial>,
    /// Common properties of the failures.
    pub in_common: Vec<Common>,
    /// Numbers of the worst trials, whose scenes were saved.
    pub worst: Vec<usize>,
    /// Changes since an earlier experiment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<TrialsComparison>,
}

impl TrialsReport {
    /// The report on these trials, out of the requested number.
    pub fn new(experiment: &Experiment, trials: &[Trial], asked: usize, promised: Option<f64>) -> Self {
        let all = Rate::of(trials.iter().filter(|trial| trial.passed()).count(), trials.len());
        let whole: Vec<&Trial> = trials.iter().filter(|trial| !trial.held.is_empty()).collect();
        let criterion = |(index, name): (usize, &String)| {
            let held = whole.iter().filter(|trial| trial.held.get(index) == Some(&true)).count();
            CriterionRate { name: name.clone(), rate: Rate::of(held, whole.len()) }
        };
        let files = &experiment.files;
        TrialsReport {
            scene: files.name.clone(),
            title: files.scene.title.clone().unwrap_or_else(|| files.name.clone()),
            seed: experiment.seed,
            asked,
            all,
            promised,
            verdict: promised.filter(|_| all.trials > 0).map(|promised| all.against(promised)),
            criteria: experiment.criteria.iter().enumerate().map(criterion).collect(),
            errors: trials.iter().filter(|trial| trial.outcome == super::TrialOutcome::Error).count(),
            ended_early: whole
                .iter()
                .filter(|trial| ended_early(trial, *files.scene.duration.get_ref()))
                .count(),
            drawn: experiment.keys().iter().map(ToString::to_string).collect(),
            failures: trials.iter().filter(|trial| !trial.passed()).cloned().collect(),
            in_common: in_common(&experiment.keys(), &experiment.criteria, trials),
            worst: Vec::new(),
            against: None,
        }
    }

    /// The worst failures, the worst first.
    pub fn worst_failures(&self, count: usize) -> Vec<&Trial> {
        let mut failures: Vec<&Trial> = self.failures.iter().collect();
        failures.sort_by(|a, b| a.badness().total_cmp(&b.badness()));
        failures.truncate(count);
        failures
    }
}

/// Whether a trial that did not pass ended before the scene's duration, s.
fn ended_early(trial: &Trial, duration: f64) -> bool {
    !trial.passed() && trial.simulated_time < 0.999 * duration
}
