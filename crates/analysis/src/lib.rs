//! Analysis of runs and files: summaries, reports, sweeps, tuning, audits and lints.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod audit;
pub mod check;
mod dice;
pub mod explain;
pub mod lint;
pub mod report;
pub mod runner;
pub mod soak;
pub mod summary;
pub mod sweep;
pub mod trials;
pub mod tune;
pub mod verify;
