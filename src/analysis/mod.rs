//! What runs come to: summaries, reports, sweeps, and what is wrong with files before they run.

pub mod check;
pub mod explain;
pub mod report;
pub mod runner;
pub mod summary;
pub mod sweep;
