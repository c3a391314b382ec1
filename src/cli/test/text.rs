//! Results of trials as text for a terminal.

use super::ExperimentResult;
use crate::analysis::trials::{Rate, RateVerdict, Trial, TrialOutcome, TrialsComparison, TrialsReport};
use crate::math::seconds::seconds;
use std::fmt::Write;

/// Largest number of failures that are listed; the table contains all.
const LISTED: usize = 20;

/// A share as text: 91.5 %
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Both ends of the interval as text.
pub(super) fn interval(rate: &Rate) -> String {
    format!("{:.1} to {:.1} %", 100.0 * rate.low, 100.0 * rate.high)
}

/// A rate as text: 183 of 200: 91.5 % (86.8 to 94.6 %)
pub(super) fn rate(rate: &Rate) -> String {
    format!("{} of {}: {} ({})", rate.passed, rate.trials, percent(rate.rate), interval(rate))
}

/// The results of an experiment as text.
pub(super) fn report(tried: &ExperimentResult) -> String {
    let report = &tried.report;
    let mut text = format!("{}: {} (seed {})\n", report.scene, report.title, report.seed);
    if report.all.trials < report.asked {
        line(
            &mut text,
            &format!("  the time budget ended after {} of {} trials", report.all.trials, report.asked),
        );
    }
    rates(&mut text, report);
    failures(&mut text, report);
    for common in &report.in_common {
        line(
            &mut text,
            &format!(
                "  {} of {} failures{} have {}; {} of {} passes (p = {})",
                common.failures,
                common.of_failures,
                common.criterion.iter().map(|name| format!(" of `{name}`")).collect::<String>(),
                common.what,
                common.passes,
                common.of_passes,
                probability(common.chance)
            ),
        );
    }
    if let Some(against) = &report.against {
        compared(&mut text, against);
    }
    let folder = tried.folder.display();
    for trial in &report.worst {
        line(&mut text, &format!("  aplomb run {folder}/worst/{trial}.toml"));
    }
    line(&mut text, &format!("  written to {folder}"));
    text
}

fn rates(text: &mut String, report: &TrialsReport) {
    let names = report.criteria.iter().map(|criterion| criterion.name.chars().count());
    let width = names.max().unwrap_or(0).max("all criteria".len());
    let promise = match (report.promised, report.verdict) {
        (Some(promised), Some(verdict)) => {
            let word = match verdict {
                RateVerdict::Shown => "shown",
                RateVerdict::Open => "neither shown nor missed",
                RateVerdict::Missed => "MISSED",
            };
            format!("; promised {}: {word}", percent(promised))
        }
        _ => String::new(),
    };
    line(text, &format!("  {:width$}  {}{promise}", "all criteria", rate(&report.all)));
    for criterion in &report.criteria {
        line(text, &format!("  {:width$}  {}", criterion.name, rate(&criterion.rate)));
    }
    if report.ended_early > 0 && report.criteria.len() > 1 {
        let trials =
            if report.ended_early == 1 { "1 trial" } else { &format!("{} trials", report.ended_early) };
        line(
            text,
            &format!("  {trials} ended where a criterion was broken: there the other criteria were judged"),
        );
    }
}

fn failures(text: &mut String, report: &TrialsReport) {
    if report.failures.is_empty() {
        return;
    }
    let errors = match report.errors {
        0 => String::new(),
        errors => format!(", {errors} of them with an error"),
    };
    let failures = report.failures.len();
    let word = if failures == 1 { "failure" } else { "failures" };
    line(text, &format!("  {failures} {word}{errors}:"));
    for trial in report.failures.iter().take(LISTED) {
        line(text, &format!("    {}", failure(report, trial)));
    }
    if report.failures.len() > LISTED {
        line(text, &format!("    and {} more, in trials.csv", report.failures.len() - LISTED));
    }
}

/// One failure: its number, its values, and the criteria that failed.
fn failure(report: &TrialsReport, trial: &Trial) -> String {
    let values = report.drawn.iter().zip(&trial.values).map(|(key, value)| format!("{key} = {value}"));
    let values = values.collect::<Vec<_>>().join(", ");
    let why = match trial.outcome {
        TrialOutcome::Error => format!("error: {}", trial.reason),
        _ if trial.failed_criteria.is_empty() => trial.reason.clone(),
        _ => {
            let at = trial.broken_at.map(|at| format!(" at {at} s", at = seconds(at))).unwrap_or_default();
            format!("failed {}{at}", trial.failed_criteria.join(", "))
        }
    };
    format!("{}: {values}: {why}", trial.trial)
}

fn compared(text: &mut String, against: &TrialsComparison) {
    let numbers = |numbers: &[usize]| match numbers {
        [] => "none".to_string(),
        some => some.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    };
    let TrialsComparison { same_draws, passed_before, pass_now, broken, mended, chance } = against;
    if *same_draws == 0 {
        line(text, "  no trial has the same draws as one of the other report: give the same `--seed`");
        return;
    }
    line(
        text,
        &format!(
            "  of {same_draws} trials with the same draws {passed_before} passed before, {pass_now} now (p \
             = {chance})",
            chance = probability(*chance)
        ),
    );
    line(text, &format!("    passed before, fail now: {}", numbers(broken)));
    line(text, &format!("    failed before, pass now: {}", numbers(mended)));
}

/// A probability with two or three digits: 0.031, 4.1e-6.
fn probability(chance: f64) -> String {
    if chance < 1e-3 { format!("{chance:.1e}") } else { format!("{chance:.3}") }
}

/// Writing to a string cannot fail.
fn line(text: &mut String, words: &str) {
    let _ = writeln!(text, "{}", words.trim_end());
}

/// Rates as a Markdown table, one row per scene.
pub(super) fn markdown(all: &[ExperimentResult]) -> String {
    let mut table = String::from("| scene | drawn | promised | passed | 95 % interval | trials | seed |\n");
    table += "|---|---|---|---|---|---|---|\n";
    for ExperimentResult { report, .. } in all {
        let drawn: Vec<String> = report.drawn.iter().map(|key| format!("`{key}`")).collect();
        let promised = report.promised.map(percent).unwrap_or_default();
        let (all, seed) = (&report.all, report.seed);
        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "| `{}` | {} | {promised} | {} | {} | {} | {seed} |",
            report.scene,
            drawn.join(", "),
            percent(all.rate),
            interval(all),
            all.trials,
        );
    }
    table
}
