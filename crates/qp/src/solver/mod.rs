//! QP solvers behind one trait.

use crate::{Limit, Qp};

/// A solution with its multipliers. Sign convention: at the optimum
/// `P x + g = Eᵀ equality + Cᵀ rows + bounds`, where a multiplier of a lower limit is ≥ 0 and of an upper
/// limit ≤ 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QpSolution {
    /// Unknowns at the optimum, n numbers.
    pub x: Vec<f64>,
    /// Multipliers of the equalities, one per row of E.
    pub equality: Vec<f64>,
    /// Multipliers of the inequalities, one per row of C.
    pub rows: Vec<f64>,
    /// Multipliers of the bounds, n numbers.
    pub bounds: Vec<f64>,
    /// Number of iterations of the solver.
    pub iterations: u32,
}

/// Why there is no solution.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QpError {
    /// The limits listed (with positive weights of a Farkas certificate) cannot hold together.
    #[error("the constraints contradict each other")]
    Infeasible {
        /// Limits that contradict each other, with the positive weights of a Farkas certificate.
        certificate: Vec<(Limit, f64)>,
    },
    /// The solver stopped before it met its tolerance.
    #[error("no solution after {iterations} iterations")]
    IterationLimit {
        /// Number of iterations made.
        iterations: u32,
    },
    /// The problem holds NaN or an infinite number.
    #[error("not a number in the {place}")]
    NonFinite {
        /// Which part of the problem it is in.
        place: String,
    },
    /// The cost falls without end along some direction that all constraints allow.
    #[error("the cost has no lower bound")]
    Unbounded,
    /// P is not positive definite, or rounding defeated the method.
    #[error("numerical failure: {detail}")]
    Numerical {
        /// What the solver says.
        detail: String,
    },
}

/// A solver keeps its memory, and may start from its previous solution, between calls.
pub trait QpSolver: Send + CloneSolver {
    /// Name of the solver in scene files.
    fn name(&self) -> &'static str;

    /// Solves `qp` into `solution`, whose memory is reused.
    ///
    /// # Errors
    ///
    /// If the constraints contradict each other, the cost has no minimum, the iteration limit is reached, or numbers
    /// are not finite. `solution` is then of no use.
    fn solve(&mut self, qp: &Qp, solution: &mut QpSolution) -> Result<(), QpError>;

    /// Forgets anything learnt from earlier problems.
    fn reset(&mut self);

    /// Gives up sooner than it would on the next problem, after so many iterations. Solvers whose iterations are few
    /// pay no heed.
    fn grant(&mut self, _iterations: u32) {}

    /// Iterations that the last problem took, solved or not, where they can be many.
    fn spent(&self) -> u32 {
        0
    }
}

/// Copies of solvers behind a pointer. Every solver that is `Clone` has them.
pub trait CloneSolver {
    /// A solver that has learnt the same.
    fn boxed_clone(&self) -> Box<dyn QpSolver>;
}

impl<T: QpSolver + Clone + 'static> CloneSolver for T {
    fn boxed_clone(&self) -> Box<dyn QpSolver> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn QpSolver> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}

mod active_set;
#[cfg(feature = "clarabel")]
mod clarabel;
#[cfg(feature = "osqp")]
mod osqp;
#[cfg(any(feature = "clarabel", feature = "osqp"))]
mod polish;

pub use active_set::ActiveSet;
#[cfg(feature = "clarabel")]
pub use clarabel::Clarabel;
#[cfg(feature = "osqp")]
pub use osqp::Osqp;

/// The solver used where none is named.
pub const DEFAULT: &str = "active_set";

/// Names of all solvers, whether built in or not, with one sentence each.
pub fn list() -> &'static [(&'static str, &'static str)] {
    &[
        ("active_set", "Dense dual active set; exact, starts where the last frame ended, fast."),
        ("clarabel", "Interior point; exact, the reference."),
        ("osqp", "Operator splitting; built with `--features osqp` (needs cmake)."),
    ]
}

/// A name that is no solver of this build.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum UnknownSolver {
    /// No solver has this name.
    #[error("there is no solver `{0}`")]
    Unknown(String),
    /// The solver exists, but this build was made without it.
    #[error("this build has no `{0}`: build it with `cargo run --release --features {0} -- …`")]
    NotBuilt(&'static str),
}

/// A fresh solver of that name.
///
/// # Errors
///
/// If no solver has that name, or this build was made without it.
pub fn by_name(name: &str) -> Result<Box<dyn QpSolver>, UnknownSolver> {
    match name {
        "active_set" => Ok(Box::new(ActiveSet::default())),
        #[cfg(feature = "clarabel")]
        "clarabel" => Ok(Box::new(Clarabel::default())),
        #[cfg(not(feature = "clarabel"))]
        "clarabel" => Err(UnknownSolver::NotBuilt("clarabel")),
        #[cfg(feature = "osqp")]
        "osqp" => Ok(Box::new(Osqp::default())),
        #[cfg(not(feature = "osqp"))]
        "osqp" => Err(UnknownSolver::NotBuilt("osqp")),
        other => Err(UnknownSolver::Unknown(other.into())),
    }
}

/// A fresh solver whose word counts where another one finds nothing: Clarabel, where it is built in, else the
/// active-set method without memory of earlier problems.
pub fn reference() -> Box<dyn QpSolver> {
    #[cfg(feature = "clarabel")]
    return Box::new(Clarabel::default());
    #[cfg(not(feature = "clarabel"))]
    Box::new(ActiveSet::default())
}
