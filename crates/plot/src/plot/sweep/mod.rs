//! Pictures of sweeps: the map of pushes, and results over a varied value.

mod curves;
mod polar;
#[cfg(test)]
mod tests;

pub use curves::{CurvePanel, CurveValues, Curves};
pub use polar::{Cell, Polar};
