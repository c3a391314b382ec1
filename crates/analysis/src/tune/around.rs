//! The neighbourhood of the best set: which of its values mattered, and how far each may change alone while
//! everything still passes.

use super::problem::{Evaluation, Problem, SceneOutcome};
use super::variable::Variable;

/// Share of a map's area that must remain.
pub const AREA_KEPT: f64 = 0.95;
/// Bisections of an interval's end.
const HALVINGS: usize = 5;
/// Number of evenly spaced values tried between the best value and the end of the interval.
const BETWEEN: usize = 2;

/// The effect of one value.
#[derive(Clone, Debug, PartialEq)]
pub struct Mattered {
    /// Loss of the aim if only this value is reset to its initial one; `None` if the aim has no value then.
    pub lost: Option<f64>,
}

/// The verified range of one value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VerifiedRange {
    /// Smallest and largest value that was run and passed; all values that were run between them passed as
    /// well.
    pub ends: [f64; 2],
    /// Whether these are the bounds of the search.
    pub at_bounds: [bool; 2],
}

/// Whether everything that passes with the best set also passes with the other one.
pub fn holds(best: &Evaluation, other: &Evaluation) -> bool {
    best.scenes.iter().zip(&other.scenes).all(|(best, other)| scene_holds(best, other))
}

fn scene_holds(best: &SceneOutcome, other: &SceneOutcome) -> bool {
    let Ok(own) = &other.own else { return best.own.is_err() };
    let passed = own.passed || !best.own.as_ref().is_ok_and(|own| own.passed);
    let area = |outcome: &SceneOutcome| outcome.pushes.as_ref().map_or(0.0, |pushes| pushes.area);
    passed && area(other) >= AREA_KEPT * area(best)
}

/// Whether anything passes with the best set; otherwise intervals are undefined.
pub fn passes(best: &Evaluation) -> bool {
    let area = |outcome: &SceneOutcome| outcome.pushes.as_ref().is_some_and(|pushes| pushes.area > 0.0);
    best.scenes.iter().any(|outcome| outcome.own.as_ref().is_ok_and(|own| own.passed) || area(outcome))
}

/// Resets each of the best set's values alone. `None` if the search was stopped.
///
/// # Errors
/// If `evaluate` fails.
pub fn what_mattered<E>(
    best: &Evaluation,
    start: &[f64],
    mut evaluate: impl FnMut(&[Vec<f64>]) -> Result<Option<Vec<Evaluation>>, E>,
) -> Result<Option<Vec<Mattered>>, E> {
    let with = |index: usize| {
        let mut values = best.values.clone();
        values[index] = start[index];
        values
    };
    let sets: Vec<Vec<f64>> = (0..start.len()).map(with).collect();
    let Some(evaluations) = evaluate(&sets)? else { return Ok(None) };
    let lost = |evaluation: &Evaluation| Some(best.value? - evaluation.value?);
    Ok(Some(evaluations.iter().map(|evaluation| Mattered { lost: lost(evaluation) }).collect()))
}

/// One end of an interval during its search.
struct IntervalEnd {
    variable: usize,
    /// Positions of passing and failing values.
    passed: f64,
    failed: Option<f64>,
}

/// Searches the ends of the intervals about the best set by bisection, one value at a time, and tries values between.
/// `None` if the search was stopped.
///
/// # Errors
/// If `evaluate` fails.
pub fn intervals<E>(
    problem: &Problem,
    best: &Evaluation,
    mut evaluate: impl FnMut(&[Vec<f64>]) -> Result<Option<Vec<Evaluation>>, E>,
) -> Result<Option<Vec<VerifiedRange>>, E> {
    let middle: Vec<f64> =
        problem.variables.iter().zip(&best.values).map(|(variable, value)| variable.place(*value)).collect();
    let at = |variable: usize, place: f64| moved(problem, best, variable, place);
    let mut sides: Vec<IntervalEnd> = (0..2 * middle.len())
        .map(|number| IntervalEnd { variable: number / 2, passed: middle[number / 2], failed: None })
        .collect();
    for round in 0..=HALVINGS {
        // The bounds are tried first; an end that passes there is done.
        let open: Vec<usize> =
            (0..sides.len()).filter(|number| round == 0 || sides[*number].failed.is_some()).collect();
        let places: Vec<f64> = open.iter().map(|number| sides[*number].next_place(*number)).collect();
        let sets: Vec<Vec<f64>> =
            open.iter().zip(&places).map(|(number, place)| at(sides[*number].variable, *place)).collect();
        let Some(evaluations) = evaluate(&sets)? else { return Ok(None) };
        for ((number, place), evaluation) in open.iter().zip(places).zip(&evaluations) {
            match holds(best, evaluation) {
                true => sides[*number].passed = place,
                false => sides[*number].failed = Some(place),
            }
        }
    }
    // There may be a gap before an end.
    let between = |number: usize, step: usize| {
        let IntervalEnd { variable, passed, .. } = sides[number];
        middle[variable] + (passed - middle[variable]) * step as f64 / (BETWEEN + 1) as f64
    };
    let sets = (0..sides.len())
        .flat_map(|number| (1..=BETWEEN).map(move |step| (number, step)))
        .map(|(number, step)| at(sides[number].variable, between(number, step)));
    let Some(evaluations) = evaluate(&sets.collect::<Vec<_>>())? else { return Ok(None) };
    let mut ends = Vec::with_capacity(sides.len());
    for (number, steps) in evaluations.chunks(BETWEEN).enumerate() {
        let whole = steps.iter().take_while(|evaluation| holds(best, evaluation)).count();
        ends.push(if whole == BETWEEN { sides[number].passed } else { between(number, whole) });
    }
    let verified = |variable: usize| {
        VerifiedRange::of(&problem.variables[variable], [ends[2 * variable], ends[2 * variable + 1]])
    };
    Ok(Some((0..middle.len()).map(verified).collect()))
}

/// The best values with one moved to another position between its bounds.
fn moved(problem: &Problem, best: &Evaluation, variable: usize, place: f64) -> Vec<f64> {
    let mut values = best.values.clone();
    values[variable] = problem.variables[variable].value(place);
    values
}

impl IntervalEnd {
    /// Position of the next trial at an end: at first the bound, then half-way to the failing value.
    fn next_place(&self, number: usize) -> f64 {
        match self.failed {
            Some(failed) => 0.5 * (self.passed + failed),
            None => (number % 2) as f64,
        }
    }
}

impl VerifiedRange {
    fn of(variable: &Variable, places: [f64; 2]) -> Self {
        VerifiedRange {
            ends: places.map(|place| variable.value(place)),
            at_bounds: [places[0] == 0.0, places[1] == 1.0],
        }
    }
}
