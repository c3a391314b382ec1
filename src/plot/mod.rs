//! Pictures of a run, drawn from its trace alone: figures over time, the film strip, the graph of states.

mod colour;
mod error;
pub mod figure;
mod font;
pub mod picture;
mod render;

pub use colour::Colour;
pub use error::PlotError;
pub use figure::{PlotSpec, render_all};
