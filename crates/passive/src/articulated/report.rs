//! Statistics of a step.

/// Statistics of a step.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Report {
    /// Number of substeps taken.
    pub substeps: usize,
    /// Number of attempts that were shortened.
    #[doc(alias = "backtracking")]
    pub backtracks: usize,
    /// Number of impacts.
    pub impacts: usize,
    /// Simulated time of the first impact of the step, s; `None` without an impact.
    pub first_impact: Option<f64>,
    /// Simulated time of the last impact of the step, s; `None` without an impact.
    pub last_impact: Option<f64>,
    /// Number of constraints of the last substep.
    pub constraints: usize,
    /// Number of solver sweeps of all substeps and impacts.
    pub iterations: usize,
    /// Largest residual of a constraint on accelerations, m/s² or rad/s²; that of a substep is scaled by its
    /// length.
    pub residual: f64,
    /// Largest residual of an impact, m/s or rad/s.
    pub impact_residual: f64,
    /// Largest overlap at the end of the step, m.
    #[doc(alias = "penetration depth")]
    pub overlap: f64,
}
