//! One run of a sweep with its results.

use super::show::{Show, Showing};
use crate::runner::{self, Recorded, RunError, Wanted};
use crate::summary::{RootResidual, Summary, Verdict};
use aplomb_scene::{Run, SceneFiles};
use aplomb_trace::{StoppedBy, TraceError};
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::path::Path;

/// End of a run of a sweep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunEnding {
    /// Every criterion of the scene was met.
    Pass,
    /// Criteria were not met.
    Fail {
        /// Names of the criteria that were not met.
        criteria: Vec<String>,
    },
    /// The run could not be completed.
    Error,
}

/// A run of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Index in the plan, from 0.
    pub run: usize,
    /// One value for each axis.
    pub values: Vec<f64>,
    /// How the run ended.
    pub ending: RunEnding,
    /// `None` if the run stopped with an error.
    pub figures: Option<Figures>,
    /// Reason of the failure, as in the summary, or the error.
    pub reason: String,
    /// The requested numbers ([`Show`]), in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<Option<f64>>,
}

/// Quantities of a run's summary that are kept, under the same names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Time at which a criterion of kind `always` was first violated, s.
    pub(crate) broken_at: Option<f64>,
    /// Simulated time of the run, s.
    pub simulated_time: f64,
    /// Simulated time at which balance was lost, s; `None` if it was kept.
    pub(crate) balance_lost_at: Option<f64>,
    /// Number of steps, or of entries into the counted state.
    pub steps: u64,
    /// Number of frames.
    pub(crate) frames: u64,
    /// Number of frames in which rows were relaxed.
    pub(crate) relaxed_frames: u64,
    /// Number of frames without a solution.
    pub failed_frames: u64,
    /// Number of contacts that separated under force: the frame was re-solved without them.
    pub(crate) parted: u64,
    /// Number of contacts whose friction was reversed: the frame was re-solved.
    pub(crate) turned: u64,
    /// Speed of the COM in the last record, m/s.
    pub(crate) end_com_speed: f64,
    /// Drift of the COM, m.
    pub(crate) com_drift: Option<f64>,
    /// Objective residual, RMS; `None` without objectives.
    pub goal_error: Option<f64>,
    /// Torque change per step, RMS; `None` for runs shorter than two frames.
    pub torque_change: Option<f64>,
    /// Residual of the root dynamics; `None` if it is not measured.
    pub root_residual: Option<RootResidual>,
    /// Largest share of a torque limit that was used.
    pub(crate) peak_share: Option<f64>,
    /// Name of the joint with that share.
    pub(crate) peak_joint: Option<String>,
}

/// Names of the columns after those of the run number and of the axes. `docs/sweep.md` describes them.
pub const COLUMNS: [&str; 20] = [
    "outcome",
    "failed_criteria",
    "broken_at",
    "simulated_time",
    "balance_lost_at",
    "steps",
    "frames",
    "relaxed_frames",
    "failed_frames",
    "parted",
    "turned",
    "end_com_speed",
    "com_drift",
    "goal_error",
    "torque_change",
    "root_residual_rms",
    "root_residual_max",
    "peak_share",
    "peak_joint",
    "reason",
];

/// A sum of time steps without rounding noise: 1.15, not 1.1500000000000001.
fn to_nanoseconds(time: f64) -> f64 {
    (time * 1e9).round() / 1e9
}

impl Row {
    /// Whether the run met its criteria.
    pub fn passed(&self) -> bool {
        self.ending == RunEnding::Pass
    }

    /// The row's cells, the run number first; empty if there is no value.
    pub fn cells(&self) -> Vec<String> {
        let (outcome, criteria) = match &self.ending {
            RunEnding::Pass => ("pass", String::new()),
            RunEnding::Fail { criteria } => ("fail", criteria.join(" ")),
            RunEnding::Error => ("error", String::new()),
        };
        let mut cells = vec![self.run.to_string()];
        cells.extend(self.values.iter().map(|value| format!("{value:?}").trim_end_matches(".0").to_string()));
        cells.extend([outcome.to_string(), criteria]);
        match &self.figures {
            Some(figures) => cells.extend(figures.cells()),
            None => cells.extend((3..COLUMNS.len()).map(|_| String::new())),
        }
        cells.push(self.reason.clone());
        cells.extend(
            self.shown.iter().map(|value| value.map(|value| format!("{value:?}")).unwrap_or_default()),
        );
        cells
    }
}

impl Figures {
    /// In the order of [`COLUMNS`].
    fn cells(&self) -> [String; COLUMNS.len() - 3] {
        // Small numbers have an exponent.
        let number = |value: f64| format!("{value:?}");
        let option = |value: Option<f64>| value.map(number).unwrap_or_default();
        let time = |time: f64| number(to_nanoseconds(time));
        [
            self.broken_at.map(time).unwrap_or_default(),
            time(self.simulated_time),
            self.balance_lost_at.map(time).unwrap_or_default(),
            self.steps.to_string(),
            self.frames.to_string(),
            self.relaxed_frames.to_string(),
            self.failed_frames.to_string(),
            self.parted.to_string(),
            self.turned.to_string(),
            number(self.end_com_speed),
            option(self.com_drift),
            option(self.goal_error),
            option(self.torque_change),
            option(self.root_residual.map(|root| root.rms)),
            option(self.root_residual.map(|root| root.max)),
            option(self.peak_share),
            self.peak_joint.clone().unwrap_or_default(),
        ]
    }

    /// The row of a run; `count` is the state whose entries are counted as steps; without it, landings of
    /// feet are counted.
    pub(crate) fn new(summary: &Summary, end_com_speed: f64, count: Option<&str>) -> Self {
        let broken = summary.criteria.iter().filter(|criterion| !criterion.held);
        let entries = |state: &str| summary.states.iter().filter(|visit| visit.name == state).count() as u64;
        Figures {
            broken_at: broken.filter_map(|criterion| criterion.at).min_by(f64::total_cmp),
            simulated_time: summary.simulated_time,
            balance_lost_at: summary.balance_lost_at,
            steps: count.map_or(summary.steps, entries),
            frames: summary.frames,
            relaxed_frames: summary.relaxed_frames,
            failed_frames: summary.failed_frames,
            parted: summary.contacts.parted,
            turned: summary.contacts.turned,
            end_com_speed,
            com_drift: summary.com_drift.map(|drift| drift.max),
            goal_error: summary.goal_error,
            torque_change: summary.torque_change,
            root_residual: summary.root_residual,
            peak_share: summary.peak_torque.as_ref().and_then(|peak| peak.share),
            peak_joint: summary.peak_torque.as_ref().map(|peak| peak.joint.clone()),
        }
    }
}

/// Runs a scene and keeps its results: `steps` counts entries into the state `count`, or landings of feet without
/// one. `trace`: path of the run's trace, if it is to be written. A run that is impossible with the scene's own
/// values becomes a row with the reason.
///
/// # Errors
/// If the trace cannot be written.
pub fn run(
    number: usize,
    values: &[f64],
    files: &SceneFiles,
    count: Option<&str>,
    trace: Option<&Path>,
) -> Result<Row, TraceError> {
    let options = RowOptions { count, shows: &[], trace };
    // The run is never stopped, so there is a row.
    Ok(run_until(number, values, files, options, &|| false)?.unwrap_or_else(|| Row {
        run: number,
        values: values.to_vec(),
        ending: RunEnding::Error,
        figures: None,
        reason: String::new(),
        shown: Vec::new(),
    }))
}

/// Requested results of a run, in addition to the standard ones.
#[derive(Clone, Copy, Debug)]
pub struct RowOptions<'a> {
    /// State of the controller whose entries are the steps.
    pub count: Option<&'a str>,
    /// Requested numbers.
    pub shows: &'a [Show],
    /// Path of the trace, if it should be written.
    pub trace: Option<&'a Path>,
}

/// The ending of a completed run.
fn ending(summary: &Summary) -> RunEnding {
    if summary.verdict == Verdict::Pass {
        return RunEnding::Pass;
    }
    let unmet = summary.criteria.iter().filter(|criterion| !criterion.held);
    RunEnding::Fail { criteria: unmet.map(|criterion| criterion.name.clone()).collect() }
}

/// [`run`] with requested numbers of the run; `None` if `stop` became true before its end.
///
/// # Errors
/// If the trace cannot be written.
pub fn run_until(
    number: usize,
    values: &[f64],
    files: &SceneFiles,
    RowOptions { count, shows, trace }: RowOptions<'_>,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Row>, TraceError> {
    if stop() {
        return Ok(None);
    }
    let failed = |reason: String| Row {
        run: number,
        values: values.to_vec(),
        ending: RunEnding::Error,
        figures: None,
        reason,
        shown: vec![None; shows.len()],
    };
    let mut run = match Run::bind(files) {
        Ok(run) => run,
        Err(mistakes) => {
            let reports =
                mistakes.iter().map(|mistake| format!("{}: {}", mistake.location(), mistake.message));
            return Ok(Some(failed(reports.collect::<Vec<_>>().join("; "))));
        }
    };
    let mut showing = Showing::new(&aplomb_scene::header(files, &run), shows);
    let wanted = Wanted { trace, ..Wanted::default() };
    let recorded = runner::record(files, &mut run, wanted, |frame, _| {
        showing.add(frame);
        if stop() { ControlFlow::Break(String::new()) } else { ControlFlow::Continue(()) }
    });
    Ok(Some(match recorded {
        Ok(Recorded { summary: Summary { stopped: Some(stopped), .. }, .. })
            if stopped.by == StoppedBy::Interrupt =>
        {
            return Ok(None);
        }
        Err(RunError::Interrupted(_)) => return Ok(None),
        Ok(Recorded { summary: Summary { stopped: Some(stopped), .. }, .. }) => failed(stopped.reason),
        Ok(Recorded { summary, last }) => {
            last.iter().for_each(|last| showing.add(last));
            let speed = last.map_or(0.0, |last| Vector3::from(last.com_velocity).norm());
            let figures = Some(Figures::new(&summary, speed, count));
            let (ending, reason) = (ending(&summary), summary.reason.unwrap_or_default());
            Row { run: number, values: values.to_vec(), ending, figures, reason, shown: showing.values() }
        }
        Err(RunError::Step(error)) => failed(error.to_string()),
        Err(RunError::Trace(error @ TraceError::NotFinite { .. })) => failed(error.to_string()),
        Err(RunError::Trace(error)) => return Err(error),
        // Cannot happen: there are no existing records to compare with.
        Err(error @ RunError::Differs { .. }) => failed(error.to_string()),
    }))
}
