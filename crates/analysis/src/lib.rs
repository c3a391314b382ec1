//! Analysis of runs and files: summaries, reports, sweeps, tuning, audits and lints.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

#[cfg(feature = "runs")]
pub mod audit;
#[cfg(feature = "runs")]
pub mod branch;
pub mod check;
#[cfg(feature = "runs")]
mod dice;
#[cfg(feature = "runs")]
pub mod explain;
pub mod lint;
#[cfg(feature = "runs")]
pub mod report;
#[cfg(feature = "runs")]
mod rerun;
#[cfg(feature = "runs")]
pub mod runner;
#[cfg(feature = "runs")]
pub mod soak;
#[cfg(feature = "runs")]
pub mod summary;
#[cfg(feature = "runs")]
pub mod sweep;
#[cfg(feature = "runs")]
pub mod trials;
#[cfg(feature = "runs")]
pub mod tune;
#[cfg(feature = "runs")]
pub mod verify;
