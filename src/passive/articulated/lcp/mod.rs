//! Mixed linear complementarity problems `w = K z + q` with friction ([Kokkevis 2004] §6, eqs 16-21), and the
//! iterative method that solves them.

mod finish;
mod friction;
mod gauss_seidel;

pub use finish::Finish;
pub use friction::FrictionSet;
pub use gauss_seidel::{Effort, Stop, solve};

/// What a force z and the violation w of its constraint have to do with each other. The indices are rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// w = 0, z free.
    Bilateral,
    /// z ≥ 0 complementary to w ≥ 0 (eq. 16).
    Unilateral,
    /// lower ≤ z ≤ upper; w = 0 in between, w ≥ 0 at the lower end and w ≤ 0 at the upper: a bilateral constraint
    /// whose force is limited.
    Between {
        lower: f64,
        upper: f64,
    },
    /// A force along one tangent, of a contact whose normal force is that of row `normal`.
    Tangent {
        normal: usize,
        coefficient: f64,
        both_ways: bool,
    },
    /// The first of two tangential forces; the second is the next row, whose law is [`Law::SecondTangent`].
    TangentPair {
        normal: usize,
        coefficient: f64,
        set: FrictionSet,
    },
    SecondTangent,
}

/// K, symmetric and positive semidefinite, whose rows may be computed when first asked for.
pub trait Matrix {
    fn diagonal(&self, row: usize) -> f64;
    fn entry(&mut self, row: usize, column: usize) -> f64;
    fn row(&mut self, row: usize) -> &[f64];
}

/// K as it stands.
impl Matrix for crate::matrix::RowMatrix {
    fn diagonal(&self, row: usize) -> f64 {
        crate::matrix::RowMatrix::row(self, row)[row]
    }

    fn entry(&mut self, row: usize, column: usize) -> f64 {
        crate::matrix::RowMatrix::row(self, row)[column]
    }

    fn row(&mut self, row: usize) -> &[f64] {
        crate::matrix::RowMatrix::row(self, row)
    }
}
