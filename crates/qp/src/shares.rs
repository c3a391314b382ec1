//! The contribution of each cost and each limit of a problem to its solution.
//!
//! On the active set of a solution the optimality conditions are linear in the gradient and in the values of
//! the active limits. With x₀ any point, and A x = a the active limits,
//!
//! ```text
//! P y + Σᵢ ∇cᵢ(x₀) = Aᵀ μ,   A y = a − A x₀,   y = x − x₀
//! ```
//!
//! so that y is the sum of what follows from each ∇cᵢ(x₀) alone and from each active limit alone. A limit
//! that x₀ meets exactly contributes nothing: it only affects the contributions of the others.

use crate::solver::{QpError, QpSolution};
use crate::{Limit, Qp};
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// A column whose part orthogonal to those before is below this share of it depends on them.
const DEPENDENT: f64 = 1e-9;

/// The shares of a solution's costs and limits: x₀ plus all shares is x.
#[doc(alias = "sensitivity")]
#[doc(alias = "KKT")]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shares {
    /// Share of each cost that was given, n numbers each.
    pub costs: Vec<Vec<f64>>,
    /// Share of each active limit, in the order equalities, rows, bounds.
    pub limits: Vec<LimitShare>,
    /// Share of the gradient at x₀ that the given costs do not explain.
    pub rest: Vec<f64>,
}

/// The share of an active limit.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitShare {
    /// The limit.
    pub limit: Limit,
    /// Its multiplier, with the sign of [`QpSolution`].
    pub multiplier: f64,
    /// Its share of x − x₀, n numbers.
    pub share: Vec<f64>,
}

/// The active limits of a solution, as an orthogonal basis of their normals in the metric of P.
struct Face {
    /// L of P = L Lᵀ.
    cholesky: Cholesky<f64, Dyn>,
    /// Active limits that do not depend on those before, with their multipliers and values less A x₀.
    limits: Vec<(Limit, f64, f64)>,
    /// Q of L⁻¹ Aᵀ = Q R.
    basis: DMatrix<f64>,
    /// R.
    triangle: DMatrix<f64>,
}

impl Qp {
    /// The shares of the costs whose gradients at `from` = x₀ are given, and of the limits that are active at
    /// `solution`.
    ///
    /// # Errors
    /// If P is not positive definite.
    pub fn shares(
        &self,
        solution: &QpSolution,
        from: &[f64],
        gradients: &[Vec<f64>],
    ) -> Result<Shares, QpError> {
        let face = Face::new(self, solution, from)?;
        let mut rest = self.gradient_at(from);
        for gradient in gradients {
            rest.iter_mut().zip(gradient).for_each(|(rest, g)| *rest -= g);
        }
        let limits = face.limits.iter().enumerate().map(|(k, &(limit, multiplier, _))| LimitShare {
            limit,
            multiplier,
            share: face.of_limit(k),
        });
        Ok(Shares {
            costs: gradients.iter().map(|gradient| face.of_gradient(gradient)).collect(),
            limits: limits.collect(),
            rest: face.of_gradient(&rest),
        })
    }

    /// dx/d ln wᵢ = y with P y + ∇cᵢ(x) = Aᵀ μ, A y = 0: the derivative of the solution with respect to the
    /// weight of each cost whose gradient at the solution is given, as long as the same limits are active.
    ///
    /// # Errors
    /// See [`Qp::shares`].
    pub fn weight_slopes(
        &self,
        solution: &QpSolution,
        gradients: &[Vec<f64>],
    ) -> Result<Vec<Vec<f64>>, QpError> {
        let face = Face::new(self, solution, &solution.x)?;
        Ok(gradients.iter().map(|gradient| face.of_gradient(gradient)).collect())
    }

    /// P x + g.
    pub(crate) fn gradient_at(&self, x: &[f64]) -> Vec<f64> {
        (0..self.size()).map(|i| self.hessian.dot(i, x) + self.gradient[i]).collect()
    }
}

impl Face {
    fn new(qp: &Qp, solution: &QpSolution, from: &[f64]) -> Result<Self, QpError> {
        let n = qp.size();
        let hessian = DMatrix::from_row_slice(n, n, qp.hessian.as_slice());
        let cholesky = Cholesky::new(hessian)
            .ok_or_else(|| QpError::Numerical { detail: "the Hessian is not positive definite".into() })?;
        let active = active(qp, solution);
        let (mut limits, mut basis) = (Vec::new(), Vec::<DVector<f64>>::new());
        let mut triangle = DMatrix::zeros(active.len(), active.len());
        for (limit, multiplier) in active {
            let (normal, value) = normal_of(qp, limit);
            let missing = value - normal.iter().zip(from).map(|(a, x)| a * x).sum::<f64>();
            let mut column = cholesky.l_dirty().solve_lower_triangular(&normal).unwrap_or(normal);
            let length = column.norm();
            let k = basis.len();
            // Twice: one pass leaves rounding errors when normals are nearly dependent.
            for _ in 0..2 {
                for (j, known) in basis.iter().enumerate() {
                    let along: f64 = known.dot(&column);
                    column.axpy(-along, known, 1.0);
                    triangle[(j, k)] += along;
                }
            }
            let left = column.norm();
            if left <= DEPENDENT * length {
                triangle.column_mut(k).fill(0.0);
                continue;
            }
            triangle[(k, k)] = left;
            basis.push(column / left);
            limits.push((limit, multiplier, missing));
        }
        let count = basis.len();
        let basis = if basis.is_empty() { DMatrix::zeros(n, 0) } else { DMatrix::from_columns(&basis) };
        Ok(Face { cholesky, limits, basis, triangle: triangle.view((0, 0), (count, count)).into_owned() })
    }

    /// y with P y + g = Aᵀ μ, A y = 0.
    fn of_gradient(&self, gradient: &[f64]) -> Vec<f64> {
        let g = -DVector::from_column_slice(gradient);
        let mut y = self.cholesky.l_dirty().solve_lower_triangular(&g).unwrap_or(g);
        for _ in 0..2 {
            let along = self.basis.tr_mul(&y);
            y.gemv(-1.0, &self.basis, &along, 1.0);
        }
        self.back(y)
    }

    /// y with P y = Aᵀ μ and A y = the residual of the k-th limit, 0 for all others.
    fn of_limit(&self, k: usize) -> Vec<f64> {
        let mut missing = DVector::zeros(self.limits.len());
        missing[k] = self.limits[k].2;
        let along = self.triangle.tr_solve_upper_triangular(&missing).unwrap_or(missing);
        self.back(&self.basis * along)
    }

    fn back(&self, y: DVector<f64>) -> Vec<f64> {
        let back = self.cholesky.l_dirty().tr_solve_lower_triangular(&y).unwrap_or(y);
        back.as_slice().to_vec()
    }
}

/// The equalities, and the limits with a multiplier.
fn active(qp: &Qp, solution: &QpSolution) -> Vec<(Limit, f64)> {
    let equalities = solution.equality.iter().enumerate().map(|(k, m)| (Limit::Equality(k), *m));
    let side = |multiplier: f64, lower: Limit, upper: Limit| match multiplier {
        m if m > 0.0 => Some((lower, m)),
        m if m < 0.0 => Some((upper, m)),
        _ => None,
    };
    let rows = solution.rows.iter().enumerate();
    let rows = rows.filter_map(|(k, m)| side(*m, Limit::RowLower(k), Limit::RowUpper(k)));
    let bounds = solution.bounds.iter().enumerate();
    let bounds = bounds.filter_map(|(k, m)| side(*m, Limit::Lower(k), Limit::Upper(k)));
    equalities.take(qp.equality.rows()).chain(rows).chain(bounds).collect()
}

/// Coefficients and value of a limit.
fn normal_of(qp: &Qp, limit: Limit) -> (DVector<f64>, f64) {
    let row = |row: &[f64], value| (DVector::from_column_slice(row), value);
    let unit = |column: usize, value| {
        let mut normal = DVector::zeros(qp.size());
        normal[column] = 1.0;
        (normal, value)
    };
    match limit {
        Limit::Equality(k) => row(qp.equality.row(k), qp.equality_value[k]),
        Limit::RowLower(k) => row(qp.rows.row(k), qp.rows_lower[k]),
        Limit::RowUpper(k) => row(qp.rows.row(k), qp.rows_upper[k]),
        Limit::Lower(k) => unit(k, qp.lower[k]),
        Limit::Upper(k) => unit(k, qp.upper[k]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{ActiveSet, QpSolver};
    use crate::{Label, Origin, RowKind, RowLabel};

    fn label(name: &str) -> RowLabel {
        Label { kind: RowKind::Other, name: name.into(), unit: "1", origin: Origin::default() }
    }

    /// Two costs, an equality (twice), and an active bound.
    fn problem() -> (Qp, [(f64, [f64; 3], f64); 2]) {
        let costs = [(1.0, [1.0, 2.0, 0.5], -3.0), (0.25, [-1.0, 0.5, 1.0], 2.0)];
        let mut qp = Qp::default();
        qp.reset(3);
        for (weight, a, b) in costs {
            qp.add_squares(weight, &a, &[b]);
        }
        (0..3).for_each(|k| qp.add_regularisation(k, 1e-3));
        qp.push_equality(&[1.0, 1.0, 0.0], -1.0, 1.0, &label("sum"));
        qp.push_equality(&[1.0, 1.0, 0.0], -1.0, 2.0, &label("sum again"));
        qp.lower[2] = -0.5;
        qp.complete();
        (qp, costs)
    }

    #[test]
    fn shares_and_the_starting_point_add_up_to_the_solution() {
        let (qp, costs) = problem();
        let mut solution = QpSolution::default();
        ActiveSet::default().solve(&qp, &mut solution).unwrap();
        let from = [0.3, -0.2, 0.1];
        let gradients: Vec<Vec<f64>> = costs
            .iter()
            .map(|(weight, a, b)| {
                let error = a.iter().zip(from).map(|(a, x)| a * x).sum::<f64>() + b;
                a.iter().map(|a| 2.0 * weight * error * a).collect()
            })
            .collect();
        let shares = qp.shares(&solution, &from, &gradients).unwrap();
        assert_eq!(shares.costs.len(), 2);
        let limits: Vec<Limit> = shares.limits.iter().map(|share| share.limit).collect();
        assert_eq!(
            limits,
            [Limit::Equality(0), Limit::Lower(2)],
            "the equality that says nothing new has none"
        );
        for k in 0..3 {
            let of_limits: f64 = shares.limits.iter().map(|limit| limit.share[k]).sum();
            let of_costs: f64 = shares.costs.iter().map(|share| share[k]).sum();
            let sum = from[k] + of_limits + of_costs + shares.rest[k];
            assert!((sum - solution.x[k]).abs() < 1e-12, "{k}: {sum} is not {}", solution.x[k]);
        }
        // The contributions of costs satisfy the limits.
        for share in shares.costs.iter().chain([&shares.rest]) {
            assert!((share[0] + share[1]).abs() < 1e-12 && share[2].abs() < 1e-12, "{share:?}");
        }
    }

    #[test]
    fn a_solution_moves_with_a_weight_as_its_slope_says() {
        let solved = |weight: f64| {
            let mut qp = Qp::default();
            qp.reset(2);
            qp.add_squares(weight, &[1.0, 0.0], &[-1.0]);
            qp.add_squares(1.0, &[1.0, 1.0, 0.5, -1.0], &[0.0, 0.3]);
            qp.push_equality(&[1.0, 2.0], -1.0, 1.0, &label("sum"));
            qp.complete();
            let mut solution = QpSolution::default();
            ActiveSet::default().solve(&qp, &mut solution).unwrap();
            (qp, solution)
        };
        let (qp, solution) = solved(0.5);
        let gradient = vec![2.0 * 0.5 * (solution.x[0] - 1.0), 0.0];
        let slope = &qp.weight_slopes(&solution, &[gradient]).unwrap()[0];
        let step = 1e-5;
        let [more, less] = [step, -step].map(|step: f64| solved(0.5 * step.exp()).1.x);
        for k in 0..2 {
            let change = (more[k] - less[k]) / (2.0 * step);
            assert!((slope[k] - change).abs() < 1e-8 && change != 0.0, "{k}: {} is not {change}", slope[k]);
        }
    }

    #[test]
    fn a_problem_without_limits_is_all_costs() {
        let mut qp = Qp::default();
        qp.reset(1);
        qp.add_squares(1.0, &[1.0], &[-2.0]);
        qp.add_squares(3.0, &[1.0], &[2.0]);
        qp.complete();
        let mut solution = QpSolution::default();
        ActiveSet::default().solve(&qp, &mut solution).unwrap();
        let shares = qp.shares(&solution, &[0.0], &[vec![-4.0], vec![12.0]]).unwrap();
        let known = [(shares.costs[0][0], 0.5), (shares.costs[1][0], -1.5), (solution.x[0], -1.0)];
        known.iter().for_each(|(is, right)| assert!((is - right).abs() < 1e-15, "{is} is not {right}"));
        assert_eq!(shares.rest[0], 0.0);
        qp.reset(1);
        assert!(qp.shares(&solution, &[0.0], &[]).is_err(), "a cost that is flat");
    }
}
