//! Records of runs.

mod channel;
mod coordinates;
#[cfg(test)]
pub(crate) mod example;
mod frame;
mod support;

pub use channel::{Channel, channels};
pub use coordinates::Coordinates;
pub use frame::*;
