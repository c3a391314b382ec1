//! Mixed linear complementarity problems `w = K z + q` with friction ([Kokkevis 2004] §6, eqs 16-21), and the
//! iterative method that solves them.

mod friction;
mod gauss_seidel;
mod subspace;

pub use friction::FrictionSet;
pub(crate) use gauss_seidel::settled;
pub use gauss_seidel::{GaussSeidelStats, Tolerance, solve};
pub use subspace::SubspaceMinimization;

/// The relation between a force z and the violation w of its constraint. Indices are those of rows.
#[doc(alias = "complementarity condition")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// w = 0, z free.
    Bilateral,
    /// z ≥ 0 complementary to w ≥ 0 (eq. 16).
    Unilateral,
    /// lower ≤ z ≤ upper; w = 0 in between, w ≥ 0 at the lower end and w ≤ 0 at the upper: a bilateral
    /// constraint whose force is limited.
    Between {
        /// Smallest force, N or N m (N s or N m s at impacts).
        lower: f64,
        /// Largest force, N or N m (N s or N m s at impacts).
        upper: f64,
    },
    /// A force along one tangent of a contact; row `normal` has the normal force.
    Tangent {
        /// Row of the normal force.
        normal: usize,
        /// Coefficient of friction, dimensionless.
        coefficient: f64,
        /// Whether the force may act along the tangent in both directions.
        both_ways: bool,
    },
    /// The first of two tangential forces; the second is the next row, whose law is [`Law::SecondTangent`].
    TangentPair {
        /// Row of the normal force.
        normal: usize,
        /// Coefficient of friction, dimensionless.
        coefficient: f64,
        /// Set of tangential forces that friction allows.
        set: FrictionSet,
    },
    /// The second of two tangential forces; its law is that of the row before.
    SecondTangent,
}

/// K, symmetric and positive semidefinite, and the effect of changes of z. An implementation may defer the
/// update of w, as long as `violation` includes it.
pub trait Matrix {
    /// The diagonal element of `row`.
    fn diagonal(&self, row: usize) -> f64;
    /// The element of a row in the next column.
    fn beside(&self, row: usize) -> f64;
    /// w of a row, with all changes included.
    fn violation(&self, row: usize, w: &[f64]) -> f64;
    /// Changes z of a row by this amount.
    fn change(&mut self, row: usize, by: f64, w: &mut [f64]);
    /// Applies deferred changes to w.
    fn settle(&mut self, w: &mut [f64]);
    /// `out` = K x of these rows and columns.
    fn multiply(&mut self, rows: &[usize], x: &[f64], out: &mut [f64]);
}

/// K as an explicit matrix.
impl Matrix for aplomb_math::matrix::RowMatrix {
    fn diagonal(&self, row: usize) -> f64 {
        self.row(row)[row]
    }

    fn beside(&self, row: usize) -> f64 {
        self.row(row)[row + 1]
    }

    fn violation(&self, row: usize, w: &[f64]) -> f64 {
        w[row]
    }

    fn change(&mut self, row: usize, by: f64, w: &mut [f64]) {
        w.iter_mut().zip(self.row(row)).for_each(|(w, k)| *w += k * by);
    }

    fn settle(&mut self, _: &mut [f64]) {}

    fn multiply(&mut self, rows: &[usize], x: &[f64], out: &mut [f64]) {
        for (row, out) in rows.iter().zip(out) {
            let entries = self.row(*row);
            *out = rows.iter().zip(x).map(|(column, x)| entries[*column] * x).sum();
        }
    }
}
