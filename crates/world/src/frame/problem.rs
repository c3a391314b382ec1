//! What a character's frame is solved with.

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

/// Solves of one frame, so that it ends.
const MOST_SOLVES: u32 = 80;

/// Which frame is computed, and how long it lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameTime {
    /// From 0 where the run begins.
    pub index: u64,
    /// s
    pub dt: f64,
}

/// How a frame's solve loop ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Resolution {
    /// Every check is content with the solution.
    #[default]
    Converged,
    /// So many checks are not content with it, and may not have it corrected any more; the frame's events name them.
    Accepted {
        /// Number of checks that still had a correction to make.
        unresolved: usize,
    },
    /// There is no solution, whatever gives way.
    Failed,
}

/// What a frame's solution is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameMode {
    /// All that was wanted was weighed, and every row holds.
    #[default]
    Ordinary,
    /// Nobody wants anything in it: least kinetic energy under what contacts and stops can do.
    Impact,
    /// Rows gave way by name.
    Relaxed,
}

/// What came of a frame's solve loop, beside the solution itself, which the synthesiser keeps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Solved {
    /// How the solve loop ended.
    pub resolution: Resolution,
    /// What the solution is.
    pub mode: FrameMode,
    /// The velocity at which the bias force is taken in the end.
    pub bias: BiasVelocity,
    /// Whether the frame ends with the balances of momentum, not with equations of motion or forward dynamics.
    pub balances_momentum: bool,
    /// Times the frame was solved.
    pub solves: u32,
    /// Iterations of the QP solver, over all solves.
    pub iterations: u32,
    /// Number of contacts that lost their force because they separated under it.
    pub parted: u32,
    /// Number of contacts whose friction was reversed.
    pub turned: u32,
    /// Wall-clock time by phase.
    pub timing: Timing,
}

/// What acts on a character in a frame from outside, what the frame came to, and the memory it is worked out in;
/// kept from frame to frame.
pub struct FrameProblem {
    /// What acts from outside. World.
    pub external: Vec<ExternalForce>,
    /// What it bore in the last solve of others who hold on to it, by their number. World.
    pub borne: Vec<(usize, ExternalForce)>,
    /// What each touch does in the last solve.
    pub outcomes: Vec<ContactOutcome>,
    /// Force of each grip in the last solve, world, N.
    pub grip_forces: Vec<Vector3<f64>>,
    /// How far the velocity was from the predicted one, m/s or rad/s; where frames are simulated.
    pub divergence: Option<f64>,
    /// What came of the last frame's solve loop.
    pub solved: Solved,
    /// Most solves of a frame, at least one.
    pub most_solves: u32,
    /// What the last solve was found to lack.
    pub findings: Findings,
    /// What else happened on the way to the solution.
    pub events: Vec<FrameEvent>,
    /// The fewest rows that could not hold together, where the frame gave way to that.
    pub conflict: Vec<ConflictRow>,
    pub(super) rounds: Rounds,
    /// dt v⁺ of the last solve, and the configuration it leads to.
    pub(super) displacement: Vec<f64>,
    pub(super) next_q: Vec<f64>,
    /// At the end of the last solve.
    pub(super) ahead: Kinematics,
    /// Finds the end of a frame anew, where the scene asks for it.
    pub(super) replay: Option<Replay>,
    /// Finds the end of a frame without a solution.
    pub(super) fallback: Fallback,
}

impl Solved {
    /// What the frame was solved with, as traces say it.
    pub fn bias_name(&self) -> &'static str {
        if self.balances_momentum { BiasVelocity::Momentum.name() } else { self.bias.name() }
    }
}

impl FrameProblem {
    /// A frame problem for a body of this model, with so many candidate–surface pairs. Where frames are
    /// `simulated`, forward dynamics under the forces found leads to their end.
    pub fn new(model: &Model, slots: usize, simulated: bool) -> Self {
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

    /// Forgets what happened in the frame before.
    pub(super) fn begin(&mut self) {
        self.borne.clear();
        self.events.clear();
        self.conflict.clear();
        self.rounds.clear();
    }

    /// Notes an event once a frame.
    pub(super) fn note(&mut self, event: FrameEvent) {
        if !self.events.contains(&event) {
            self.events.push(event);
        }
    }

    /// Notes the checks that are not content with the last solve.
    pub(super) fn note_unresolved(&mut self) {
        for check in CheckName::ALL {
            if self.findings.unresolved().contains(&check) || self.findings.is_by(check) {
                self.note(FrameEvent::Unresolved { check });
            }
        }
    }
}
