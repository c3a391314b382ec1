//! QP solvers behind one trait, [`QpSolver`].

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
    /// Number of iterations that the solver made.
    pub iterations: u32,
}

/// Why there is no solution.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QpError {
    /// The listed limits cannot hold together; their positive weights are a Farkas certificate.
    #[error("the constraints are infeasible")]
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
    /// The problem has an entry that is NaN or infinite.
    #[error("not a number in the {place}")]
    NonFinite {
        /// Name of the entry.
        place: String,
    },
    /// The cost is unbounded below in a direction that all constraints allow.
    #[error("the cost has no lower bound")]
    Unbounded,
    /// P is not positive definite, or rounding errors are too large for the method.
    #[error("numerical failure: {detail}")]
    Numerical {
        /// Message of the solver.
        detail: String,
    },
}

/// A QP solver. It keeps its memory between calls and may start from its previous solution.
pub trait QpSolver: Send + CloneSolver {
    /// Name of the solver in scene files.
    fn name(&self) -> &'static str;

    /// Solves `qp` into `solution`, whose memory is reused.
    ///
    /// # Errors
    ///
    /// If the constraints are infeasible, the cost has no minimum, the iteration limit is reached, or
    /// an entry is not finite. `solution` is then undefined.
    fn solve(&mut self, qp: &Qp, solution: &mut QpSolution) -> Result<(), QpError>;

    /// Discards the state of earlier problems.
    fn reset(&mut self);

    /// Limits the iterations of the next problem further. Solvers that need few iterations ignore this.
    fn grant(&mut self, _iterations: u32) {}

    /// Iterations of the last problem, whether solved or not; 0 for solvers that need few.
    fn spent(&self) -> u32 {
        0
    }
}

/// Cloning of a boxed solver. Every solver that is `Clone` implements it.
pub trait CloneSolver {
    /// A copy with the same memory of earlier problems.
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

/// The default solver of scenes.
pub const DEFAULT: &str = "active_set";

/// Name and one sentence of every solver, whether built in or not.
pub fn list() -> &'static [(&'static str, &'static str)] {
    &[
        ("active_set", "Dense dual active set; exact, starts where the last frame ended, fast."),
        ("clarabel", "Interior point; exact, the reference."),
        ("osqp", "Operator splitting; built with `--features osqp` (needs cmake)."),
    ]
}

/// The error of a name that is not a solver of this build.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum UnknownSolver {
    /// No solver has this name.
    #[error("there is no solver `{0}`")]
    Unknown(String),
    /// The solver exists, but this build was made without it.
    #[error("this build has no `{0}`: build it with `cargo run --release --features {0} -- …`")]
    NotBuilt(&'static str),
}

/// A new solver of that name.
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

/// A new solver for a second opinion where another one finds no solution: Clarabel if it is built in,
/// otherwise the active-set method without a warm start.
pub fn reference() -> Box<dyn QpSolver> {
    #[cfg(feature = "clarabel")]
    return Box::new(Clarabel::default());
    #[cfg(not(feature = "clarabel"))]
    Box::new(ActiveSet::default())
}
