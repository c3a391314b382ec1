//! aplomb: characters that move because an optimiser decides their next frame.

pub mod controller;
pub mod diagnostic;
pub mod expression;
pub mod files;
pub mod model;
pub mod objective;
pub mod qp;
pub mod scene;
pub mod solver;
pub mod spatial;
pub mod trace;
