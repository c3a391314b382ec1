//! aplomb: characters that move because an optimiser decides their next frame.

pub mod diagnostic;
pub mod dynamics;
pub mod model;
pub mod plot;
pub mod qp;
pub mod solver;
pub mod spatial;
pub mod state;
pub mod trace;
