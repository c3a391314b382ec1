//! The centre of the passing region: the passing values that are farthest from failing ones.

use super::around::{VerifiedRange, holds};
use super::problem::{Evaluation, Problem};
use super::search::SearchResult;

/// The set of values that passes like the best one and is farthest from every tried set that does not; the best one
/// if all tried sets pass. The distance is the largest over the values, as a share of the distance between the
/// bounds; of equal ones the better set is selected.
pub fn roomiest<'s>(problem: &Problem, search: &'s SearchResult) -> &'s Evaluation {
    let best = search.best();
    let places = |evaluation: &Evaluation| -> Vec<f64> {
        let of = |(variable, value): (&super::Variable, &f64)| variable.place(*value);
        problem.variables.iter().zip(&evaluation.values).map(of).collect()
    };
    let all = || search.tried.iter().map(|tried| &tried.evaluation);
    let failed: Vec<Vec<f64>> = all().filter(|evaluation| !holds(best, evaluation)).map(places).collect();
    let room = |evaluation: &Evaluation| {
        let own = places(evaluation);
        let apart = |other: &Vec<f64>| own.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        failed.iter().map(apart).fold(f64::INFINITY, f64::min)
    };
    if failed.is_empty() {
        return best;
    }
    let mut chosen = (best, room(best));
    for evaluation in all().filter(|evaluation| holds(best, evaluation)) {
        let own = room(evaluation);
        let is_better = own == chosen.1 && evaluation.value > chosen.0.value;
        if own > chosen.1 || is_better {
            chosen = (evaluation, own);
        }
    }
    chosen.0
}

/// The middle of the intervals of all values.
pub fn middle(problem: &Problem, intervals: &[VerifiedRange]) -> Vec<f64> {
    let of = |(variable, verified): (&super::Variable, &VerifiedRange)| {
        let [low, high] = verified.ends.map(|end| variable.place(end));
        variable.value(0.5 * (low + high))
    };
    problem.variables.iter().zip(intervals).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::{Ended, OwnRun, SceneOutcome, TriedValues, TuneObjective, Variable};

    /// Passes from 0.1 to 0.6 and from 0.898 to 0.902, where it has the larger margin.
    fn evaluation(value: f64) -> Evaluation {
        let passed = (0.1..=0.6).contains(&value) || (0.898..=0.902).contains(&value);
        let own = OwnRun { passed, ..OwnRun::default() };
        let outcome = SceneOutcome { own: Ok(own), pushes: None, value: None };
        let worth = if passed { 2.0 + value } else { 0.0 };
        Evaluation { values: vec![value], value: Some(worth), scenes: vec![outcome] }
    }

    #[test]
    fn the_middle_of_the_widest_stretch_is_preferred_to_a_better_edge() {
        let problem = Problem {
            scenes: Vec::new(),
            variables: vec![Variable::parse("brake=0:1").expect("a value")],
            aim: TuneObjective::parse("passed").expect("an aim"),
            map: None,
        };
        let tried: Vec<TriedValues> = [0.05, 0.2, 0.35, 0.5, 0.7, 0.8, 0.89, 0.9, 0.91]
            .into_iter()
            .map(|value| TriedValues { generation: 0, evaluation: evaluation(value) })
            .collect();
        let mut search =
            SearchResult { tried, generations: Vec::new(), best: 7, done: 1, ended: Ended::Generations };
        let chosen = roomiest(&problem, &search);
        assert_eq!(chosen.values, [0.35]);
        let around = |values: [f64; 2]| VerifiedRange { ends: values, at_bounds: [false; 2] };
        assert_eq!(middle(&problem, &[around([0.1, 0.6])]), [0.35]);
        search.tried.retain(|tried| holds(&evaluation(0.9), &tried.evaluation));
        search.best = search.tried.len() - 1;
        assert_eq!(roomiest(&problem, &search).values, [0.9], "all pass");
    }
}
