//! Trials: runs of a scene with random values, and the rate at which its criteria hold.
//!
//! [`Experiment`] draws the values and makes a run; [`Rate`] is the share of passed runs with its confidence
//! interval; [`in_common`] finds common properties of the failures; [`TrialsComparison`] compares two experiments
//! with the same draws; [`mutants()`] determines which criteria can fail.

mod common;
mod compare;
mod draw;
mod experiment;
mod mutants;
mod quantity;
mod rate;
mod report;
mod saved;
#[cfg(test)]
mod tests;

pub use common::{Common, in_common};
pub use compare::{EarlierTrials, TrialsComparison};
pub use experiment::Experiment;
pub use mutants::{Mutant, MutantRun, Mutation, mutants, never_failed};
pub use rate::{Rate, RateVerdict};
pub use report::{CriterionRate, TrialsReport};
pub use saved::{SavedTrial, save};

use serde::{Deserialize, Serialize};

/// How a trial ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrialOutcome {
    /// Every criterion of the scene held.
    Pass,
    /// A criterion failed, or too many frames had no solution.
    Fail,
    /// It could not be run to its end.
    Error,
}

impl TrialOutcome {
    /// The word in tables.
    pub fn word(self) -> &'static str {
        match self {
            TrialOutcome::Pass => "pass",
            TrialOutcome::Fail => "fail",
            TrialOutcome::Error => "error",
        }
    }
}

/// A trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Number of the trial, from 0.
    pub trial: usize,
    /// One value per draw, as TOML.
    pub values: Vec<String>,
    /// How it ended.
    pub outcome: TrialOutcome,
    /// Whether each criterion of the scene held, in order; empty if the run stopped with an error.
    pub(crate) held: Vec<bool>,
    /// Names of the criteria that did not hold.
    pub failed_criteria: Vec<String>,
    /// Margin by which all criteria were met, or, if negative, by which the worst one was missed, from -1 to 1;
    /// `None` without a margin.
    pub(crate) margin: Option<f64>,
    /// Time at which the first criterion that must always hold was violated, s.
    pub broken_at: Option<f64>,
    /// Simulated time of the run, s.
    pub(crate) simulated_time: f64,
    /// Why it failed, as in the summary, or the error; for a passed trial, the events that never started.
    pub reason: String,
}

/// Names of the columns after the trial's number and the drawn values. `docs/trials.md` describes them.
pub const COLUMNS: [&str; 6] =
    ["outcome", "failed_criteria", "margin", "broken_at", "simulated_time", "reason"];

impl Trial {
    /// Whether it met every criterion.
    pub fn passed(&self) -> bool {
        self.outcome == TrialOutcome::Pass
    }

    /// Distance from passing: the lower, the worse. An error is worst.
    pub(crate) fn badness(&self) -> f64 {
        match self.outcome {
            TrialOutcome::Error => f64::NEG_INFINITY,
            TrialOutcome::Fail | TrialOutcome::Pass => self.margin.unwrap_or(0.0),
        }
    }

    /// The trial's cells, its number first; empty if there is no value.
    pub fn cells(&self) -> Vec<String> {
        // Sums of time steps without rounding noise.
        let time = |time: f64| format!("{:?}", (time * 1e9).round() / 1e9);
        let mut cells = vec![self.trial.to_string()];
        cells.extend(self.values.iter().cloned());
        cells.extend([
            self.outcome.word().to_string(),
            self.failed_criteria.join(" "),
            self.margin.map(|margin| format!("{margin:?}")).unwrap_or_default(),
            self.broken_at.map(time).unwrap_or_default(),
            time(self.simulated_time),
            self.reason.clone(),
        ]);
        cells
    }
}
