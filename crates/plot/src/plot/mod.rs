//! Pictures of a run from its trace (figures over time, pose strips), pictures of sweeps, and the graph of
//! states.

mod colour;
pub mod comparison;
mod error;
pub mod figure;
#[cfg(test)]
mod fixture;
mod font;
pub mod graph;
pub mod picture;
mod png;
mod spans;
pub mod strip;
mod svg;
pub mod sweep;
pub mod values;

pub use colour::Colour;
pub use error::PlotError;
pub use figure::{PlotSpec, render_all};
pub use graph::StateGraph;
pub use strip::{Film, FilmSettings, Moments, PICTURES, render_strip};
