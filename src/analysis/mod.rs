//! What runs come to: summaries, reports, sweeps, and what is wrong with files before they run.

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
pub mod tune;
