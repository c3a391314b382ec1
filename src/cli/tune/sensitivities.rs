//! `aplomb tune --sensitivities`: change of the results of scenes with their weights.

use super::evaluator::Evaluator;
use super::text::short;
use super::{Arguments, Failure};
use crate::analysis::tune::{self, Problem, STEP, Sensitivity};
use crate::cli::output;
use csv::Writer;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// Number of values that are listed for each quantity.
const MOST_LISTED: usize = 5;

/// Name of the table in the folder.
pub(super) const TABLE: &str = "sensitivities.csv";

#[derive(Serialize)]
struct SensitivityRow<'a> {
    scene: &'a str,
    figure: &'a str,
    unit: &'a str,
    key: &'a str,
    at: f64,
    slope: Option<f64>,
    coarse: Option<f64>,
    range: Option<f64>,
    jumps: bool,
}

impl SensitivityRow<'_> {
    /// Whether the quantity changes with the value by more than round-off.
    fn changes(&self) -> bool {
        self.range.is_some_and(|range| range > 0.0)
            && (self.jumps || self.slope.is_some_and(|slope| slope != 0.0))
    }
}

/// Returns false if it was stopped.
pub(super) fn run(
    arguments: &Arguments,
    problem: &Problem,
    at: &[f64],
    evaluator: &mut Evaluator<'_>,
    folder: &Path,
) -> Result<bool, Failure> {
    evaluator.begin("sensitivity", Some(5 * at.len() as u64));
    let found = tune::sensitivities(at, STEP, |sets| evaluator.evaluate(sets))?;
    evaluator.end();
    let Some(found) = found else { return Ok(false) };
    let names = tune::names(problem.map.is_some());
    let mut rows = Vec::new();
    for (number, scene) in problem.scenes.iter().enumerate() {
        for (figure, (name, unit)) in names.iter().enumerate() {
            for (index, variable) in problem.variables.iter().enumerate() {
                let Sensitivity { slope, coarse, range, jumps } = found[index][number][figure];
                let finite = |value: f64| Some(value).filter(|value| value.is_finite());
                rows.push(SensitivityRow {
                    scene: &scene.files.name,
                    figure: name,
                    unit,
                    key: &variable.name,
                    at: at[index],
                    slope: finite(slope),
                    coarse: finite(coarse),
                    range: finite(range),
                    jumps,
                });
            }
        }
    }
    let path = folder.join(TABLE);
    let unwritten = |error: csv::Error| Failure::write(&path, error.into());
    let mut table = Writer::from_path(&path).map_err(unwritten)?;
    rows.iter().try_for_each(|row| table.serialize(row)).map_err(unwritten)?;
    table.flush().map_err(|error| Failure::write(&path, error))?;
    if arguments.json {
        output::print_json(&rows)?;
    } else if !arguments.quiet {
        output::print(&told(problem, &rows))?;
        output::print(&format!("\nwritten to {}\n", path.display()))?;
    }
    Ok(true)
}

/// The values that affect each quantity most.
fn told(problem: &Problem, rows: &[SensitivityRow<'_>]) -> String {
    let mut text = format!(
        "What 1 % more of a value changes, from steps of {} and {} %; `jumps`: the two do not agree, and \
         the figure has no slope that could be told, only a range over them.\n",
        100.0 * STEP,
        50.0 * STEP
    );
    for of_scene in rows.chunk_by(|a, b| a.scene == b.scene && a.figure == b.figure) {
        let mut changing: Vec<&SensitivityRow<'_>> = of_scene.iter().filter(|row| row.changes()).collect();
        if changing.is_empty() {
            continue;
        }
        changing.sort_by(|a, b| b.range.unwrap_or(0.0).total_cmp(&a.range.unwrap_or(0.0)));
        let SensitivityRow { scene, figure, unit, .. } = of_scene[0];
        let of = if problem.scenes.len() > 1 { format!("{scene}: ") } else { String::new() };
        let unit = if unit.is_empty() { String::new() } else { format!(", {unit}") };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n{of}{figure}{unit}");
        for row in changing.iter().take(MOST_LISTED) {
            let slope = match row.jumps {
                true => format!("jumps, by {}", short(row.range.unwrap_or(0.0))),
                false => format!("{:+.2e}", 0.01 * row.slope.unwrap_or(0.0)),
            };
            let _ = writeln!(text, "  {:22} {}", slope, row.key);
        }
        if changing.len() > MOST_LISTED {
            let _ = writeln!(text, "  and {} more", changing.len() - MOST_LISTED);
        }
    }
    let (mut idle, mut at_zero) = (Vec::new(), Vec::new());
    for name in problem.variables.iter().map(|variable| variable.name.as_str()) {
        let of_key: Vec<_> = rows.iter().filter(|row| row.key == name).collect();
        if of_key.iter().all(|row| row.at == 0.0) {
            at_zero.push(name);
        } else if of_key.iter().any(|row| row.range.is_some()) && !of_key.iter().any(|row| row.changes()) {
            idle.push(name);
        }
    }
    for (says, keys) in
        [("No figure changes with", idle), ("Not tried, because 1 % of zero is nothing:", at_zero)]
    {
        if !keys.is_empty() {
            let _ = writeln!(text, "\n{says} {}", keys.join(", "));
        }
    }
    text
}
