//! The results of a search, as text and as JSON.

use super::TuneOutcome;
use crate::analysis::tune::{Ended, Evaluation, OWN, OwnRun, PUSHES, Problem, Pushes, Variable};
use serde::Serialize;
use std::fmt::Write;

/// The results that are printed as JSON.
#[derive(Serialize)]
pub(super) struct TuneResults<'a> {
    aim: &'a str,
    start: Option<f64>,
    best: Option<f64>,
    evaluations: usize,
    generations: u64,
    values: Vec<ValueResult<'a>>,
    scenes: Vec<SceneResult<'a>>,
    files: Vec<&'a str>,
    unwritten: &'a [String],
}

#[derive(Serialize)]
struct ValueResult<'a> {
    key: &'a str,
    start: f64,
    best: f64,
    lost_where_put_back: Option<f64>,
    interval: Option<[f64; 2]>,
}

#[derive(Serialize)]
struct SceneResult<'a> {
    scene: &'a str,
    value: Option<f64>,
    own: Option<&'a OwnRun>,
    pushes: Option<&'a Pushes>,
    reason: Option<&'a str>,
}

pub(super) fn findings<'a>(problem: &'a Problem, found: &'a TuneOutcome) -> TuneResults<'a> {
    let best = found.search.best();
    let value = |(index, variable): (usize, &'a Variable)| ValueResult {
        key: &variable.name,
        start: found.begun[index].0,
        best: best.values[index],
        lost_where_put_back: found.mattered.as_ref().and_then(|all| all[index].lost),
        interval: found.intervals.as_ref().map(|all| all[index].ends),
    };
    let scene = |(scene, outcome): (
        &'a crate::analysis::tune::TunedScene,
        &'a crate::analysis::tune::SceneOutcome,
    )| {
        SceneResult {
            scene: &scene.files.name,
            value: outcome.value,
            own: outcome.own.as_ref().ok(),
            pushes: outcome.pushes.as_ref(),
            reason: outcome.own.as_ref().err().map(String::as_str),
        }
    };
    TuneResults {
        aim: problem.aim.text(),
        start: found.search.start().value,
        best: best.value,
        evaluations: found.search.tried.len(),
        generations: found.search.done,
        values: problem.variables.iter().enumerate().map(value).collect(),
        scenes: problem.scenes.iter().zip(&best.scenes).map(scene).collect(),
        files: found.tuned.files.iter().map(|file| file.name.as_str()).collect(),
        unwritten: &found.tuned.unwritten,
    }
}

/// A number with about four digits.
pub(super) fn short(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-3..1e6).contains(&size) {
        return format!("{value:.2e}");
    }
    let digits = if size >= 1000.0 { 0 } else { 3 - (size.max(1e-3).log10().floor() as i32).clamp(-3, 3) };
    let text = format!("{value:.0$}", digits.max(0) as usize);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').into(),
        false => text,
    }
}

pub(super) fn optional(value: Option<f64>) -> String {
    value.map_or("none".into(), short)
}

/// The reason for the end of a search.
pub(super) fn ended(ended: Ended) -> &'static str {
    match ended {
        Ended::Generations => "as many generations as were asked for",
        Ended::Evaluations => "as many sets of values as were asked for",
        Ended::Converged => "the values came together",
        Ended::Stopped => "stopped by the clock or by a signal",
    }
}

/// The aim at the start and with the best values, as text.
pub(super) fn gain(found: &TuneOutcome) -> String {
    let search = &found.search;
    let (start, best) = (search.start().value, search.best().value);
    match search.best == 0 {
        true => format!("{}: nothing better than the start was found", optional(start)),
        false if found.in_middle => {
            format!("{} at the start, {} in the middle of what passes", optional(start), optional(best))
        }
        false => format!("{} at the start, {} at best", optional(start), optional(best)),
    }
}

/// Length of the search.
pub(super) fn length(found: &TuneOutcome) -> String {
    let search = &found.search;
    let (generations, tried) = (search.done, search.tried.len());
    let word = if generations == 1 { "generation" } else { "generations" };
    format!("{tried} sets of values in {generations} {word}; {}", ended(search.ended))
}

/// An interval as text, with `=` where it ends at a bound.
pub(super) fn interval(found: &TuneOutcome, index: usize) -> String {
    let Some(verified) = found.intervals.as_ref().map(|all| all[index]) else { return String::new() };
    let mark = |end: usize| if verified.at_bounds[end] { "=" } else { "" };
    format!("{}{} to {}{}", mark(0), short(verified.ends[0]), mark(1), short(verified.ends[1]))
}

pub(super) fn lost(found: &TuneOutcome, index: usize) -> String {
    match found.mattered.as_ref().map(|all| all[index].lost) {
        None => String::new(),
        Some(None) => "all".into(),
        Some(Some(lost)) => short(lost),
    }
}

/// Quantities of a scene, including those of pushes, that differ between the start and the best values.
pub(super) fn figures(
    found: &TuneOutcome,
    scene: usize,
) -> Vec<(String, &'static str, Option<f64>, Option<f64>)> {
    let of = |evaluation: &Evaluation| {
        let outcome = &evaluation.scenes[scene];
        let own = outcome.own.as_ref().ok().cloned();
        (own, outcome.pushes.clone())
    };
    let (before, after) = (of(found.search.start()), of(found.search.best()));
    let finite = |value: f64| Some(value).filter(|value| value.is_finite());
    let own = OWN.iter().map(|(name, unit, _, value)| {
        let value = |run: &Option<OwnRun>| run.as_ref().map(value).and_then(finite);
        (name.to_string(), *unit, value(&before.0), value(&after.0))
    });
    let pushes = PUSHES.iter().map(|(name, unit, _, value)| {
        let value = |map: &Option<Pushes>| map.as_ref().map(value).and_then(finite);
        (format!("{name}(pushes)"), *unit, value(&before.1), value(&after.1))
    });
    own.chain(pushes).filter(|(_, _, before, after)| before != after).collect()
}

pub(super) fn told(problem: &Problem, found: &TuneOutcome) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}: {}", problem.aim.text(), gain(found));
    let _ = writeln!(text, "  {}\n", length(found));
    let width =
        problem.variables.iter().map(|variable| variable.name.chars().count()).max().unwrap_or(0).max(5);
    let heads = ["start", "best", "lost alone", "all passes from"];
    let row = |text: &mut String, name: &str, cells: [&str; 4]| {
        let [a, b, c, d] = cells;
        let line = format!("  {name:width$}  {a:>9}  {b:>9}  {c:>10}  {d}");
        text.push_str(line.trim_end());
        text.push('\n');
    };
    row(&mut text, "value", heads);
    for (index, variable) in problem.variables.iter().enumerate() {
        let (start, best) = (found.begun[index].0, found.search.best().values[index]);
        let cells = [&*short(start), &*short(best), &*lost(found, index), &*interval(found, index)];
        row(&mut text, &variable.name, cells);
    }
    for (index, scene) in problem.scenes.iter().enumerate() {
        let _ = writeln!(text, "\n{}", scene.files.name);
        for (name, unit, before, after) in figures(found, index) {
            let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
            let _ = writeln!(text, "  {name:22} {:>9} → {}{unit}", optional(before), optional(after));
        }
    }
    if !found.tuned.unwritten.is_empty() {
        let _ = writeln!(text, "\nwritten in no file: --set {}", found.tuned.unwritten.join(" --set "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_are_short() {
        let said = [494.8008, 0.055, 0.0, -3.0, 1234.5, 1.25e-5, 0.3, 20.0, 70.04].map(short);
        assert_eq!(said, ["494.8", "0.055", "0", "-3", "1234", "1.25e-5", "0.3", "20", "70.04"]);
    }
}
