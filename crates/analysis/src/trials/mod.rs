//! Trials: runs of a scene with values drawn at random, and the rate at which its criteria hold.
//!
//! [`Experiment`] draws the values and makes a run; [`Rate`] says what their share is worth; [`in_common`]
//! finds what failures have in common; [`TrialsComparison`] holds two experiments of the same draws against
//! each other; [`mutants()`] asks which criteria can fail at all.

mod common;
mod compare;
mod draw;
mod experiment;
mod mutants;
mod quantity;
mod rate;
mod report;
mod saved;
#[cfg(test)]
mod tests;
mod trial;

pub use common::{Common, in_common};
pub use compare::{EarlierTrials, TrialsComparison};
pub use draw::draw;
pub use experiment::Experiment;
pub use mutants::{Mutant, MutantRun, Mutation, mutants, never_failed};
pub use rate::{Rate, RateVerdict};
pub use report::{CriterionRate, TrialsReport};
pub use saved::{SavedTrial, save};
pub use trial::{COLUMNS, Trial, TrialOutcome};
