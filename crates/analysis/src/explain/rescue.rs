//! The last moment from which a change still saves a run.

use super::attempt::ChangeOutcome;
use crate::rerun::{Fate, Past};
use aplomb_trace::Header;
use serde::Serialize;

/// Runs from a moment on that one search makes at most, with the one that goes through the run once.
pub(super) const RUNS: usize = 12;
/// Moments at equal distances that are tried first, from the last on.
const MOMENTS: u64 = 6;

/// A change that saves the run, with the latest time for it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Rescue {
    /// Description of the change, which follows «saved».
    pub(crate) about: String,
    /// `PATH=VALUE` of every value that is changed from then on.
    pub(crate) changes: Vec<String>,
    /// The latest time found from which on it still saves the run, s; `None` where it only does from the
    /// beginning.
    pub(crate) until: Option<f64>,
    /// The earliest time found from which on it does not any more, s.
    pub(crate) too_late: f64,
}

/// Searches for the last frame from which on an attempt saves the run, which failed by frame `end`: of moments at
/// equal distances the last one that does, then by halving. What is saved later need not be saved earlier.
pub(super) fn last_moment(header: &Header, attempt: &ChangeOutcome, end: u64) -> Rescue {
    let time = |frame: u64| frame as f64 * header.dt;
    let rescue = |saved: Option<u64>, late: u64| Rescue {
        about: attempt.about.clone(),
        changes: attempt.changes.clone(),
        until: saved.map(time),
        too_late: time(late),
    };
    let Ok(mut past) = Past::new(header, end) else { return rescue(None, 0) };
    let mut saves = |frame: u64| matches!(past.changed_from(frame, &attempt.changes), Fate::Kept);
    let mut runs = 1;
    let (mut early, mut late) = (None, end);
    for frame in (0..MOMENTS).rev().map(|k| end * k / MOMENTS) {
        runs += 1;
        if saves(frame) {
            early = Some(frame);
            break;
        }
        late = frame;
    }
    let Some(mut early) = early else { return rescue(None, 0) };
    while late - early > 1 && runs < RUNS {
        let middle = early + (late - early) / 2;
        if saves(middle) {
            early = middle;
        } else {
            late = middle;
        }
        runs += 1;
    }
    rescue(Some(early), late)
}
