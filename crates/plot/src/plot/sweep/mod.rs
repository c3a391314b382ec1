//! Pictures of sweeps: the map of pushes, and figures over a value that was varied.

mod curves;
mod polar;
#[cfg(test)]
mod tests;

pub use curves::{Curves, Panel, Series};
pub use polar::{Cell, Polar};
