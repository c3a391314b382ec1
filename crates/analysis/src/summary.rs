//! Summary of a run: the numbers of the summary table, of `summary.json` and of `run --json`.
//!
//! [`Summariser`] receives the frames of a run one by one and keeps no more of them than it needs. Every key
//! is described in `docs/summary.md`.

mod body;
mod collect;
mod conflict;
mod effort;
mod gait;
mod holding;
mod parting;
mod passive;
mod pendulum;
mod poses;
mod replay;
mod root;
mod settling;
mod statistics;
mod targets;
#[cfg(test)]
mod tests;
mod watch;

pub(crate) use crate::report::Flight;
pub use crate::report::{CriterionSummary, ReactionDelaySpan, with_value};
pub(crate) use collect::MOST_FAILED;
pub use collect::{Closing, Summariser, judged};
pub(crate) use conflict::most_telling;
pub use conflict::{ConflictSummary, least};
pub use replay::of_trace;
pub use root::RootResidual;
pub use statistics::{Percentiles, TimingSummary};

use aplomb_scene::{EventKind, Run, SceneSpec};
use aplomb_trace::{FrameEvent, Stopped};
use aplomb_world::controller::Stay;
use aplomb_world::reaction_delay::ReactionDelaySettings;
use aplomb_world::{ClampedCommand, UnreadValue};
use serde::Serialize;

/// An event that had not started at the end of the run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MissedEvent {
    /// Its name in the scene.
    pub(crate) name: String,
    /// Why it did not start.
    pub(crate) because: String,
}

impl MissedEvent {
    /// The missed events of a run.
    pub(crate) fn of(run: &Run) -> Vec<Self> {
        let missed = run.world.missed_events();
        missed.map(|(name, missed)| MissedEvent { name: name.into(), because: missed.to_string() }).collect()
    }
}

impl std::fmt::Display for MissedEvent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "event `{}` never came: {}", self.name, self.because)
    }
}

/// A push that acted in part only, because the run ended before the push did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CutOffPush {
    /// Its name in the scene.
    pub(crate) name: String,
    /// Length of the impulse that acted, N s.
    pub(crate) acted: f64,
    /// Length of the requested impulse, N s.
    pub(crate) asked: f64,
    /// Time at which the run ended, s.
    pub(crate) ended_at: f64,
}

impl CutOffPush {
    /// The cut-off pushes of a run that ended at a time, s, in a scene with frames of `dt`, s.
    pub(crate) fn of(scene: &SceneSpec, pushes: &[PushSummary], dt: f64, ended_at: f64) -> Vec<Self> {
        let length = |impulse: [f64; 3]| impulse.iter().map(|part| part * part).sum::<f64>().sqrt();
        let cut_off = pushes.iter().filter_map(|push| {
            let event = scene.events.get(push.name.as_str()).filter(|event| event.kind == EventKind::Push)?;
            let frames = event.frames(dt);
            let asked = match (&event.impulse, &event.force) {
                (Some(impulse), _) => length(*impulse.get_ref()),
                (None, Some(force)) => length(*force.get_ref()) * (frames.end - frames.start) as f64 * dt,
                (None, None) => return None,
            };
            let acted = length(push.impulse);
            (acted < 0.999 * asked).then(|| CutOffPush { name: push.name.clone(), acted, asked, ended_at })
        });
        cut_off.collect()
    }
}

impl std::fmt::Display for CutOffPush {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let CutOffPush { name, acted, asked, ended_at } = self;
        write!(
            f,
            "push `{name}` was cut off: the run ended at {ended_at:.2} s, and {acted:.1} of its {asked:.1} N s acted"
        )
    }
}

/// The quantities of a run. SI units, world axes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Version of the program.
    pub(crate) version: String,
    /// Name of the scene.
    pub scene: String,
    /// Title of the run, as plots show it.
    pub title: String,
    /// Name of the character.
    pub character: String,
    /// Name of the QP solver.
    pub solver: String,
    /// Values changed on the command line, each as `PATH=VALUE`.
    pub(crate) overrides: Vec<String>,
    /// Whether all criteria were met, and enough frames had a solution.
    pub verdict: Verdict,
    /// Why the run stopped early; `None` if it did not, or a criterion was violated.
    pub stopped: Option<Stopped>,
    /// Criteria of the scene, in its order.
    pub criteria: Vec<CriterionSummary>,
    /// One paragraph on the cause of the failure, when the verdict is `fail`.
    pub reason: Option<String>,
    /// Time at which the capture point finally left the support polygon, before the character had fallen, s.
    pub(crate) balance_lost_at: Option<f64>,
    /// The flight at the start of the run, or the one after which balance was lost, or the one at its end.
    pub(crate) flight: Option<Flight>,
    /// Visits to states, in order of time.
    pub states: Vec<Visit>,
    /// Why the last of these states was not left: the comparison that was nearest to ending it. `None` if nothing
    /// could end it, and for a summary of a trace.
    pub(crate) stay: Option<Stay>,
    /// Frames computed.
    pub frames: u64,
    /// Length of a frame, s.
    pub dt: f64,
    /// Requested duration, s.
    pub(crate) duration: f64,
    /// Simulated time reached, s.
    pub simulated_time: f64,
    /// Number of frames with relaxed rows.
    pub relaxed_frames: u64,
    /// Rows that were relaxed in at least one frame.
    pub relaxed_rows: Vec<RelaxedSummary>,
    /// Number of frames without a solution.
    pub failed_frames: u64,
    /// Frames without a solution, by reason.
    pub failures: Vec<FailureSummary>,
    /// Rows that contradicted each other, in frames that were relaxed or had no solution.
    pub conflicts: Vec<ConflictSummary>,
    /// Events of solutions: impacts, second solver, checks at their bound or unresolved.
    pub solve_events: Vec<EventSummary>,
    /// Contact points gained and lost.
    pub contacts: ContactChanges,
    /// Largest force at separation; `None` if no contact separated under force.
    pub break_force: Option<BreakForce>,
    /// Number of elements of `Gait::steps_taken`; 0 without a body.
    pub steps: u64,
    /// √ of the mean over frames of Σ w‖r‖² over the controller's objectives, r in g or g/h where shaped.
    pub goal_error: Option<f64>,
    /// Objectives without a cost in any frame: those of states that were not visited, and those that were
    /// always met.
    pub idle_objectives: Vec<String>,
    /// Root mean square, over frames and joint coordinates, of the torque's change in a frame, N m.
    pub torque_change: Option<f64>,
    /// Residual of the root's equations in the solver, in m g and m g h: of the momentum balances in frames
    /// with `bias_velocity = "momentum"`, otherwise of the equations of motion.
    pub root_residual: Option<RootResidual>,
    /// Residual of only the root's equations of motion, in m g and m g h.
    pub root_wrench: Option<RootResidual>,
    /// Residual of only the balances of linear and angular momentum, in m g and m g h.
    pub momentum_residual: Option<RootResidual>,
    /// For simulated frames: the largest difference of a velocity coordinate between a frame's prediction and
    /// its simulation, m/s or rad/s.
    pub divergence: Option<f64>,
    /// Movement of the centre of pressure per frame; `None` if no two consecutive frames have one.
    pub cop_step: Option<CentreOfPressureShift>,
    /// The peak nearest to its limit; the largest without limits.
    pub peak_torque: Option<Peak>,
    /// Peaks of every joint coordinate, those nearest to their limits first.
    pub peak_torques: Vec<Peak>,
    /// Joints without an actuator in a body whose file has actuators.
    pub passive_joints: Vec<String>,
    /// Largest deviation of a coupled joint from its prescribed position, rad or m; `None` without coupled joints.
    pub coupling_error: Option<f64>,
    /// Events that had not started at the end, in the scene's order; empty for a summary of a trace.
    pub missed_events: Vec<MissedEvent>,
    /// Pushes on the character that acted in part only, because the run ended before they did; empty for a summary of
    /// a trace.
    pub cut_off_pushes: Vec<CutOffPush>,
    /// Names of the other characters, in the scene's order; empty for a summary of a trace.
    pub other_characters: Vec<String>,
    /// Pushes of the scene on other characters that began; empty for a summary of a trace.
    pub other_pushes: Vec<OtherPush>,
    /// Values of controllers that were set during the run and that nothing read immediately; empty for a summary of a
    /// trace.
    pub unread_values: Vec<UnreadValue>,
    /// Commands that were set beyond their ranges and clamped; empty for a summary of a trace.
    pub clamped_commands: Vec<ClampedCommand>,
    /// Pushes, in the order of time.
    pub pushes: Vec<PushSummary>,
    /// Passive objects, in the scene's order.
    pub passive: Vec<PassiveSummary>,
    /// Objectives whose targets move.
    pub targets: Vec<TargetSummary>,
    /// Loads and errors of grips; `None` without grips.
    pub holding: Option<Holding>,
    /// Smallest distances of parts with collision avoidance.
    pub apart: Vec<Apart>,
    /// Steps and slip of the feet; `None` for a character without feet.
    pub gait: Option<Gait>,
    /// Settling of unloaded limbs; `None` if every limb is loaded.
    pub settling: Option<Settling>,
    /// The delay of joints and controller after a disturbance; `None` without a delay, and for a summary of a trace.
    pub reaction_delay_settings: Option<ReactionDelaySettings>,
    /// Time spans in which a reaction delay kept joint torques at their values.
    pub reaction_delays: Vec<ReactionDelaySpan>,
    /// Drift of the centre of mass; `None` if it is undefined for this run.
    pub com_drift: Option<Drift>,
    /// Largest rate of any rotational joint coordinate in the last record, rad/s.
    pub end_joint_speed: f64,
    /// Simulated time divided by the wall-clock time of the frame loop, recording included.
    pub real_time_factor: f64,
    /// Wall-clock time of the frame loop, s.
    pub wall_time: f64,
    /// Wall-clock time per frame by phase, µs.
    pub timing_us: TimingSummary,
    /// Path of the trace; empty if there is none.
    pub trace: String,
}

/// Whether a run met its criteria.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every criterion was met.
    Pass,
    /// At least one criterion was not met, too many frames had no solution, or a number was not finite.
    Fail,
    /// The run was interrupted from outside without an earlier failure.
    Interrupted,
    /// The trace does not state how the run ended.
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
    /// Time of entry, s.
    pub from: f64,
    /// Simulated time at which the state was left, or the run ended, s.
    pub to: f64,
    /// Why it was entered.
    pub(crate) because: String,
}

/// A row that was relaxed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RelaxedSummary {
    /// Label of the row.
    pub label: String,
    /// Unit of the row's violation.
    pub unit: String,
    /// Number of frames in which the row was relaxed.
    pub frames: u64,
    /// Largest violation, in `unit`.
    pub largest: f64,
}

/// Frames without a solution for one reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FailureSummary {
    /// Why the QP had no solution.
    pub reason: String,
    /// Number of frames that failed for this reason.
    pub(crate) frames: u64,
    /// Time of the first such frame, s.
    pub first_at: f64,
    /// Labels of the rows that conflicted in that frame.
    pub rows: Vec<String>,
}

/// Frames in whose solve loop an event occurred.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EventSummary {
    /// The event.
    #[serde(flatten)]
    pub event: FrameEvent,
    /// Number of frames in which it happened.
    pub frames: u64,
    /// Time of the first such frame, s.
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
    /// Force as a share of m g.
    pub share: f64,
    /// Force, N.
    pub force: f64,
    /// Name of the contact.
    pub contact: String,
    /// Time, s.
    pub at: f64,
}

/// Movement of the centre of pressure from one frame to the next, m.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CentreOfPressureShift {
    /// Largest movement in one frame, m.
    pub max: f64,
    /// Root mean square over the frames, m.
    pub rms: f64,
    /// Time of the largest movement, s.
    pub max_at: f64,
}

/// The largest torque of a joint coordinate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Peak {
    /// Name of the velocity coordinate.
    pub joint: String,
    /// Magnitude, in `unit`.
    pub torque: f64,
    /// Unit: `N m`, or `N` for a slide.
    pub unit: &'static str,
    /// Limit in the direction of the peak.
    pub(crate) limit: Option<f64>,
    /// Torque divided by the limit.
    pub share: Option<f64>,
    /// Time, s.
    pub at: f64,
}

/// A push, compared with the largest impulse that the linear inverted pendulum survives without a step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PushSummary {
    /// Name of the push in the scene.
    pub name: String,
    /// Start time, s.
    pub at: f64,
    /// Impulse so far, N s.
    pub(crate) impulse: [f64; 3],
    /// Its horizontal part, N s.
    pub horizontal: f64,
    /// Distance from the COM's projection to the edge of the support polygon along the push, m.
    pub distance: Option<f64>,
    /// Largest survivable impulse of a push that lasts as long, N s: m ω₀ d if it is short. `None` for a vertical push,
    /// or without support.
    #[doc(alias = "zero-step capturability")]
    pub bound: Option<f64>,
    /// `horizontal` divided by `bound`.
    pub share: Option<f64>,
}

/// A push of the scene on another character than that of the summary.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OtherPush {
    /// Its name in the scene.
    pub name: String,
    /// Name of the character.
    pub character: String,
    /// Time at which it began, s.
    pub at: f64,
    /// Applied impulse, N s.
    pub(crate) impulse: [f64; 3],
    /// Its horizontal part, N s.
    pub horizontal: f64,
}

impl OtherPush {
    /// The pushes on other characters in a finished run, in the order of the scene.
    pub(crate) fn of(run: &Run, frames: u64, dt: f64) -> Vec<Self> {
        let names: Vec<String> =
            run.world.characters().map(|id| run.world.character(id).name.clone()).collect();
        let pushes = run.world.events().iter().filter_map(|event| {
            // The first character is that of the summary.
            let push = event.push.as_ref().filter(|push| push.character > 0)?;
            let character = names.get(push.character)?;
            let acted =
                event.frames.end.min(frames).checked_sub(event.frames.start).filter(|acted| *acted > 0)?;
            let impulse = push.force * (acted as f64 * dt);
            Some(OtherPush {
                name: event.name.clone(),
                character: character.clone(),
                at: event.frames.start as f64 * dt,
                impulse: impulse.into(),
                horizontal: impulse.xy().norm(),
            })
        });
        pushes.collect()
    }
}

/// The motion of a passive object in a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PassiveSummary {
    /// Name of the passive object.
    pub name: String,
    /// Method that steps it, by its name in scene files; `character` for another character.
    pub kind: String,
    /// Mass, kg.
    pub(crate) mass: f64,
    /// Total energy in the first and in the last record, J.
    pub energy: [f64; 2],
    /// Largest speed of its centre of mass, m/s.
    pub fastest: f64,
    /// Speed of its centre of mass in the last record, m/s.
    pub end_speed: f64,
    /// Height of its centre of mass in the last record, m.
    pub end_height: f64,
    /// Number of frames in which it touched the character.
    pub hit_frames: u64,
    /// Total impulse given to the character, N s, world axes.
    pub impulse: [f64; 3],
    /// Time at which it diverged (NaN or infinite), s.
    pub failed_at: Option<f64>,
    /// Largest number of iterations of a frame's last step.
    pub(crate) most_iterations: u32,
    /// Largest residual of a frame's last step, in the unit of the method.
    pub(crate) residual: f64,
    /// Largest relative change of a length.
    pub(crate) stretch: f64,
}

/// The error of an objective with a moving target, from one second after it became active.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TargetSummary {
    /// Name of the objective.
    pub objective: String,
    /// Unit of the distances: `m` or `rad`.
    pub unit: String,
    /// Number of frames that are evaluated.
    pub(crate) frames: u64,
    /// Root mean square of the error, in the objective's unit; `None` without a frame to measure.
    pub rms: Option<f64>,
    /// Largest error, in the objective's unit; `None` without a frame to measure.
    pub max: Option<f64>,
    /// Time of the largest error, s.
    pub max_at: Option<f64>,
}

/// Loads and errors of grips.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Holding {
    /// Number of grips made.
    pub taken: u64,
    /// Largest force on a grip, N.
    pub force: f64,
    /// Force at which that grip breaks, N; `None` if grips do not break.
    pub limit: Option<f64>,
    /// The largest force on a grip as a share of the limit; `None` without a limit.
    pub(crate) share: Option<f64>,
    /// Site of that grip.
    pub site: String,
    /// Time of that force, s.
    pub at: f64,
    /// Largest distance from the hold, from 0.2 s after the grip was made, m; `None` if no grip lasted that
    /// long.
    pub error: Option<f64>,
}

/// Parts of the body with collision avoidance.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Apart {
    /// Name of the constraint in the controller.
    pub name: String,
    /// Smallest distance of their shapes, m; negative if they overlapped.
    pub least: f64,
    /// Time of that distance, s.
    pub at: f64,
    /// The two bodies at that distance.
    pub bodies: [String; 2],
}

/// Steps and slip of the feet: bodies that touch something in the first frame with contacts, together with
/// adjacent bodies that do too.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gait {
    /// Steps in the order of time.
    pub(crate) steps_taken: Vec<StepTaken>,
    /// Lifted feet, and those among them that did not land again.
    pub lifts: Vec<Lift>,
    /// Mean length of the steps, m.
    pub mean_step_length: Option<f64>,
    /// The largest joint torque in the 0.2 s after a foot landed.
    pub landing_torque: Option<Peak>,
    /// The largest torque of every joint coordinate in these 0.2 s, largest first.
    pub(crate) landing_torques: Vec<Peak>,
    /// Slip of each foot while it touches a surface.
    pub slip: Vec<Slip>,
    /// Changes of the load on each foot.
    pub loads: Vec<FootLoad>,
    /// Landings with more than 4 m g on one foot, in order of time.
    pub hard_landings: Vec<HardLanding>,
}

/// A landing harder than those of human feet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HardLanding {
    /// Foot, by body.
    pub(crate) foot: String,
    /// Time of the touchdown, s.
    pub(crate) at: f64,
    /// Largest normal force on it in the following 0.2 s, as a share of m g.
    pub load: f64,
    /// Largest normal force on it in the following 0.2 s, N.
    pub force: f64,
    /// Time of that force, s.
    pub peak_at: f64,
}

impl std::fmt::Display for HardLanding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let HardLanding { foot, at, load, .. } = self;
        write!(f, "{foot} came down hard at {at:.2} s: up to {load:.1} m g on it")
    }
}

/// Changes of the load on a foot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FootLoad {
    /// Foot, by body.
    pub foot: String,
    /// Largest change of its normal force from one frame to the next, as a share of m g.
    pub largest_change: f64,
    /// Time of that change, s.
    pub changed_at: f64,
    /// Number of times that it was loaded with more than 2 % of m g and unloaded again.
    pub phases: usize,
    /// Number of these phases that were shorter than 0.05 s.
    #[doc(alias = "chatter")]
    pub short_phases: usize,
}

/// A foot that touched nothing for 0.05 s or more and landed again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct StepTaken {
    /// Foot, by body.
    pub(crate) foot: String,
    /// Time of lift-off, s.
    pub(crate) from: f64,
    /// Simulated time of the touchdown, s.
    pub(crate) to: f64,
    /// Length along the ground, m.
    pub(crate) length: f64,
}

/// A foot that touched nothing for more than 0.05 s.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lift {
    /// Foot, by body.
    pub foot: String,
    /// Time of its last contact, s.
    pub at: f64,
    /// Largest change of its normal force between frames in the 0.2 s before, as a share of m g.
    pub largest_change: f64,
    /// Time of that change, s.
    pub(crate) changed_at: f64,
    /// Largest rate at which its normal force decreased in these 0.2 s, m g/s.
    pub(crate) largest_rate: f64,
}

/// Slip of a foot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Slip {
    /// Foot, by body.
    pub(crate) foot: String,
    /// Length of the path of its sliding points, by the one that moves farthest in each frame, m.
    pub path: f64,
}

/// Unloaded limbs at the end of the run, moving to the rest pose.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settling {
    /// Time of the last touchdown of a foot or end of a push, s.
    pub since: f64,
    /// Time from then on until all of their joints stay within 0.1 rad of the rest pose, s.
    pub time: Option<f64>,
    /// Distance from the rest pose, at the end, of the joint that is farthest from it, rad or m.
    pub pose_error: f64,
    /// Name of the joint.
    pub joint: String,
}

/// Drift of the COM from the position at which it had settled.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Drift {
    /// Time from which it counts as settled: after 5 s, or half the run, s.
    pub since: f64,
    /// Largest distance from its position at that time, m.
    pub max: f64,
}
