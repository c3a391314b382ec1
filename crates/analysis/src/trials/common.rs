//! Common properties of failures: for each drawn quantity, the split that best separates failures from passes.

use super::Trial;
use super::quantity::{Quantities, quantities};
use aplomb_math::elementary::{exp, log};
use serde::Serialize;

/// Probability above which a split may be due to chance.
const LARGEST_CHANCE: f64 = 0.05;

/// A split of a drawn quantity that separates failures from passes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Common {
    /// The criterion of these failures; `None` for trials that failed in any way.
    pub criterion: Option<String>,
    /// The quantity and the side of the split: `length of events.push.impulse > 52.1`.
    pub what: String,
    /// Failures on this side.
    pub failures: usize,
    /// All failures.
    pub of_failures: usize,
    /// Passes on this side.
    pub passes: usize,
    /// All passes.
    pub of_passes: usize,
    /// Probability of a split as good as this if the quantity has no effect (Fisher's exact test), times the
    /// number of splits that were tried.
    pub chance: f64,
}

/// The best split of each quantity that is not due to chance, the least likely first: first for all failures, then
/// for the failures of each criterion that differ from these.
pub fn in_common(keys: &[&str], criteria: &[String], trials: &[Trial]) -> Vec<Common> {
    let mut sets = vec![(None, trials.iter().map(|trial| !trial.passed()).collect::<Vec<bool>>())];
    for (number, name) in criteria.iter().enumerate() {
        let failed: Vec<bool> = trials.iter().map(|trial| trial.held.get(number) == Some(&false)).collect();
        if sets.iter().all(|(_, other)| *other != failed) {
            sets.push((Some(name.clone()), failed));
        }
    }
    sets.into_iter().flat_map(|(criterion, failed)| of_failures(keys, criterion, trials, &failed)).collect()
}

/// The splits that separate these failures from the other trials.
fn of_failures(keys: &[&str], criterion: Option<String>, trials: &[Trial], failed: &[bool]) -> Vec<Common> {
    let mut found = Vec::new();
    let mut tried = 0;
    for (number, key) in keys.iter().enumerate() {
        let values: Vec<&str> = trials.iter().map(|trial| trial.values[number].as_str()).collect();
        for quantity in quantities(key, &values) {
            let splits = match &quantity.values {
                Quantities::Numbers(numbers) => of_numbers(&quantity.name, numbers, failed),
                Quantities::Words(words) => of_words(&quantity.name, words, failed),
            };
            tried += splits.len();
            let best = splits.into_iter().min_by(|a, b| a.chance.total_cmp(&b.chance));
            found.extend(best);
        }
    }
    for common in &mut found {
        common.criterion.clone_from(&criterion);
        common.chance = (common.chance * tried as f64).min(1.0);
    }
    found.retain(|common: &Common| common.chance < LARGEST_CHANCE);
    found.sort_by(|a, b| a.chance.total_cmp(&b.chance));
    found
}

/// Splits above and below each threshold between neighbouring values.
fn of_numbers(name: &str, numbers: &[f64], failed: &[bool]) -> Vec<Common> {
    let mut order: Vec<(f64, bool)> = numbers.iter().copied().zip(failed.iter().copied()).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let of_failures = failed.iter().filter(|failed| **failed).count();
    let of_passes = failed.len() - of_failures;
    let mut splits = Vec::new();
    let (mut failures, mut passes) = (0, 0);
    for pair in order.windows(2) {
        if pair[0].1 {
            failures += 1
        } else {
            passes += 1
        }
        if pair[0].0 == pair[1].0 {
            continue;
        }
        let threshold = short(0.5 * (pair[0].0 + pair[1].0));
        splits.push(split(format!("{name} < {threshold}"), failures, of_failures, passes, of_passes));
        let (above, passes_above) = (of_failures - failures, of_passes - passes);
        splits.push(split(format!("{name} > {threshold}"), above, of_failures, passes_above, of_passes));
    }
    splits
}

/// Splits of each word against the others.
fn of_words(name: &str, words: &[String], failed: &[bool]) -> Vec<Common> {
    let of_failures = failed.iter().filter(|failed| **failed).count();
    let of_passes = failed.len() - of_failures;
    let mut different: Vec<&String> = words.iter().collect();
    different.sort();
    different.dedup();
    if different.len() < 2 {
        return Vec::new();
    }
    let of_word = |word: &String| {
        let count = |is: bool| {
            words.iter().zip(failed).filter(|(other, failed)| *other == word && **failed == is).count()
        };
        split(format!("{name} is {word}"), count(true), of_failures, count(false), of_passes)
    };
    different.into_iter().map(of_word).collect()
}

fn split(what: String, failures: usize, of_failures: usize, passes: usize, of_passes: usize) -> Common {
    let chance = fisher(failures, of_failures, passes, of_passes);
    Common { criterion: None, what, failures, of_failures, passes, of_passes, chance }
}

/// Probability of at least this many failures among this many trials on one side, if the split has no effect.
fn fisher(failures: usize, of_failures: usize, passes: usize, of_passes: usize) -> f64 {
    let side = failures + passes;
    let all = log_choose(of_failures + of_passes, side);
    let most = of_failures.min(side);
    let chance = |count: usize| {
        let rest = side - count;
        if rest > of_passes {
            return 0.0;
        }
        exp(log_choose(of_failures, count) + log_choose(of_passes, rest) - all)
    };
    (failures..=most).map(chance).sum::<f64>().min(1.0)
}

/// Logarithm of the binomial coefficient.
fn log_choose(of: usize, count: usize) -> f64 {
    (0..count).map(|step| log((of - step) as f64) - log((step + 1) as f64)).sum()
}

/// A number rounded to three digits.
fn short(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}
