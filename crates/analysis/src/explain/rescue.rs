//! The latest time from which a change still saves a run.

use super::attempt::ChangeOutcome;
use crate::rerun::{Fate, Past};
use aplomb_trace::Header;
use serde::Serialize;

/// Largest number of runs from a moment that one search makes, including the one through the whole run.
pub(super) const RUNS: usize = 12;
/// Number of equidistant moments that are tried first, from the last one backwards.
const MOMENTS: u64 = 6;

/// A change that saves the run, with the latest time for it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Rescue {
    /// Description of the change, which follows «saved».
    pub(crate) about: String,
    /// `PATH=VALUE` of every value that is changed from then on.
    pub(crate) changes: Vec<String>,
    /// The latest time found from which it still saves the run, s; `None` if it only does from the beginning.
    pub(crate) until: Option<f64>,
    /// The earliest time found from which it no longer does, s.
    pub(crate) too_late: f64,
}

/// Searches for the last frame from which an attempt saves the run, which failed by frame `end`: first among
/// equidistant moments, then by bisection. A change that saves the run from a later frame need not do so from an
/// earlier one.
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
