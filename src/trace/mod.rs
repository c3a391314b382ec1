//! Records of runs.

mod frame;
pub use frame::*;
