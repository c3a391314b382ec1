//! Pictures of a run, drawn from its trace alone: plots over time, the film strip, the graph of states.

pub mod colour;
mod error;
pub mod font;
pub mod picture;
mod render;

pub use error::PlotError;
