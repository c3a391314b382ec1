//! Rates as a table of Markdown: a row a scene.

use super::{ExperimentResult, text};
use std::fmt::Write;

/// The table, in the order of the scenes.
pub(super) fn table(all: &[ExperimentResult]) -> String {
    let mut table = String::from("| scene | drawn | promised | passed | 95 % interval | trials | seed |\n");
    table += "|---|---|---|---|---|---|---|\n";
    for ExperimentResult { report, .. } in all {
        let drawn: Vec<String> = report.drawn.iter().map(|key| format!("`{key}`")).collect();
        let promised = report.promised.map(text::percent).unwrap_or_default();
        let (all, seed) = (&report.all, report.seed);
        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "| `{}` | {} | {promised} | {} | {} | {} | {seed} |",
            report.scene,
            drawn.join(", "),
            text::percent(all.rate),
            text::interval(all),
            all.trials,
        );
    }
    table
}
