//! CMA-ES: covariance matrix adaptation, (μ/μ_w, λ), with cumulative step-size control [Hansen 2016].
//!
//! Names and default constants are those of the tutorial, arXiv:1604.00772, with positive weights only.
//! Points are sampled from a normal distribution about a mean; the better half of them moves the mean, and
//! the paths of these moves shape the distribution. Only the order of the values matters.

use crate::dice::Dice;
use aplomb_math::elementary::{exp, log};
use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// A search for the minimum of a function of several numbers of similar scale.
#[doc(alias = "black-box optimisation")]
#[doc(alias = "evolution strategy")]
#[derive(Clone, Debug)]
pub(crate) struct Cma {
    /// Population size λ.
    population: usize,
    /// Weights of the μ best, which sum to 1.
    weights: Vec<f64>,
    /// Effective number of these, μ_eff.
    effective: f64,
    /// Learning rate c_σ and damping d_σ of the step size.
    step_rate: f64,
    step_damping: f64,
    /// Learning rates c_c, c_1 and c_μ of the covariance.
    path_rate: f64,
    one_rate: f64,
    many_rate: f64,
    /// Expected length E‖N(0, I)‖.
    expected: f64,
    mean: DVector<f64>,
    /// Step size σ.
    step: f64,
    /// Evolution paths p_σ and p_c.
    step_path: DVector<f64>,
    path: DVector<f64>,
    covariance: DMatrix<f64>,
    /// C = B D² Bᵀ: B, and the diagonal of D.
    axes: DMatrix<f64>,
    lengths: DVector<f64>,
    generation: u64,
    dice: Dice,
}

impl Cma {
    /// Starts at `start` with steps of about `step` along each coordinate; `population`: number of points in each
    /// generation, by default 4 + ⌊3 ln n⌋.
    pub(crate) fn new(start: &[f64], step: f64, population: Option<usize>, seed: u64) -> Self {
        let count = start.len();
        let n = count as f64;
        let population = population.unwrap_or(4 + (3.0 * log(n.max(1.0))).floor() as usize).max(4);
        let half = population / 2;
        let raw = (0..half).map(|rank| log((population as f64 + 1.0) / 2.0) - log(rank as f64 + 1.0));
        let raw: Vec<f64> = raw.collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|weight| weight / sum).collect();
        let effective = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        let step_rate = (effective + 2.0) / (n + effective + 5.0);
        let one_rate = 2.0 / ((n + 1.3).powi(2) + effective);
        let many_rate = 2.0 * (effective - 2.0 + 1.0 / effective) / ((n + 2.0).powi(2) + effective);
        Cma {
            population,
            effective,
            step_rate,
            step_damping: 1.0 + 2.0 * (((effective - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + step_rate,
            path_rate: (4.0 + effective / n) / (n + 4.0 + 2.0 * effective / n),
            one_rate,
            many_rate: many_rate.min(1.0 - one_rate),
            expected: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
            mean: DVector::from_column_slice(start),
            step,
            step_path: DVector::zeros(count),
            path: DVector::zeros(count),
            covariance: DMatrix::identity(count, count),
            axes: DMatrix::identity(count, count),
            lengths: DVector::repeat(count, 1.0),
            generation: 0,
            weights,
            dice: Dice::new(seed, 0),
        }
    }

    /// Points of the next generation.
    pub(crate) fn ask(&mut self) -> Vec<Vec<f64>> {
        let count = self.mean.len();
        let mut point = || {
            let drawn = DVector::from_fn(count, |axis, _| self.lengths[axis] * self.dice.normal());
            &self.mean + self.step * (&self.axes * drawn)
        };
        (0..self.population).map(|_| point().iter().copied().collect()).collect()
    }

    /// Receives the values of the last requested points. Non-finite values are the worst; of equal values, the
    /// earlier point ranks first.
    pub(crate) fn tell(&mut self, points: &[Vec<f64>], values: &[f64]) {
        let value = |index: usize| Some(values[index]).filter(|value| value.is_finite());
        let mut order: Vec<usize> = (0..points.len().min(values.len())).collect();
        order.sort_by(|a, b| {
            value(*a).unwrap_or(f64::INFINITY).total_cmp(&value(*b).unwrap_or(f64::INFINITY))
        });
        let n = self.mean.len() as f64;
        let steps = order.iter().zip(&self.weights);
        let steps: Vec<(f64, DVector<f64>)> = steps
            .map(|(index, weight)| {
                let point = DVector::from_column_slice(&points[*index]);
                (*weight, (point - &self.mean) / self.step)
            })
            .collect();
        let moved =
            steps.iter().fold(DVector::zeros(self.mean.len()), |sum, (weight, step)| sum + *weight * step);
        self.mean += self.step * &moved;
        self.generation += 1;

        // C^(-1/2) of the mean's step.
        let along = self.axes.tr_mul(&moved).component_div(&self.lengths);
        let whitened = &self.axes * along;
        let keep = self.step_rate;
        let fresh = (keep * (2.0 - keep) * self.effective).sqrt();
        self.step_path = (1.0 - keep) * &self.step_path + fresh * whitened;
        let length = self.step_path.norm();
        let forgotten = 1.0 - (1.0 - keep).powi(2 * self.generation.min(1 << 20) as i32);
        // The path stalls while the step size grows, so that the covariance does not grow too.
        let is_steady = length / forgotten.sqrt() / self.expected < 1.4 + 2.0 / (n + 1.0);
        let keep = self.path_rate;
        self.path *= 1.0 - keep;
        if is_steady {
            self.path += (keep * (2.0 - keep) * self.effective).sqrt() * &moved;
        }
        let lost = if is_steady { 0.0 } else { self.one_rate * keep * (2.0 - keep) };
        self.covariance *= 1.0 - self.one_rate - self.many_rate + lost;
        self.covariance += self.one_rate * &self.path * self.path.transpose();
        for (weight, step) in &steps {
            self.covariance += self.many_rate * *weight * step * step.transpose();
        }
        self.step *= exp((self.step_rate / self.step_damping * (length / self.expected - 1.0)).min(1.0));
        self.decompose();
    }

    fn decompose(&mut self) {
        let even = 0.5 * (&self.covariance + self.covariance.transpose());
        let SymmetricEigen { eigenvalues, eigenvectors } = SymmetricEigen::new(even.clone());
        let longest = eigenvalues.max().max(f64::MIN_POSITIVE);
        self.covariance = even;
        // Round-off may make the smallest eigenvalue negative.
        self.lengths = eigenvalues.map(|square| square.max(1e-14 * longest).sqrt());
        self.axes = eigenvectors;
    }

    /// Mean of the distribution.
    pub(crate) fn mean(&self) -> Vec<f64> {
        self.mean.iter().copied().collect()
    }

    /// Standard deviation along the longest axis.
    pub(crate) fn spread(&self) -> f64 {
        self.step * self.lengths.max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of evaluations until a value of 1e-8 is reached, at most `most`.
    fn evaluations(function: impl Fn(&[f64]) -> f64, start: &[f64], step: f64, most: usize) -> usize {
        let mut search = Cma::new(start, step, None, 7);
        let mut done = 0;
        while done < most {
            let points = search.ask();
            let values: Vec<f64> = points.iter().map(|point| function(point)).collect();
            done += values.len();
            if values.iter().any(|value| *value < 1e-8) {
                break;
            }
            search.tell(&points, &values);
        }
        done
    }

    fn sphere(x: &[f64]) -> f64 {
        x.iter().map(|x| x * x).sum()
    }

    fn rosenbrock(x: &[f64]) -> f64 {
        x.windows(2).map(|x| 100.0 * (x[1] - x[0] * x[0]).powi(2) + (1.0 - x[0]).powi(2)).sum()
    }

    /// Axes from 1 to 1000 long, rotated by reflections so that none is along a coordinate.
    fn turned_ellipsoid(x: &[f64]) -> f64 {
        let n = x.len();
        let mut turned = DVector::from_column_slice(x);
        let mut dice = Dice::new(3, 1);
        for _ in 0..n {
            let normal = DVector::from_fn(n, |_, _| dice.normal()).normalize();
            turned -= 2.0 * normal.dot(&turned) * &normal;
        }
        turned.iter().enumerate().map(|(k, x)| 1e6_f64.powf(k as f64 / (n - 1) as f64) * x * x).sum()
    }

    #[test]
    fn the_minimum_of_a_sphere_a_curved_valley_and_a_turned_ellipsoid_is_found() {
        let ones = [1.0; 10];
        let counts = [
            (evaluations(sphere, &ones, 0.5, 9999), 1800),
            (evaluations(rosenbrock, &[0.0; 10], 0.2, 19999), 8000),
            (evaluations(turned_ellipsoid, &ones, 0.5, 19999), 7000),
        ];
        for (number, (used, most)) in counts.into_iter().enumerate() {
            assert!(used <= most, "function {number}: {used} evaluations, {most} are enough");
        }
    }

    #[test]
    fn a_seed_gives_one_search_and_what_is_not_finite_is_the_worst() {
        let run = |seed: u64, worst: f64| {
            let mut search = Cma::new(&[0.3; 3], 0.2, None, seed);
            for _ in 0..5 {
                let points = search.ask();
                let value = |point: &Vec<f64>| if point[0] > 0.4 { worst } else { sphere(point) };
                let values: Vec<f64> = points.iter().map(value).collect();
                search.tell(&points, &values);
            }
            search.mean()
        };
        assert_eq!(run(1, f64::NAN), run(1, 1e9));
        assert_eq!(run(1, f64::NEG_INFINITY), run(1, 1e9));
        assert_ne!(run(1, 1e9), run(2, 1e9));
    }
}
