//! Analysis of runs and files: summaries, reports, sweeps, tuning, audits and lints.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

#[cfg(feature = "runs")]
pub mod audit;
#[cfg(feature = "runs")]
#[doc(hidden)] // shared with the command line, not public API
pub mod branch;
pub mod check;
#[cfg(feature = "runs")]
mod dice;
#[cfg(feature = "runs")]
#[doc(hidden)] // shared with the command line, not public API
pub mod explain;
pub mod lint;
#[cfg(feature = "runs")]
#[doc(hidden)] // shared with the command line, not public API
pub mod report;
#[cfg(feature = "runs")]
mod rerun;
#[cfg(feature = "runs")]
#[doc(hidden)] // shared with the command line, not public API
pub mod runner;
#[cfg(feature = "runs")]
#[doc(hidden)] // shared with the command line, not public API
pub mod soak;
#[cfg(feature = "runs")]
#[doc(hidden)] // shared with the command line, not public API
pub mod summary;
#[cfg(feature = "runs")]
#[doc(hidden)] // shared with the command line, not public API
pub mod sweep;
#[cfg(feature = "runs")]
#[doc(hidden)] // shared with the command line, not public API
pub mod trials;
#[cfg(feature = "runs")]
#[doc(hidden)] // shared with the command line, not public API
pub mod tune;
#[cfg(feature = "runs")]
#[doc(hidden)] // shared with the command line, not public API
pub mod verify;
