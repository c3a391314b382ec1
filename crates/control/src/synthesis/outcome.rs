//! Results of a frame's solution, and its computation time.

use crate::predict::ExternalForce;
use crate::synthesis::{ConflictRow, ForceProvenance, Outcome};
use aplomb_body::model::BodyId;
use aplomb_qp::{LimitKind, RowKind, UnknownKind};
use nalgebra::Vector3;
use std::time::Duration;

/// Results of a frame's solution.
#[derive(Clone, Debug, Default)]
pub struct Synthesis {
    /// Unknowns x in the order of the prediction; only v⁺ in a failed frame.
    pub unknowns: Vec<f64>,
    /// Outcome of the frame's QP.
    pub outcome: Outcome,
    /// Limits in the contradiction of a frame that had no solution in its first attempt.
    pub(crate) conflict: Vec<LimitKind>,
    /// A smallest set of rows of that contradiction.
    pub conflict_rows: Vec<ConflictRow>,
    /// Whether the reference solver was used, because the scene's solver found no solution.
    pub asked_second_solver: bool,
    /// Cost w‖r‖² by objective of the trace.
    pub costs: Vec<f64>,
    /// Weight w in that cost, by objective of the trace, with its value in this frame. The largest if several goals
    /// have one name.
    pub weights: Vec<f64>,
    /// Distance of followed goals from their moving targets, m or rad, by objective of the trace.
    pub distances: Vec<Option<f64>>,
    /// Targets of active goals, by measured number of the trace; `None` if undefined.
    pub targets: Vec<Option<f64>>,
    /// Actual values of the same numbers at time t.
    pub actuals: Vec<Option<f64>>,
    /// Joint torque per velocity coordinate, N m (slides: N).
    pub torque: Vec<f64>,
    /// Reaction of the joint limits per velocity coordinate, N m (slides: N).
    pub stop_reaction: Vec<f64>,
    /// Forces between parts of the body.
    pub self_contacts: Vec<SelfContact>,
    /// Reactions of couplings per velocity coordinate, N m or N; empty if no joint follows another.
    pub coupling_reaction: Vec<f64>,
    /// Dry friction per velocity coordinate, N m or N; empty if no joint has it.
    pub dry_friction: Vec<f64>,
    /// Largest correction of the root's part of v⁺ after the solve, which makes its rows hold, m/s or rad/s.
    pub(crate) root_correction: f64,
    /// Provenance of the forces, in a frame that is explained and solved for this character only.
    pub provenance: Option<Box<ForceProvenance>>,
    /// Number of iterations of the QP solver, the sum over all solves.
    pub iterations: u32,
    /// Wall-clock time by phase.
    pub timing: Timing,
    /// Scratch memory for sums over rows.
    pub(super) products: Vec<f64>,
}

impl Synthesis {
    /// Whether there are unknowns to continue with, with or without relaxed rows.
    pub fn has_solution(&self) -> bool {
        !matches!(self.outcome, Outcome::Failed { .. })
    }

    /// Number of rows that were relaxed.
    pub fn relaxed(&self) -> usize {
        if let Outcome::Relaxed { rows } = &self.outcome { rows.len() } else { 0 }
    }

    /// Whether the range of a velocity coordinate contributes to the contradiction.
    pub(crate) fn contradicts_range(&self, coordinate: usize) -> bool {
        self.conflict.contains(&LimitKind::Bound(UnknownKind::Rate { coordinate }))
    }

    /// Coordinates of stuck joints that contribute to the contradiction.
    pub fn contradicting_stuck(&self) -> impl Iterator<Item = usize> {
        self.conflict.iter().filter_map(|kind| match kind {
            LimitKind::Row(RowKind::Stuck { coordinate }) => Some(*coordinate),
            _ => None,
        })
    }

    /// Whether the grip of a site contributes to the contradiction.
    pub(crate) fn contradicts_grip(&self, site: usize) -> bool {
        self.conflict.contains(&LimitKind::Row(RowKind::Grip { site }))
            || self.conflict.contains(&LimitKind::Bound(UnknownKind::GripForce { site }))
    }
}

/// The force between two parts of the body that press on each other.
#[doc(alias = "self-collision")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfContact {
    /// The two bodies.
    pub bodies: [BodyId; 2],
    /// Point of application of the force on each at the beginning of the frame, world, m.
    pub points: [Vector3<f64>; 2],
    /// Force on the second; the opposite force acts on the first. World, N.
    pub force: Vector3<f64>,
}

impl SelfContact {
    /// The forces on the two bodies.
    pub fn forces(&self) -> [ExternalForce; 2] {
        let on = |side: usize, force| ExternalForce {
            body: self.bodies[side],
            point: self.points[side],
            force,
            torque: Vector3::zeros(),
        };
        [on(0, -self.force), on(1, self.force)]
    }
}

/// Result of one attempt at a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// The attempt has ended: with a solution, a solution with relaxed rows, or none even with them.
    Done,
    /// There is no solution, and stuck joints contribute to the contradiction: they must be released.
    NeedsMotion,
    /// There is no solution, and distant limits and surfaces were not included: the frame must be laid out
    /// again for an impact.
    NeedsImpact,
}

/// Computation time of a frame by phase.
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
