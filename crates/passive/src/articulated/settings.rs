//! What a user may choose about a simulation.

use super::lcp::Tolerance;

/// How friction of a contact is written ([Kokkevis 2004] §8.1, eqs 19-21).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Friction {
    /// Coulomb's cone: |f_t| ≤ μ f_n, two tangents.
    Cone,
    /// Each of two tangents for itself: |f₁|, |f₂| ≤ μ f_n; up to 1.41 μ on the diagonal.
    Pyramid,
    /// Six conditions a contact: four directions and one λ; down to 0.707 μ on the diagonal.
    SixConditions,
    /// Three conditions a contact: one tangent, chosen by the rule of the paper. New contacts that do not slide
    /// get one drawn from `seed`.
    OneTangent {
        /// Seed of the random tangent direction.
        seed: u64,
    },
}

/// How a step that ends in penetration is shortened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backtracking {
    /// By half, again and again ([Kokkevis 2004] §7).
    Halving,
    /// To the time at which the gap would close at its present rate.
    Predicted,
}

/// How contacts, joint limits and motions of a world are solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// When to stop looking for better forces; the residual in m/s² (or rad/s²).
    pub stop: Tolerance,
    /// When to stop looking for better impulses at impacts; the residual in m/s (or rad/s).
    pub impact_stop: Tolerance,
    /// How friction is written.
    pub friction: Friction,
    /// Parts a step is divided into from the outset.
    pub substeps: usize,
    /// How a step goes back to the time of an impact.
    pub backtracking: Backtracking,
    /// A step may be halved this many times, or shortened to as small a part.
    pub halvings: u32,
    /// Gaps this small count as contact, and overlaps this small are let be, m.
    pub tolerance: f64,
    /// Gaps and overlaps this small at joint limits count as reached, rad or m.
    pub limit_tolerance: f64,
    /// Slower arrivals than this are stopped without an impact, m/s or rad/s.
    pub resting_speed: f64,
    /// Part of an overlap that is taken back in each step.
    pub recovery: f64,
    /// Fastest at which an overlap is taken back, m/s or rad/s.
    pub recovery_speed: f64,
    /// Bounce of joints at their limits, 0 to 1.
    pub limit_restitution: f64,
    /// Whether bodies of one system can touch each other.
    pub self_contact: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
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
