//! The search: generations of CMA-ES from the values in the files, each value between its bounds.

use super::cma::Cma;
use super::problem::{Evaluation, Problem};

/// Spread below which values are equal: less than the precision of values in files.
const CONVERGED: f64 = 1e-5;

/// Settings of a search, and its limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchPlan {
    /// Seed of the random numbers.
    pub seed: u64,
    /// Initial step, as a share of the distance between the bounds.
    pub step: f64,
    /// Points in each generation; chosen automatically by default.
    pub population: Option<usize>,
    /// Largest number of generations.
    pub generations: Option<u64>,
    /// Largest number of tried sets of values; the current generation is completed.
    pub evaluations: Option<u64>,
}

/// A set of values that was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct TriedValues {
    /// Number of the generation; 0 is the start.
    pub(crate) generation: u64,
    /// Its result.
    pub(crate) evaluation: Evaluation,
}

/// The state after a generation.
#[derive(Clone, Debug, PartialEq)]
pub struct Generation {
    /// Sets of values tried so far.
    pub tried: usize,
    /// The best value of the aim so far.
    pub best: Option<f64>,
    /// Median of this generation.
    pub median: Option<f64>,
    /// Standard deviation of the points along their longest axis, as a share of the distance between the
    /// bounds.
    pub spread: f64,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The requested number of generations was reached.
    Generations,
    /// The requested number of sets of values was reached.
    Evaluations,
    /// The spread of the points is below the precision of values in files.
    Converged,
    /// The caller stopped it.
    Stopped,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// All tried sets, in order.
    pub tried: Vec<TriedValues>,
    /// All generations, in order, the start first.
    pub generations: Vec<Generation>,
    /// Index of the best set in `tried`: the first of equal ones.
    pub best: usize,
    /// Number of completed generations, without the start and the last mean.
    pub done: u64,
    /// Why the search ended.
    pub ended: Ended,
}

impl SearchResult {
    /// Uses a set of values instead of the best one.
    pub fn choose(&mut self, evaluation: Evaluation) {
        self.best = self.tried.len();
        self.tried.push(TriedValues { generation: self.done, evaluation });
    }

    /// The best set that was tried.
    pub fn best(&self) -> &Evaluation {
        &self.tried[self.best].evaluation
    }

    /// The set with the values in the files.
    pub fn start(&self) -> &Evaluation {
        &self.tried[0].evaluation
    }
}

/// Searches from these values. `evaluate` runs sets of values and returns their results, or `None` if it was stopped;
/// `each` is called for every generation. The last set that is tried is the mean of the last generation. `None` if
/// not even the start was tried.
///
/// # Errors
/// If `evaluate` or `each` fails.
pub fn search<E>(
    problem: &Problem,
    start: &[f64],
    plan: &SearchPlan,
    mut evaluate: impl FnMut(&[Vec<f64>]) -> Result<Option<Vec<Evaluation>>, E>,
    mut each: impl FnMut(&SearchResult) -> Result<(), E>,
) -> Result<Option<SearchResult>, E> {
    let place: Vec<f64> =
        problem.variables.iter().zip(start).map(|(variable, value)| variable.place(*value)).collect();
    let mut cma = Cma::new(&place, plan.step, plan.population, plan.seed);
    let Some(first) = evaluate(&[start.to_vec()])? else { return Ok(None) };
    let mut search =
        SearchResult { tried: Vec::new(), generations: Vec::new(), best: 0, done: 0, ended: Ended::Stopped };
    search.add(first, plan.step);
    each(&search)?;
    search.ended = loop {
        let tried = search.tried.len() as u64;
        if plan.generations.is_some_and(|most| search.done >= most) {
            break Ended::Generations;
        }
        if plan.evaluations.is_some_and(|most| tried >= most) {
            break Ended::Evaluations;
        }
        if cma.spread() < CONVERGED {
            break Ended::Converged;
        }
        let points = cma.ask();
        let values: Vec<Vec<f64>> = points.iter().map(|point| problem.values(point)).collect();
        let Some(evaluations) = evaluate(&values)? else { break Ended::Stopped };
        let costs: Vec<f64> = evaluations.iter().map(cost).collect();
        cma.tell(&points, &costs);
        search.add(evaluations, cma.spread());
        search.done += 1;
        each(&search)?;
    };
    if search.ended != Ended::Stopped
        && let Some(middle) = evaluate(&[problem.values(&cma.mean())])?
    {
        search.add(middle, cma.spread());
        each(&search)?;
    }
    Ok(Some(search))
}

/// The cost, which is minimised.
fn cost(evaluation: &Evaluation) -> f64 {
    evaluation.value.map_or(f64::INFINITY, |value| -value)
}

impl SearchResult {
    fn add(&mut self, evaluations: Vec<Evaluation>, spread: f64) {
        let mut values: Vec<f64> = evaluations.iter().filter_map(|evaluation| evaluation.value).collect();
        values.sort_by(f64::total_cmp);
        let generation = self.generations.len() as u64;
        for evaluation in evaluations {
            let is_better =
                self.tried.get(self.best).is_none_or(|best| cost(&evaluation) < cost(&best.evaluation));
            if is_better {
                self.best = self.tried.len();
            }
            self.tried.push(TriedValues { generation, evaluation });
        }
        self.generations.push(Generation {
            tried: self.tried.len(),
            best: self.best().value,
            median: values.get(values.len() / 2).copied(),
            spread,
        });
    }
}
