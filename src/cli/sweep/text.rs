//! Results of a sweep as text.

use super::{Sweep, SweepResults};
use crate::analysis::sweep::{Direction, PushMap, Row, RunEnding, SweepAxis};
use std::fmt::Write;

/// Largest number of runs with errors that are listed.
const MOST_ERRORS: usize = 8;

pub(super) fn findings(sweep: &Sweep, rows: &[Row], findings: &SweepResults) -> String {
    let mut text = format!("{} ({})\n", sweep.title, sweep.who);
    match &findings.map {
        Some(map) => push_map(&mut text, map),
        None => grid(&mut text, sweep, rows),
    }
    let SweepResults { runs, passed, errors, .. } = findings;
    line(&mut text, format_args!("  {passed} of {runs} runs held every criterion"));
    if *errors > 0 {
        line(&mut text, format_args!("  {errors} could not be made:"));
        let failed = rows.iter().filter(|row| row.ending == RunEnding::Error);
        for row in failed.take(MOST_ERRORS) {
            line(&mut text, format_args!("    run {}: {}", row.run, row.reason));
        }
    }
    text
}

fn push_map(text: &mut String, map: &PushMap) {
    line(
        text,
        format_args!(
            "  {:>9}  {:>14}  {:>5}  isolated failures at, N s",
            "direction", "survived to, N s", "steps"
        ),
    );
    for direction in &map.directions {
        let Direction { direction: degrees, limit, all, steps, isolated_failures } = direction;
        let limit = match limit {
            Some(limit) if *all => format!("{limit} or more"),
            Some(limit) => limit.to_string(),
            None => "none".into(),
        };
        let failures: Vec<String> = isolated_failures.iter().map(f64::to_string).collect();
        let steps = steps.map(|steps| steps.to_string()).unwrap_or_default();
        let degrees = format!("{}°", rounded(*degrees));
        line(text, format_args!("  {degrees:>9}  {limit:>14}  {steps:>5}  {}", failures.join(" ")));
    }
    let PushMap { area, mean, least, .. } = map;
    line(
        text,
        format_args!(
            "  survivable area {area:.1} N s rad: {mean:.1} N s in the mean, {least} N s at the least"
        ),
    );
    if map.directions.iter().any(|direction| !direction.isolated_failures.is_empty()) {
        line(
            text,
            format_args!("  isolated failures are pushes that are not survived although a stronger one is"),
        );
    }
    line(
        text,
        format_args!(
            "  \"at the least\" is the limit of the weakest direction; docs/sweep.md defines every figure"
        ),
    );
}

/// Rounds to a tenth.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn grid(text: &mut String, sweep: &Sweep, rows: &[Row]) {
    let labels: Vec<String> = sweep.plan.axes.iter().map(SweepAxis::label).collect();
    let widths: Vec<usize> = labels.iter().map(|label| label.chars().count().max(8)).collect();
    *text += " ";
    for (label, width) in labels.iter().zip(&widths) {
        let _ = write!(text, " {label:>width$}");
    }
    let _ = write!(text, "  outcome  goal error  torque change [N m]  root residual [m g]");
    let heads: Vec<String> =
        sweep.shows.iter().enumerate().map(|(place, show)| head(sweep, place, &show.name)).collect();
    for head in &heads {
        let _ = write!(text, "  {head:>8}");
    }
    line(text, format_args!("  criteria that did not hold"));
    for row in rows {
        *text += " ";
        for (value, width) in row.values.iter().zip(&widths) {
            let _ = write!(text, " {value:>width$}");
        }
        let (outcome, lost) = match &row.ending {
            RunEnding::Pass => ("pass", String::new()),
            RunEnding::Fail { criteria } => ("fail", criteria.join(", ")),
            RunEnding::Error => ("error", String::new()),
        };
        let figures = row.figures.as_ref();
        let number = |value: Option<f64>| value.map(|value| format!("{value:.4}")).unwrap_or_default();
        let root = figures.and_then(|figures| figures.root_residual);
        let root = root.map(|root| format!("{:.1e}", root.rms)).unwrap_or_default();
        let _ = write!(
            text,
            "  {outcome:7}  {:>10}  {:>19}  {root:>19}",
            number(figures.and_then(|figures| figures.goal_error)),
            number(figures.and_then(|figures| figures.torque_change)),
        );
        for (head, value) in heads.iter().zip(&row.shown) {
            let width = head.chars().count().max(8);
            let _ = write!(text, "  {:>width$}", number(*value));
        }
        line(text, format_args!("  {lost}"));
    }
}

/// Name of the `--show` option with this index, with its unit.
pub(super) fn head(sweep: &Sweep, place: usize, name: &str) -> String {
    match sweep.units.get(place).map(String::as_str) {
        Some(unit) if !matches!(unit, "" | "1") => format!("{name} [{unit}]"),
        _ => name.to_string(),
    }
}

/// Writing to a string cannot fail.
fn line(text: &mut String, words: std::fmt::Arguments<'_>) {
    let start = text.len();
    let _ = text.write_fmt(words);
    text.truncate(start + text[start..].trim_end().len());
    text.push('\n');
}
