//! Comparison of two experiments with the same draws.

use super::Trial;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Trials of an earlier experiment: whether each passed, with its values, by number.
#[derive(Clone, Debug, Default)]
pub struct EarlierTrials(BTreeMap<usize, (Vec<String>, bool)>);

/// Changes since an earlier experiment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrialsComparison {
    /// Number of trials with the same values in both experiments.
    pub same_draws: usize,
    /// Number of these that passed before.
    pub passed_before: usize,
    /// Number of these that pass now.
    pub pass_now: usize,
    /// Numbers of the trials that passed before and fail now.
    pub broken: Vec<usize>,
    /// Numbers of the trials that failed before and pass now.
    pub mended: Vec<usize>,
    /// Probability of such an uneven change if neither is better (exact test of [McNemar 1947], two-sided).
    pub chance: f64,
}

impl EarlierTrials {
    /// Reads `trials.csv` of an earlier experiment.
    ///
    /// # Errors
    /// If the table cannot be read, as text.
    pub fn read(path: &Path) -> Result<Self, String> {
        let mut reader = csv::Reader::from_path(path).map_err(|error| error.to_string())?;
        let header = reader.headers().map_err(|error| error.to_string())?.clone();
        let outcome = header.iter().position(|name| name == "outcome");
        let (Some("trial"), Some(outcome)) = (header.get(0), outcome) else {
            return Err("it has no columns `trial` and `outcome`".into());
        };
        let mut trials = BTreeMap::new();
        for row in reader.records() {
            let row = row.map_err(|error| error.to_string())?;
            let number = row.get(0).unwrap_or_default();
            let number = number.parse().map_err(|_| format!("`{number}` is not the number of a trial"))?;
            let values = row.iter().take(outcome).skip(1).map(str::to_string).collect();
            trials.insert(number, (values, row.get(outcome) == Some("pass")));
        }
        Ok(EarlierTrials(trials))
    }

    /// The changes since the earlier experiment.
    pub fn compare(&self, trials: &[Trial]) -> TrialsComparison {
        let both: Vec<(&Trial, bool)> = trials
            .iter()
            .filter_map(|trial| {
                let (values, passed) = self.0.get(&trial.trial)?;
                (*values == trial.values).then_some((trial, *passed))
            })
            .collect();
        let changed = |before: bool| -> Vec<usize> {
            let changed = both.iter().filter(|(trial, passed)| *passed == before && trial.passed() != before);
            changed.map(|(trial, _)| trial.trial).collect()
        };
        let (broken, mended) = (changed(true), changed(false));
        TrialsComparison {
            same_draws: both.len(),
            passed_before: both.iter().filter(|(_, passed)| *passed).count(),
            pass_now: both.iter().filter(|(trial, _)| trial.passed()).count(),
            chance: sign_test(broken.len(), mended.len()),
            broken,
            mended,
        }
    }
}

/// Probability of a split of fair coin tosses that is at least as uneven.
pub(super) fn sign_test(one: usize, other: usize) -> f64 {
    let count = one + other;
    // Summed from the end, where the terms are smallest; each is the previous one × (n − k)/(k + 1).
    let mut term = 0.5_f64.powi(i32::try_from(count).unwrap_or(i32::MAX));
    let mut sum = 0.0;
    for k in 0..=one.min(other) {
        sum += term;
        term *= (count - k) as f64 / (k + 1) as f64;
    }
    (2.0 * sum).min(1.0)
}
