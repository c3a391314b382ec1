//! Pictures: of a run, drawn from its trace alone (figures over time, the film strip); of sweeps; the graph of
//! states.

mod colour;
pub mod comparison;
mod error;
pub mod figure;
pub mod film;
#[cfg(test)]
mod fixture;
mod font;
pub mod graph;
pub mod picture;
mod render;
mod spans;
pub mod sweep;

pub use colour::Colour;
pub use error::PlotError;
pub use figure::{PlotSpec, render_all};
pub use film::render_film;
pub use graph::StateGraph;
