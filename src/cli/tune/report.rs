//! The output files of a search: a report in Markdown with pictures, the tuned files and their changes.

use super::text::{figures, gain, interval, length, lost, optional, short};
use super::{Arguments, TuneOutcome, figure};
use crate::analysis::tune::{AREA_KEPT, Problem, passes};
use crate::cli::{Failure, output};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Name of the report in the folder of a complete search.
pub(super) const REPORT: &str = "report.md";

/// Writes the files, and returns the names of the most important ones.
pub(super) fn write(
    arguments: &Arguments,
    problem: &Problem,
    found: &TuneOutcome,
    folder: &Path,
) -> Result<Vec<String>, Failure> {
    let pictures =
        [("convergence", figure::convergence(problem, found)), ("values", figure::values(problem, found))];
    for (name, picture) in pictures {
        picture.write_svg(&folder.join(format!("{name}.svg")))?;
        picture.write_png(&folder.join(format!("{name}.png")))?;
    }
    let diff_path = folder.join("tuned.diff");
    let diff: String = found.tuned.files.iter().map(|file| file.diff.as_str()).collect();
    output::replace(&diff_path, diff.as_bytes())?;
    let files = folder.join("tuned");
    // The files of an earlier search may have other names.
    if files.exists() {
        fs::remove_dir_all(&files).map_err(|error| Failure::write(&files, error))?;
    }
    let mut made = vec![REPORT.to_string(), "tune.csv".into()];
    if !found.tuned.files.is_empty() {
        fs::create_dir_all(&files).map_err(|error| Failure::write(&files, error))?;
        made.push("tuned.diff".into());
    }
    for file in &found.tuned.files {
        output::replace(&files.join(&file.name), file.text.as_bytes())?;
        made.push(format!("tuned/{}", file.name));
    }
    output::replace(&folder.join(REPORT), markdown(arguments, problem, found, &diff).as_bytes())?;
    Ok(made)
}

fn markdown(arguments: &Arguments, problem: &Problem, found: &TuneOutcome, diff: &str) -> String {
    let mut text = String::new();
    let names: Vec<&str> = problem.scenes.iter().map(|scene| scene.files.name.as_str()).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "# Tuned: {}\n", names.join(", "));
    let _ = writeln!(text, "`{}`: {}.\n", problem.aim.text(), gain(found));
    let _ = writeln!(text, "CMA-ES, seed {}, {}.", arguments.seed, length(found));
    if let Some(map) = &problem.map {
        let impulses: Vec<String> = map.impulses.iter().map(f64::to_string).collect();
        let _ = writeln!(text, "Pushes from {} sides, of {} N s.", map.directions, impulses.join(", "));
    }
    if !arguments.overrides.is_empty() {
        let _ = writeln!(text, "In every run: `{}`.", arguments.overrides.join("`, `"));
    }
    let _ = writeln!(
        text,
        "\n![How the search went](convergence.png)\n\n![What each value is worth](values.png)\n"
    );
    values(&mut text, arguments, problem, found);
    scenes(&mut text, problem, found);
    if !diff.is_empty() {
        let _ = writeln!(text, "\n## Files\n\nIn `tuned/`, whole; the change:\n\n```diff\n{diff}```");
    }
    if !found.tuned.unwritten.is_empty() {
        let _ = writeln!(text, "\nWritten in no file, so as arguments:\n");
        for set in &found.tuned.unwritten {
            let _ = writeln!(text, "* `--set '{set}'`");
        }
    }
    text
}

/// The table of the variables, and the meaning of its columns.
fn values(text: &mut String, arguments: &Arguments, problem: &Problem, found: &TuneOutcome) {
    let _ = writeln!(text, "| value | bounds | start | best | lost alone | all passes from |");
    let _ = writeln!(text, "|---|---|---|---|---|---|");
    for (index, variable) in problem.variables.iter().enumerate() {
        let _ = writeln!(
            text,
            "| `{}` | {} to {}{} | {} | {} | {} | {} |",
            variable.name.replace('|', "\\|"),
            variable.low,
            variable.high,
            if variable.logarithmic { ", ratios" } else { "" },
            short(found.begun[index].0),
            found.search.best().values[index],
            lost(found, index),
            interval(found, index),
        );
    }
    *text += "\n`lost alone` is how much smaller what was searched for is where this value alone is put back to \
              the start.";
    if found.mattered.is_none() {
        *text += " It was not looked at.";
    }
    if found.intervals.is_some() {
        let _ = write!(
            text,
            " `all passes from`: both ends were run, with two values between each and the best, and in all \
             of them every scene passes that does at best"
        );
        if problem.map.is_some() {
            let _ = write!(text, ", and at least {AREA_KEPT} of its survivable area is left");
        }
        *text += "; `=` is a bound of the search. One value alone is changed: corners were not tried.";
    }
    if !arguments.no_intervals && !passes(found.search.best()) {
        *text += " Nothing passes even at best, so there are no intervals in which everything does.";
    }
    *text += "\n";
}

/// The results of each scene that changed.
fn scenes(text: &mut String, problem: &Problem, found: &TuneOutcome) {
    for (index, scene) in problem.scenes.iter().enumerate() {
        let _ = writeln!(text, "\n## {}\n", scene.files.name);
        if let Err(reason) = &found.search.best().scenes[index].own {
            let _ = writeln!(text, "It could not be run: {reason}\n");
        }
        let changed = figures(found, index);
        if changed.is_empty() {
            let _ = writeln!(text, "No figure changed.");
            continue;
        }
        let _ = writeln!(text, "| figure | start | best |\n|---|---|---|");
        for (name, unit, before, after) in changed {
            let unit = if unit.is_empty() { String::new() } else { format!(", {unit}") };
            let _ = writeln!(text, "| {name}{unit} | {} | {} |", optional(before), optional(after));
        }
    }
}
