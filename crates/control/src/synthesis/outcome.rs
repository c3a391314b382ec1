//! What came out of a frame, and how long it took.

use crate::synthesis::{ConflictRow, Outcome};
use aplomb_qp::{LimitKind, RowKind, UnknownKind};
use std::time::Duration;

/// What came out of a frame.
#[derive(Clone, Debug, Default)]
pub struct Synthesis {
    /// x = [v⁺ ; l ; ρ]; v⁺ alone in a failed frame.
    pub unknowns: Vec<f64>,
    /// How the frame's QP ended.
    pub outcome: Outcome,
    /// Limits in the contradiction of a frame that could not be solved as it stood.
    pub conflict: Vec<LimitKind>,
    /// The fewest rows of that contradiction, for records.
    pub conflict_rows: Vec<ConflictRow>,
    /// Whether the reference solver was asked, where the scene's found nothing.
    pub asked_second_solver: bool,
    /// w‖r‖² by objective of the trace.
    pub costs: Vec<f64>,
    /// The w of that, by objective of the trace: the weight that its file or program gives it now. Where several goals
    /// have one name, the largest.
    pub weights: Vec<f64>,
    /// Distance of followed goals from their moving targets, m or rad, by objective of the trace.
    pub distances: Vec<Option<f64>>,
    /// What goals in force want, by measured number of the trace; `None` where it has no meaning.
    pub targets: Vec<Option<f64>>,
    /// What there is of that at time t.
    pub actuals: Vec<Option<f64>>,
    /// Joint torque per velocity coordinate, N m.
    pub torque: Vec<f64>,
    /// Reaction of the stops per velocity coordinate, N m.
    pub stop_reaction: Vec<f64>,
    /// What couplings do, per velocity coordinate, N m or N; empty where no joint follows another.
    pub coupling_reaction: Vec<f64>,
    /// Dry friction per velocity coordinate, N m or N; empty where no joint has it.
    pub dry_friction: Vec<f64>,
    /// How far the root's part of v⁺ was changed after the solve, so that its rows hold, in its worst coordinate,
    /// m/s or rad/s.
    pub root_correction: f64,
    /// Number of iterations of the QP solver, all solves together.
    pub iterations: u32,
    /// Wall-clock time by phase.
    pub timing: Timing,
    /// Memory of sums over rows.
    pub(super) products: Vec<f64>,
}

impl Synthesis {
    /// Whether the frame has unknowns to go on with, as they were asked for or with rows that gave way.
    pub fn has_solution(&self) -> bool {
        !matches!(self.outcome, Outcome::Failed { .. })
    }

    /// Whether the range of a velocity coordinate has a part in the contradiction.
    pub fn contradicts_range(&self, coordinate: usize) -> bool {
        self.conflict.contains(&LimitKind::Bound(UnknownKind::Rate { coordinate }))
    }

    /// Coordinates of joints that dry friction keeps from moving and that have a part in the contradiction.
    pub fn contradicting_stuck(&self) -> impl Iterator<Item = usize> {
        self.conflict.iter().filter_map(|kind| match kind {
            LimitKind::Row(RowKind::Stuck { coordinate }) => Some(*coordinate),
            _ => None,
        })
    }

    /// Whether the grip of a site has a part in the contradiction.
    pub fn contradicts_grip(&self, site: usize) -> bool {
        self.conflict.contains(&LimitKind::Row(RowKind::Grip { site }))
            || self.conflict.contains(&LimitKind::Bound(UnknownKind::GripForce { site }))
    }
}

/// What became of one attempt at a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// There is a result: a solution, one with rows that gave way, or none whatever gives way.
    Done,
    /// There is no solution, and joints have a part in that which dry friction keeps from moving: they are to move.
    NeedsMotion,
    /// There is no solution, and stops and surfaces that are farther off had no say: everything is to begin again
    /// with the frame laid out for an impact.
    NeedsImpact,
}

/// Where a frame's time went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timing {
    /// Time spent on writing the QP.
    pub assemble: Duration,
    /// Time spent on solving the QP.
    pub solve: Duration,
}

impl std::ops::Add for Timing {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Timing { assemble: self.assemble + other.assemble, solve: self.solve + other.solve }
    }
}
