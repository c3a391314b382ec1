//! Many short runs of random scenes, each audited: combinations that no test covers.
//!
//! [`Case::draw`] creates the case of a number: one seed always gives the same sequence, independent of the
//! results of earlier cases and of the speed of the machine. [`attempt()`] writes its scene and body into a
//! folder, runs it and audits its physics; [`Tally`] counts what was tried.

mod attempt;
mod body;
mod case;
mod memory;
mod shrink;
mod surroundings;

pub use attempt::{CaseResult, Defect, attempt};
pub use case::Case;
pub use memory::MemoryWatch;
pub use shrink::shrink;

use serde::Serialize;
use std::collections::BTreeMap;

/// A message without its numbers, so that equal mistakes are counted together.
fn without_amounts(message: &str) -> String {
    let mut words = message.split(' ').map(|word| {
        let is_amount = word.starts_with(|first: char| first.is_ascii_digit());
        if is_amount { "…" } else { word }
    });
    let first = words.next().unwrap_or_default().to_string();
    words.fold(first, |text, word| text + " " + word)
}

/// Counts of cases.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Tally {
    /// Cases.
    pub cases: u64,
    /// Cases whose files were rejected with a message, as intended.
    pub declined: u64,
    /// Cases with a body that was changed.
    pub bodies: u64,
    /// Frames.
    pub frames: u64,
    /// Frames without a solution.
    pub failed_frames: u64,
    /// Frames in which the body was a ragdoll.
    pub limp_frames: u64,
    /// Frames with an impact.
    pub impacts: u64,
    /// Cases by the shipped scene from which they were derived.
    pub scenes: BTreeMap<String, u64>,
    /// Messages with which cases were rejected, without their numbers.
    pub reasons: BTreeMap<String, u64>,
}

impl Tally {
    /// Adds a case and its result.
    pub fn add(&mut self, case: &Case, attempt: &CaseResult) {
        self.cases += 1;
        self.bodies += u64::from(case.body.is_some());
        *self.scenes.entry(case.base.clone()).or_default() += 1;
        match attempt {
            CaseResult::Ran { frames, failed, limp, impacts } => {
                self.frames += frames;
                self.failed_frames += failed;
                self.limp_frames += limp;
                self.impacts += impacts;
            }
            CaseResult::Declined(reason) => {
                self.declined += 1;
                *self.reasons.entry(without_amounts(reason)).or_default() += 1;
            }
            CaseResult::Found(_) => {}
        }
    }
}
