//! What a run came to: the numbers of the summary table, of `summary.json` and of `run --json`.
//!
//! [`Summariser`] is fed the frames of a run one by one and keeps no more of them than it needs. Every key is
//! described in `docs/summary.md`.

mod body;
mod collect;
mod conflict;
mod effort;
mod gait;
mod holding;
mod parting;
mod passive;
mod pendulum;
mod replay;
mod root;
mod settling;
mod statistics;
mod targets;
#[cfg(test)]
mod tests;
mod watch;

pub use crate::report::{CriterionSummary, Held};
pub use collect::{Closing, MOST_FAILED, Summariser, judged};
pub use conflict::{ConflictSummary, least};
pub use replay::of_trace;
pub use root::{RootResidual, RootResiduals};
pub use statistics::{Percentiles, TimingSummary};

use aplomb_trace::{FrameEvent, Stopped};
use serde::Serialize;

/// A run in numbers. SI units, world axes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Of the program.
    pub version: String,
    /// Name of the scene.
    pub scene: String,
    /// Title of the run, as plots show it.
    pub title: String,
    /// Name of the character.
    pub character: String,
    /// Name of the QP solver.
    pub solver: String,
    /// Values changed on the command line, each as `PATH=VALUE`.
    pub overrides: Vec<String>,
    /// Whether all criteria were met, and enough frames had a solution.
    pub verdict: Verdict,
    /// Why the run ended before its time; `None` where it did not, or where a criterion broke.
    pub stopped: Option<Stopped>,
    /// Criteria of the scene, in its order.
    pub criteria: Vec<CriterionSummary>,
    /// One paragraph on what went wrong, when the verdict is `fail`.
    pub reason: Option<String>,
    /// When the capture point left the support polygon for good, or until the character had fallen, s.
    pub balance_lost_at: Option<f64>,
    /// In the order they were visited.
    pub states: Vec<Visit>,
    /// Frames computed.
    pub frames: u64,
    /// Length of a frame, s.
    pub dt: f64,
    /// Asked for, s.
    pub duration: f64,
    /// Reached, s.
    pub simulated_time: f64,
    /// Frames in which rows gave way.
    pub relaxed_frames: u64,
    /// Rows that were relaxed in any frame.
    pub relaxed_rows: Vec<RelaxedSummary>,
    /// Frames without a solution.
    pub failed_frames: u64,
    /// Frames without a solution, by reason.
    pub failures: Vec<FailureSummary>,
    /// Rows that could not hold together, in frames that gave way or had no solution.
    pub conflicts: Vec<ConflictSummary>,
    /// What else happened on the way to solutions: ways out that frames took, and what they gave up.
    pub solve_events: Vec<EventSummary>,
    /// Contact points gained and lost.
    pub contacts: ContactChanges,
    /// `None` where no contact separated under force.
    pub break_force: Option<BreakForce>,
    /// Number of [`Gait::steps_taken`]; 0 without a body that acts.
    pub steps: u64,
    /// √ of the mean over frames of Σ w‖r‖² over the controller's objectives, r in g or g/h where shaped.
    pub goal_error: Option<f64>,
    /// Objectives that cost nothing in any frame: those of states that were not visited, and those that never wanted anything.
    pub idle_objectives: Vec<String>,
    /// Root mean square, over frames and joint coordinates, of the torque's change in a frame, N m.
    pub torque_change: Option<f64>,
    /// Residual of what the root of a floating base was solved with, in m g and m g h: the balances of momentum in
    /// frames of `bias_velocity = "momentum"`, else the equations of motion.
    pub root_residual: Option<RootResidual>,
    /// Residual of the equations of motion of the root alone, in m g and m g h.
    pub root_wrench: Option<RootResidual>,
    /// Residual of the balances of linear and angular momentum alone, in m g and m g h.
    pub momentum_residual: Option<RootResidual>,
    /// Where frames are simulated: the largest difference of a velocity coordinate between a frame's prediction and
    /// its simulation, m/s or rad/s.
    pub divergence: Option<f64>,
    /// Movement of the centre of pressure per frame; `None` where two consecutive frames have none.
    pub cop_step: Option<Step>,
    /// The peak nearest to its limit; the largest where there are no limits.
    pub peak_torque: Option<Peak>,
    /// Of every joint coordinate, those nearest to their limits first.
    pub peak_torques: Vec<Peak>,
    /// Joints without an actuator in a body whose file has actuators.
    pub passive_joints: Vec<String>,
    /// Largest distance of a joint that follows another from where it should be, rad or m; `None` where none does.
    pub coupling_error: Option<f64>,
    /// Pushes, in the order of time.
    pub pushes: Vec<PushSummary>,
    /// Passive objects, in the scene's order.
    pub passive: Vec<PassiveSummary>,
    /// Objectives whose targets move.
    pub targets: Vec<TargetSummary>,
    /// `None` where nothing was held.
    pub holding: Option<Holding>,
    /// How near to each other those parts came that the controller keeps apart.
    pub apart: Vec<Apart>,
    /// Steps and slip of the feet; `None` for a character without feet.
    pub gait: Option<Gait>,
    /// `None` where every limb bears something.
    pub settling: Option<Settling>,
    /// When joint torques were held at their values from when a surprise began (reaction delay).
    pub reaction_delays: Vec<Held>,
    /// Drift of the centre of mass; `None` where it is not defined for this run.
    pub com_drift: Option<Drift>,
    /// Largest rate of any turning joint coordinate in the last record, rad/s.
    pub end_joint_speed: f64,
    /// Simulated time over the wall-clock time of the frame loop, recording included.
    pub real_time_factor: f64,
    /// Wall-clock time of the frame loop, s.
    pub wall_time: f64,
    /// Wall-clock time per frame by phase, µs.
    pub timing_us: TimingSummary,
    /// Path of the trace; empty where there is none.
    pub trace: String,
}

/// Whether a run met its criteria.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every criterion held.
    Pass,
    /// At least one criterion was not met, too many frames had no solution, or a number was none.
    Fail,
    /// The run was ended from outside; what failed before that is a failure.
    Interrupted,
    /// The trace does not say how the run ended.
    Unknown,
}

impl Verdict {
    /// The verdict as reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Interrupted => "interrupted",
            Verdict::Unknown => "unknown",
        }
    }
}

/// A stay in a state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Visit {
    /// Name of the state.
    pub name: String,
    /// s
    pub from: f64,
    /// Simulated time at which the state was left, or the run ended, s.
    pub to: f64,
    /// Why it was entered.
    pub because: String,
}

/// A row that gave way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RelaxedSummary {
    /// Label of the row: who asked for it.
    pub label: String,
    /// Unit of the row's violation.
    pub unit: String,
    /// Number of frames in which the row was relaxed.
    pub frames: u64,
    /// In `unit`.
    pub largest: f64,
}

/// Frames without a solution for one reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FailureSummary {
    /// Why the QP had no solution.
    pub reason: String,
    /// Number of frames that failed for this reason.
    pub frames: u64,
    /// Time of the first, s, and the rows that contradicted each other there.
    pub first_at: f64,
    /// Labels of the rows that conflict.
    pub rows: Vec<String>,
}

/// Frames in which one event happened on the way to their solution.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EventSummary {
    /// What happened.
    #[serde(flatten)]
    pub event: FrameEvent,
    /// Number of frames in which it happened.
    pub frames: u64,
    /// s
    pub first_at: f64,
}

/// Contact points gained and lost after the first frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ContactChanges {
    /// Number of contact points gained.
    pub made: u64,
    /// Number of contact points lost.
    pub broken: u64,
    /// Contacts that separated under force: the frame was re-solved without them.
    pub parted: u64,
    /// Contacts whose friction was reversed against their slip: the frame was re-solved.
    pub turned: u64,
}

/// The largest force on a contact in a frame after which its point had separated from the surface.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BreakForce {
    /// Of m g.
    pub share: f64,
    /// N
    pub force: f64,
    /// Name of the contact.
    pub contact: String,
    /// s
    pub at: f64,
}

/// How far the centre of pressure moved from one frame to the next, m.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Step {
    /// Largest movement in one frame, m.
    pub max: f64,
    /// Root mean square over the frames, m.
    pub rms: f64,
    /// When it was largest, s.
    pub max_at: f64,
}

/// The largest torque of a joint coordinate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Peak {
    /// Name of the velocity coordinate.
    pub joint: String,
    /// Magnitude, in `unit`.
    pub torque: f64,
    /// `N m`, of a slide `N`.
    pub unit: &'static str,
    /// Limit in the direction of the peak.
    pub limit: Option<f64>,
    /// Torque over limit.
    pub share: Option<f64>,
    /// s
    pub at: f64,
}

/// A push, beside the largest impulse the linear pendulum bears without a step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PushSummary {
    /// Name of the push in the scene.
    pub name: String,
    /// s
    pub at: f64,
    /// Given so far, N s.
    pub impulse: [f64; 3],
    /// Its horizontal part, N s.
    pub horizontal: f64,
    /// Distance from the COM's projection to the edge of the support polygon along the push, m.
    pub distance: Option<f64>,
    /// m ω₀ d, N s; none for a push straight up or down, or without support.
    pub bound: Option<f64>,
    /// `horizontal` over `bound`.
    pub share: Option<f64>,
}

/// What became of a passive object.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PassiveSummary {
    /// Name of the passive object.
    pub name: String,
    /// Method that steps it, as scene files name it.
    pub kind: String,
    /// kg
    pub mass: f64,
    /// Kinetic and potential, in the first and in the last record, J.
    pub energy: [f64; 2],
    /// Of the centre of mass: largest, and in the last record, m/s.
    pub fastest: f64,
    /// Speed of its centre of mass in the last frame, m/s.
    pub end_speed: f64,
    /// Of the centre of mass in the last record, m.
    pub end_height: f64,
    /// Frames in which it touched the character, and what it gave it, N s.
    pub hit_frames: u64,
    /// Total impulse given to the character, N s, world axes.
    pub impulse: [f64; 3],
    /// When it diverged (NaN or infinite), s.
    pub failed_at: Option<f64>,
    /// Of a frame's last step: most iterations, and the largest residual, in the unit of the method.
    pub most_iterations: u32,
    /// Largest residual its contact or constraint solver left.
    pub residual: f64,
    /// Largest, as a share of a length.
    pub stretch: f64,
}

/// How near an objective stayed to its moving target, from a second after it began to hold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TargetSummary {
    /// Name of the objective.
    pub objective: String,
    /// Of the distances: `m` or `rad`.
    pub unit: String,
    /// Frames that count.
    pub frames: u64,
    /// Root mean square of the error, in the objective's unit; `None` without a frame to measure.
    pub rms: Option<f64>,
    /// Largest error, in the objective's unit; `None` without a frame to measure.
    pub max: Option<f64>,
    /// s
    pub max_at: Option<f64>,
}

/// What hands and feet held on to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Holding {
    /// How often a hold was taken.
    pub taken: u64,
    /// The largest force on a grip, N, that at which it breaks, and their ratio.
    pub force: f64,
    /// Force at which that grip breaks, N; `None` where grips do not break.
    pub limit: Option<f64>,
    /// The largest force on a grip as a share of the limit; `None` without a limit.
    pub share: Option<f64>,
    /// Who bore it.
    pub site: String,
    /// s
    pub at: f64,
    /// Largest distance from the hold from 0.2 s after it was taken, m; `None` where none lasted that long.
    pub error: Option<f64>,
}

/// Parts of the body that are kept apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Apart {
    /// Names that the controller gives.
    pub name: String,
    /// Least distance of their shapes, m; negative where they overlapped.
    pub least: f64,
    /// s
    pub at: f64,
    /// The two bodies that were so near.
    pub bodies: [String; 2],
}

/// Feet: bodies that touch something in the first frame with contacts, with those joined to them that do too.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gait {
    /// Steps in the order of time.
    pub steps_taken: Vec<StepTaken>,
    /// Feet that were lifted, those among them that never came down again.
    pub lifts: Vec<Lift>,
    /// m
    pub mean_step_length: Option<f64>,
    /// The largest joint torque in the 0.2 s after a foot came down.
    pub landing_torque: Option<Peak>,
    /// The largest torque of every joint coordinate in these 0.2 s, largest first.
    pub landing_torques: Vec<Peak>,
    /// Slip of each foot while it touches a surface.
    pub slip: Vec<Slip>,
}

/// A foot that touched nothing for 0.05 s or more and came down again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepTaken {
    /// Body.
    pub foot: String,
    /// s
    pub from: f64,
    /// Simulated time of the touchdown, s.
    pub to: f64,
    /// Along the ground, m.
    pub length: f64,
}

/// A foot that touched nothing for more than 0.05 s.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lift {
    /// Body.
    pub foot: String,
    /// When it last touched something, s.
    pub at: f64,
    /// Largest change of the normal force on it from one frame to the next in the 0.2 s before, of m g.
    pub largest_change: f64,
    /// s
    pub changed_at: f64,
    /// How fast that force fell at most in the same time, m g/s.
    pub largest_rate: f64,
}

/// How far a foot slid.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Slip {
    /// Body.
    pub foot: String,
    /// Length of the path of its sliding points, the one that goes farthest in each frame, m.
    pub path: f64,
}

/// Limbs that bear nothing at the end, on their way to the rest pose.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settling {
    /// The last touchdown of a foot or end of a push, s.
    pub since: f64,
    /// From then on until all of their joints stay within 0.1 rad of the rest pose, s.
    pub time: Option<f64>,
    /// At the end, of the joint that is farthest away, rad or m.
    pub pose_error: f64,
    /// Name of the joint.
    pub joint: String,
}

/// How far the COM went from where it had settled.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Drift {
    /// Where it is held to have settled: after 5 s, or half the run. s
    pub since: f64,
    /// Largest distance from there, m.
    pub max: f64,
}
