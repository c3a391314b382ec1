//! Settings of the simulation of articulated bodies.

use super::lcp::Tolerance;

/// Formulation of contact friction ([Kokkevis 2004] §8.1, eqs 19-21).
#[doc(alias = "friction cone")]
#[doc(alias = "friction pyramid")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Friction {
    /// Coulomb's cone: |f_t| ≤ μ f_n, two tangents.
    Cone,
    /// Two independent tangents: |f₁|, |f₂| ≤ μ f_n; up to 1.41 μ on the diagonal.
    Pyramid,
    /// Six conditions for each contact: four directions and one λ; down to 0.707 μ on the diagonal.
    SixConditions,
    /// Three conditions for each contact: one tangent, chosen by the rule of the paper. New contacts that do
    /// not slide get a random one, from `seed`.
    OneTangent {
        /// Seed of the random tangent direction.
        seed: u64,
    },
}

/// How a step that ends in penetration is shortened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backtracking {
    /// By repeated halving ([Kokkevis 2004] §7).
    Halving,
    /// To the time at which the gap closes at its present rate.
    Predicted,
}

/// Solver settings for contacts, joint limits and motions of a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArticulatedSettings {
    /// Stopping criterion for forces; the residual in m/s² (or rad/s²).
    pub stop: Tolerance,
    /// Stopping criterion for impulses at impacts; the residual in m/s (or rad/s).
    pub impact_stop: Tolerance,
    /// Formulation of friction.
    pub friction: Friction,
    /// Number of substeps that a step is divided into.
    pub substeps: usize,
    /// How a step returns to the time of an impact.
    pub backtracking: Backtracking,
    /// Largest number of halvings of a step, which also bounds its shortening.
    pub halvings: u32,
    /// Gaps up to this count as contact, and overlaps up to this are not corrected, m.
    #[doc(alias = "slop")]
    pub tolerance: f64,
    /// Gaps and overlaps up to this count as contact of joint limits, rad or m.
    pub limit_tolerance: f64,
    /// Arrivals slower than this are stopped without an impact, m/s or rad/s.
    pub resting_speed: f64,
    /// Share of an overlap that is corrected in each step.
    #[doc(alias = "ERP")]
    pub recovery: f64,
    /// Largest speed of the correction of an overlap, m/s or rad/s.
    pub recovery_speed: f64,
    /// Coefficient of restitution of joint limits, 0 to 1.
    pub limit_restitution: f64,
    /// Whether bodies of one system can collide with each other.
    pub self_contact: bool,
}

impl Default for ArticulatedSettings {
    fn default() -> Self {
        ArticulatedSettings {
            stop: Tolerance { iterations: 50, residual: 1e-3 },
            impact_stop: Tolerance { iterations: 100, residual: 1e-5 },
            friction: Friction::Cone,
            substeps: 1,
            backtracking: Backtracking::Predicted,
            halvings: 6,
            tolerance: 5e-5,
            limit_tolerance: 1e-4,
            resting_speed: 0.01,
            recovery: 0.2,
            recovery_speed: 1.0,
            limit_restitution: 0.0,
            self_contact: true,
        }
    }
}
