//! QP solvers behind one trait.

use crate::qp::{Limit, Qp};

/// A solution with its multipliers. Sign convention: at the optimum
/// `P x + g = Eᵀ equality + Cᵀ rows + bounds`, where a multiplier of a lower limit is ≥ 0 and of an upper
/// limit ≤ 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QpSolution {
    pub x: Vec<f64>,
    pub equality: Vec<f64>,
    pub rows: Vec<f64>,
    pub bounds: Vec<f64>,
    pub iterations: u32,
}

/// Why there is no solution.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QpError {
    /// The limits listed (with positive weights of a Farkas certificate) cannot hold together.
    #[error("the constraints contradict each other")]
    Infeasible { certificate: Vec<(Limit, f64)> },
    #[error("no solution after {iterations} iterations")]
    IterationLimit { iterations: u32 },
    #[error("not a number in the {place}")]
    NonFinite { place: String },
    /// P is not positive definite, or rounding defeated the method.
    #[error("numerical failure: {detail}")]
    Numerical { detail: String },
}

/// A solver keeps its memory, and may start from its previous solution, between calls.
pub trait QpSolver: Send {
    fn name(&self) -> &'static str;

    /// Solves `qp` into `solution`, whose memory is reused.
    fn solve(&mut self, qp: &Qp, solution: &mut QpSolution) -> Result<(), QpError>;

    /// Forgets anything learnt from earlier problems.
    fn reset(&mut self);
}
