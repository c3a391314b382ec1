//! State of a character's frame: forces, outcome and working memory.

use super::FrameMode;
use super::fallback::Fallback;
use super::replay::Replay;
use aplomb_body::contact::ContactOutcome;
use aplomb_body::dynamics::{BiasVelocity, Kinematics};
use aplomb_body::model::Model;
use aplomb_control::predict::ExternalForce;
use aplomb_control::synthesis::Timing;
use aplomb_control::synthesis::check::{Findings, Rounds};
use aplomb_trace::{CheckName, ConflictRow, FrameEvent};
use nalgebra::Vector3;

/// Bound on the solves of one frame, which keeps its run time finite.
const MOST_SOLVES: u32 = 80;

/// How a frame's solve loop ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Resolution {
    /// No check finds anything to correct.
    #[default]
    Converged,
    /// This many checks still find something to correct but have no rounds left; the frame's events name
    /// them.
    Accepted {
        /// Number of checks with a correction left to make.
        unresolved: usize,
    },
    /// There is no solution, even with all rows relaxed that may be relaxed.
    Failed,
}

/// Result of a frame's solve loop, without the solution itself, which the synthesiser keeps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Solved {
    /// How the solve loop ended.
    pub resolution: Resolution,
    /// Kind of the solution.
    pub(crate) mode: FrameMode,
    /// Velocity at which the bias force of the last solve is evaluated.
    pub(crate) bias: BiasVelocity,
    /// Whether the dynamics rows of the last solve are the balances of momentum over the frame, not the
    /// equations of motion at its beginning.
    pub(crate) balances_momentum: bool,
    /// Number of solves.
    pub solves: u32,
    /// Iterations of the QP solver, over all solves.
    pub(crate) iterations: u32,
    /// Number of contacts that lost their force because they separated under it.
    pub(crate) parted: u32,
    /// Number of contacts whose friction was reversed.
    pub(crate) turned: u32,
    /// Wall-clock time by phase.
    pub(crate) timing: Timing,
}

/// External forces on a character in a frame, the result of the frame, and working memory; kept from frame to
/// frame.
pub struct FrameProblem {
    /// External forces, world axes.
    pub(crate) external: Vec<ExternalForce>,
    /// Forces of the grips and contacts of other characters on this one in the accepted solution, world axes,
    /// each with the number of the character that exerts it.
    pub(crate) borne: Vec<(usize, ExternalForce)>,
    /// Force and velocity of each contact in the last solve.
    pub outcomes: Vec<ContactOutcome>,
    /// Force of each grip in the last solve, world axes, N.
    pub(crate) grip_forces: Vec<Vector3<f64>>,
    /// Largest difference of a rate between forward dynamics and the solution, m/s or rad/s; only if frames are
    /// simulated.
    pub(crate) divergence: Option<f64>,
    /// Result of the last frame's solve loop.
    pub solved: Solved,
    /// Bound on the solves of a frame, at least 1.
    pub most_solves: u32,
    /// The findings of the checks in the last solve.
    pub(crate) findings: Findings,
    /// Events of the solve loop, other than the outcome.
    pub(crate) events: Vec<FrameEvent>,
    /// An irreducible infeasible set of constraints, if the frame was relaxed because of it.
    #[doc(alias = "IIS")]
    pub(crate) conflict: Vec<ConflictRow>,
    pub(super) rounds: Rounds,
    /// dt v⁺ of the last solve, and the resulting configuration.
    pub(super) displacement: Vec<f64>,
    pub(super) next_q: Vec<f64>,
    /// Kinematics at the end of the frame under the last solve.
    pub(super) ahead: Kinematics,
    /// Forward dynamics under the forces of the solution, if the scene simulates frames.
    pub(super) replay: Option<Replay>,
    /// Forward dynamics for frames without a solution.
    pub(super) fallback: Fallback,
}

impl Solved {
    /// Name of the bias velocity or of the balances of momentum, as in traces.
    pub(crate) fn bias_name(&self) -> &'static str {
        if self.balances_momentum { BiasVelocity::Momentum.name() } else { self.bias.name() }
    }
}

impl FrameProblem {
    /// The state for a model with this many candidate–surface pairs. If `simulated`, frames end in the state
    /// of forward dynamics under the forces of the solution.
    pub(crate) fn new(model: &Model, slots: usize, simulated: bool) -> Self {
        FrameProblem {
            external: Vec::new(),
            borne: Vec::new(),
            outcomes: Vec::new(),
            grip_forces: Vec::new(),
            solved: Solved::default(),
            most_solves: MOST_SOLVES,
            findings: Findings::with_capacity(slots, model.nv),
            events: Vec::with_capacity(2 * CheckName::ALL.len()),
            conflict: Vec::new(),
            rounds: Rounds::default(),
            divergence: None,
            displacement: vec![0.0; model.nv],
            next_q: vec![0.0; model.nq],
            ahead: Kinematics::new(model),
            replay: simulated.then(|| Replay::new(model)),
            fallback: Fallback::new(model),
        }
    }

    /// Clears the record of the previous frame.
    pub(super) fn begin(&mut self) {
        self.borne.clear();
        self.events.clear();
        self.conflict.clear();
        self.rounds.clear();
    }

    /// Records an event, once per frame.
    pub(super) fn note(&mut self, event: FrameEvent) {
        if !self.events.contains(&event) {
            self.events.push(event);
        }
    }

    /// Records the checks that still find something to correct in the last solve.
    pub(super) fn note_unresolved(&mut self) {
        for check in CheckName::ALL {
            if self.findings.unresolved().contains(&check) || self.findings.is_by(check) {
                self.note(FrameEvent::Unresolved { check });
            }
        }
    }
}
