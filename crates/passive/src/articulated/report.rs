//! How a step went.

/// How a step went.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Report {
    /// Parts of the step that were taken.
    pub substeps: usize,
    /// Attempts that were too long.
    pub backtracks: usize,
    /// Times at which velocities jumped.
    pub impacts: usize,
    /// Simulated times of the first and the last of them, s.
    pub first_impact: Option<f64>,
    /// Residual of the last impact solve, m/s (or rad/s); `None` without an impact.
    pub last_impact: Option<f64>,
    /// Constraints of the last part.
    pub constraints: usize,
    /// Sweeps of the solver, all parts and impacts together.
    pub iterations: usize,
    /// Worst that was left of a constraint on accelerations, m/s² or rad/s²; of a part of a step as much less as it
    /// is shorter.
    pub residual: f64,
    /// Worst that was left of an impact, m/s or rad/s.
    pub impact_residual: f64,
    /// Deepest overlap at the end of the step, m.
    pub overlap: f64,
}
