//! What came out of a frame, and how long it took.

use crate::trace::Outcome;
use std::time::Duration;

/// What came out of a frame.
#[derive(Clone, Debug, Default)]
pub struct Synthesis {
    /// x = [v⁺ ; l ; ρ]; v⁺ alone in a failed frame.
    pub unknowns: Vec<f64>,
    pub outcome: Outcome,
    /// w‖r‖² by objective of the trace.
    pub costs: Vec<f64>,
    /// Distance of followed goals from their moving targets, m or rad, by objective of the trace.
    pub distances: Vec<Option<f64>>,
    /// Muscle torque per velocity coordinate, N m.
    pub torque: Vec<f64>,
    /// Reaction of the stops per velocity coordinate, N m.
    pub stop_reaction: Vec<f64>,
    pub iterations: u32,
    pub timing: Timing,
}

impl Synthesis {
    /// Whether the frame has unknowns to go on with, as they were asked for or with rows that gave way.
    pub fn has_solution(&self) -> bool {
        !matches!(self.outcome, Outcome::Failed { .. })
    }
}

/// Where a frame's time went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timing {
    pub assemble: Duration,
    pub solve: Duration,
}

impl std::ops::Add for Timing {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Timing { assemble: self.assemble + other.assemble, solve: self.solve + other.solve }
    }
}
