//! Solves J W Jᵀ λ = b by conjugate gradients that need only products ([Witkin 1997] section 4.4).
//!
//! With W = F Fᵀ and B = J F the system is B Bᵀ λ = b. These are conjugate gradients on least squares: they
//! minimise |B y − b| over y = Bᵀ λ, with one product with B and one with Bᵀ per iteration, so that neither J
//! W Jᵀ nor its square is formed. Redundant rows do not change the solution; contradictory ones are satisfied
//! in the least-squares sense. λ starts from zero and is therefore the smallest solution, if the rows do not
//! contradict each other.

/// Stopping criteria.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Tolerance on |b − B y| as a share of |b|.
    pub(crate) tolerance: f64,
    /// Tolerance on |Bᵀ(b − B y)| as a share of |B| |b − B y|: below it the residual counts as a
    /// contradiction, and rows that differ by no more than this count as equal.
    pub(crate) rank: f64,
    /// Largest number of iterations per row of the system.
    pub turns_per_row: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { tolerance: 1e-12, rank: 1e-9, turns_per_row: 4 }
    }
}

/// Effort and result of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Solution {
    /// Number of iterations of the solver.
    pub iterations: usize,
    /// Residual |b − B y|: the error of the constraints' accelerations, in their units / s².
    pub residual: f64,
    /// Right side |b|, in the same units.
    pub asked: f64,
    /// Whether rows contradict each other: the residual is then minimal.
    pub contradictory: bool,
    /// Whether the largest number of iterations was reached.
    pub capped: bool,
}

/// Memory of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Solver {
    pub limits: Limits,
    /// λ by row.
    pub lambda: Vec<f64>,
    /// y = Bᵀ λ by degree of freedom.
    pub y: Vec<f64>,
    residual: Vec<f64>,
    back: Vec<f64>,
    way: Vec<f64>,
    way_lambda: Vec<f64>,
    product: Vec<f64>,
}

/// Products with B and with its transpose; both overwrite their second argument.
pub(super) trait Operator {
    fn times(&mut self, y: &[f64], product: &mut [f64]);
    fn transpose_times(&mut self, lambda: &[f64], product: &mut [f64]);
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// sum += factor · a
fn add(sum: &mut [f64], factor: f64, a: &[f64]) {
    sum.iter_mut().zip(a).for_each(|(sum, a)| *sum += factor * a);
}

/// b := a + factor · b
fn follow(b: &mut [f64], factor: f64, a: &[f64]) {
    b.iter_mut().zip(a).for_each(|(b, a)| *b = a + factor * *b);
}

impl Solver {
    /// Allocates for this many rows and degrees of freedom.
    pub(super) fn resize(&mut self, rows: usize, freedoms: usize) {
        for vector in [&mut self.lambda, &mut self.residual, &mut self.way_lambda, &mut self.product] {
            vector.resize(rows, 0.0);
        }
        for vector in [&mut self.y, &mut self.back, &mut self.way] {
            vector.resize(freedoms, 0.0);
        }
    }

    /// Computes the solution into `lambda` and `y`.
    pub(super) fn solve(&mut self, operator: &mut impl Operator, right: &[f64]) -> Solution {
        self.lambda.fill(0.0);
        self.y.fill(0.0);
        self.residual.copy_from_slice(right);
        self.way_lambda.copy_from_slice(right);
        operator.transpose_times(&self.residual, &mut self.back);
        self.way.copy_from_slice(&self.back);
        let mut square = dot(&self.back, &self.back);
        let asked = dot(right, right).sqrt();
        let mut solution = Solution { asked, residual: asked, ..Solution::default() };
        // Lower bound of |B| from the products so far.
        let mut norm = 0.0_f64;
        let Limits { tolerance, rank, turns_per_row } = self.limits;
        let most = turns_per_row * right.len() + 10;
        while solution.residual > tolerance * asked {
            if square.sqrt() <= rank * norm.max(f64::MIN_POSITIVE) * solution.residual {
                solution.contradictory = true;
                break;
            }
            if solution.iterations == most {
                solution.capped = true;
                break;
            }
            solution.iterations += 1;
            operator.times(&self.way, &mut self.product);
            let (stretched, length) = (dot(&self.product, &self.product), dot(&self.way, &self.way));
            if stretched == 0.0 {
                solution.contradictory = true;
                break;
            }
            norm = norm.max((stretched / length).sqrt());
            let step = square / stretched;
            add(&mut self.y, step, &self.way);
            add(&mut self.lambda, step, &self.way_lambda);
            add(&mut self.residual, -step, &self.product);
            solution.residual = dot(&self.residual, &self.residual).sqrt();
            operator.transpose_times(&self.residual, &mut self.back);
            let next = dot(&self.back, &self.back);
            let keep = next / square;
            follow(&mut self.way, keep, &self.back);
            follow(&mut self.way_lambda, keep, &self.residual);
            square = next;
        }
        solution
    }
}
