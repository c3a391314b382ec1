//! Footstep planning: a convex preview with the linear inverted pendulum.
//!
//! With its centre of pressure at p, the capture point ξ of a body moves as ξ(t) = p + (ξ − p) e^{ωt}. For
//! fixed feet and swing times of the next steps, every capture point at a touchdown is affine in the
//! footholds and centres of pressure before it, and the cost is a sum of squares, some of them one-sided: a
//! convex problem along each of two axes, solved exactly. Feet, times and the number of steps are enumerated.
//! Lengths are in any one unit, times in s.

use aplomb_math::elementary::exp;
use nalgebra::{SMatrix, SVector};

/// Largest number of steps in the preview.
pub const MOST_STEPS: usize = 3;
/// Unknowns along an axis: the footholds, then the centres of pressure between steps.
const SIZE: usize = 2 * MOST_STEPS - 1;
/// Largest number of squares along an axis.
const MOST_TERMS: usize = 2 + 8 * MOST_STEPS;
/// Weight of squared lengths beyond a foot's reach, relative to that of a capture point beyond the last foot.
const REACH_WEIGHT: f64 = 100.0;
/// Weight of squared lengths of the centre of pressure beyond the sole.
const SOLE_WEIGHT: f64 = 1000.0;
/// Shortest remaining time of a swinging foot, s: a late foot continues its swing.
const LEAST_TIME: f64 = 0.05;
/// Makes the problem strictly convex in unknowns without a cost.
const REGULARISATION: f64 = 1e-9;
/// Largest number of Newton steps. Usually a few suffice, until no square changes sides any more.
const MOST_ROUNDS: usize = 40;
/// Relative decrease of cost by which a plan replaces an earlier one.
const TIE: f64 = 1e-9;

type Unknowns = SVector<f64, SIZE>;

/// a·x + b over the unknowns of an axis.
#[derive(Clone, Copy)]
struct AffineForm {
    slope: Unknowns,
    constant: f64,
}

impl AffineForm {
    fn constant(constant: f64) -> AffineForm {
        AffineForm { slope: Unknowns::zeros(), constant }
    }

    fn unknown(index: usize) -> AffineForm {
        let mut slope = Unknowns::zeros();
        slope[index] = 1.0;
        AffineForm { slope, constant: 0.0 }
    }

    /// The sum of this and `factor` times another.
    fn plus(&self, factor: f64, other: &AffineForm) -> AffineForm {
        AffineForm {
            slope: self.slope + other.slope * factor,
            constant: self.constant + factor * other.constant,
        }
    }

    fn shifted(&self, by: f64) -> AffineForm {
        AffineForm { slope: self.slope, constant: self.constant + by }
    }

    fn value(&self, x: &Unknowns) -> f64 {
        self.slope.dot(x) + self.constant
    }
}

/// weight · value², or weight · max(0, value)².
#[derive(Clone, Copy)]
struct CostTerm {
    of: AffineForm,
    weight: f64,
    is_one_sided: bool,
}

impl CostTerm {
    fn counts(&self, x: &Unknowns) -> bool {
        !self.is_one_sided || self.of.value(x) > 0.0
    }
}

/// A sum of squares over the unknowns of an axis.
struct AxisProblem {
    terms: [CostTerm; MOST_TERMS],
    count: usize,
}

impl AxisProblem {
    fn new() -> AxisProblem {
        let none = CostTerm { of: AffineForm::constant(0.0), weight: 0.0, is_one_sided: false };
        AxisProblem { terms: [none; MOST_TERMS], count: 0 }
    }

    fn add(&mut self, weight: f64, of: AffineForm, is_one_sided: bool) {
        if weight > 0.0 && self.count < MOST_TERMS {
            self.terms[self.count] = CostTerm { of, weight, is_one_sided };
            self.count += 1;
        }
    }

    /// Adds a cost for `of` beyond two bounds.
    fn keep(&mut self, weight: f64, of: AffineForm, [low, high]: [f64; 2]) {
        self.add(weight, of.shifted(-high), true);
        self.add(weight, AffineForm::constant(low).plus(-1.0, &of), true);
    }

    fn cost(&self, x: &Unknowns) -> f64 {
        let terms = self.terms[..self.count].iter().filter(|term| term.counts(x));
        terms.map(|term| term.weight * term.of.value(x).powi(2)).sum()
    }

    /// The minimum, from an initial guess: Newton's method, which is exact once it has found which squares
    /// are active.
    fn solve(&self, guess: Unknowns) -> (Unknowns, f64) {
        let mut x = guess;
        let mut cost = self.cost(&x);
        for _ in 0..MOST_ROUNDS {
            let mut hessian = SMatrix::<f64, SIZE, SIZE>::identity() * REGULARISATION;
            let mut gradient = Unknowns::zeros();
            for term in &self.terms[..self.count] {
                let value = term.of.value(&x);
                if term.is_one_sided && value <= 0.0 {
                    continue;
                }
                let weighted = term.of.slope * term.weight;
                gradient += weighted * value;
                for column in (0..SIZE).filter(|column| weighted[*column] != 0.0) {
                    hessian.column_mut(column).axpy(weighted[column], &term.of.slope, 1.0);
                }
            }
            let Some(factor) = hessian.cholesky() else { break };
            let direction = -factor.solve(&gradient);
            let promise = gradient.dot(&direction);
            let mut share = 1.0;
            let (next, next_cost) = loop {
                let next = x + direction * share;
                let next_cost = self.cost(&next);
                if next_cost <= cost + 0.2 * share * promise || share < 1e-6 {
                    break (next, next_cost);
                }
                share *= 0.5;
            };
            if next_cost > cost {
                break;
            }
            let stays = share == 1.0
                && self.terms[..self.count].iter().all(|term| term.counts(&x) == term.counts(&next));
            (x, cost) = (next, next_cost);
            if stays {
                break;
            }
        }
        (x, cost)
    }
}

/// Known values along one axis.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// Capture point now.
    pub capture: f64,
    /// Centre of pressure until the first touchdown.
    pub pressure: f64,
    /// Position of the foot that swings first.
    pub swing: f64,
    /// Its velocity in the air; `None` if it is still on the ground.
    pub swing_velocity: Option<f64>,
    /// Position of the supporting foot.
    pub support: f64,
    /// Lower and upper end of a sole, relative to its foothold.
    pub sole: [f64; 2],
    /// Range of the distance from one foothold to the next, for the foot that swings first.
    pub region: [f64; 2],
    /// Whether the other foot's range is the mirror image: across, not along.
    pub is_mirrored: bool,
    /// Best distance of a foothold from the capture point at touchdown, to the side of the foot that swings
    /// first.
    pub outward: f64,
    /// Largest acceleration of a swinging foot.
    pub acceleration: f64,
}

impl Axis {
    /// 1, or −1 for a step whose values are mirrored.
    fn sign(&self, step: usize) -> f64 {
        if self.is_mirrored && step % 2 == 1 { -1.0 } else { 1.0 }
    }

    fn region(&self, step: usize) -> [f64; 2] {
        let [low, high] = self.region;
        if self.sign(step) < 0.0 { [-high, -low] } else { [low, high] }
    }

    /// Centre and half-width of the range that a foot can reach within some time from its position: a
    /// standing foot at full acceleration, then full deceleration to rest; a foot in the air, which the
    /// ground stops, at full acceleration.
    fn reach(&self, time: f64, velocity: Option<f64>) -> [f64; 2] {
        match velocity {
            None => [0.0, 0.25 * self.acceleration * time * time],
            Some(velocity) => {
                let time = time.max(LEAST_TIME);
                [velocity * time, 0.5 * self.acceleration * time * time]
            }
        }
    }
}

/// Costs of steps, in equivalent squared lengths of a capture point beyond the last foot.
#[derive(Clone, Copy, Debug)]
pub struct Prices {
    /// Cost of a swing that uses the largest acceleration.
    pub effort: f64,
    /// Cost of each squared length of a foothold's deviation from its best distance from the capture point.
    pub offset: f64,
    /// Cost of each step.
    pub step: f64,
}

/// State of a body between steps, or in one.
#[doc(alias = "footstep planning")]
#[doc(alias = "DCM")]
#[doc(alias = "capture point")]
#[derive(Clone, Debug)]
pub struct Footsteps {
    /// Forward axis, then lateral axis, towards the side of the foot that swings first.
    pub axes: [Axis; 2],
    /// √(g/z), rad/s.
    pub rate: f64,
    /// Time between a touchdown and the next lift-off, s.
    pub pause: f64,
    /// Costs of steps.
    pub prices: Prices,
}

/// A plan of the next steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Total cost, a squared length.
    pub cost: f64,
    /// Number of steps.
    pub steps: usize,
    /// Swing time of each step, s.
    pub times: [f64; MOST_STEPS],
    /// Footholds along the two axes.
    pub footholds: [[f64; 2]; MOST_STEPS],
    /// Capture points at the touchdowns.
    pub captures: [[f64; 2]; MOST_STEPS],
}

impl Footsteps {
    /// The plan with the lowest cost and one of the times `first` for the first step, and of `later` for the
    /// following ones. Of plans with equal cost, the first is selected: fewer steps, then the order of the
    /// lists.
    pub fn best(&self, first: &[f64], later: &[f64]) -> Option<Plan> {
        let mut best: Option<Plan> = None;
        let mut consider = |times: &[f64], warm: &mut [Option<Unknowns>; 2]| {
            let bound = best.as_ref().map_or(f64::INFINITY, |best| best.cost * (1.0 - TIE));
            best = self.plan_below(bound, times, warm).or(best);
        };
        let mut warm = [None; 2];
        for &one in first {
            consider(&[one], &mut warm);
        }
        let mut warm = [None; 2];
        for &one in first {
            for &two in later {
                consider(&[one, two], &mut warm);
            }
        }
        let mut warm = [None; 2];
        for &one in first {
            for &two in later {
                for &three in later {
                    consider(&[one, two, three], &mut warm);
                }
            }
        }
        best
    }

    /// The plan with these swing times, at most [`MOST_STEPS`].
    #[cfg(test)]
    fn plan(&self, times: &[f64]) -> Plan {
        self.plan_below(f64::INFINITY, times, &mut [None; 2]).expect("finite")
    }

    /// The plan with these swing times, if its cost is below the bound. `warm` has the unknowns of a similar
    /// plan, the start of the search.
    fn plan_below(&self, bound: f64, times: &[f64], warm: &mut [Option<Unknowns>; 2]) -> Option<Plan> {
        let steps = times.len().min(MOST_STEPS);
        let mut plan = Plan {
            cost: self.prices.step * steps as f64,
            steps,
            times: [0.0; MOST_STEPS],
            footholds: [[0.0; 2]; MOST_STEPS],
            captures: [[0.0; 2]; MOST_STEPS],
        };
        plan.times[..steps].copy_from_slice(&times[..steps]);
        for (index, axis) in self.axes.iter().enumerate() {
            if plan.cost >= bound {
                return None;
            }
            let (problem, captures, guess) = self.problem(axis, &plan.times[..steps]);
            let (x, cost) = problem.solve(warm[index].unwrap_or(guess));
            warm[index] = Some(x);
            plan.cost += cost;
            for step in 0..steps {
                plan.footholds[step][index] = x[step];
                plan.captures[step][index] = captures[step].value(&x);
            }
        }
        (plan.cost < bound).then_some(plan)
    }

    /// The problem along an axis, the capture points at touchdowns, and initial unknowns.
    fn problem(&self, axis: &Axis, times: &[f64]) -> (AxisProblem, [AffineForm; MOST_STEPS], Unknowns) {
        let steps = times.len();
        let mut problem = AxisProblem::new();
        let mut captures = [AffineForm::constant(0.0); MOST_STEPS];
        let mut guess = Unknowns::zeros();
        let first = axis.pressure + (axis.capture - axis.pressure) * exp(self.rate * times[0]);
        captures[0] = AffineForm::constant(first);
        for step in 0..steps {
            let foothold = AffineForm::unknown(step);
            if step > 0 {
                let pressure =
                    AffineForm::unknown(MOST_STEPS + step - 1).plus(1.0, &AffineForm::unknown(step - 1));
                let growth = exp(self.rate * (times[step] + self.pause));
                captures[step] = pressure.plus(growth, &captures[step - 1].plus(-1.0, &pressure));
                problem.keep(SOLE_WEIGHT, AffineForm::unknown(MOST_STEPS + step - 1), axis.sole);
            }
            let before =
                if step == 0 { AffineForm::constant(axis.support) } else { AffineForm::unknown(step - 1) };
            problem.keep(REACH_WEIGHT, foothold.plus(-1.0, &before), axis.region(step));
            let lifted = match step {
                0 => AffineForm::constant(axis.swing),
                1 => AffineForm::constant(axis.support),
                _ => AffineForm::unknown(step - 2),
            };
            let velocity = axis.swing_velocity.filter(|_| step == 0);
            let [middle, width] = axis.reach(times[step], velocity);
            let way = foothold.plus(-1.0, &lifted).shifted(-middle);
            problem.keep(REACH_WEIGHT, way, [-width, width]);
            problem.add(self.prices.effort / width.max(1e-3).powi(2), way, false);
            let off = captures[step].shifted(axis.sign(step) * axis.outward).plus(-1.0, &foothold);
            problem.add(self.prices.offset, off, false);
            guess[step] = captures[step].value(&guess);
        }
        let left = captures[steps - 1].plus(-1.0, &AffineForm::unknown(steps - 1));
        problem.keep(1.0, left, axis.sole);
        (problem, captures, guess)
    }
}

#[cfg(test)]
mod tests;
