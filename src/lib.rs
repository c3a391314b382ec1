//! aplomb: characters that move because an optimiser decides their next frame.

#![warn(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

#[cfg(feature = "cli")]
pub mod analysis;
#[cfg(feature = "cli")]
pub mod cli;
pub mod constraint;
pub mod contact;
pub mod controller;
pub mod dynamics;
pub mod geometry;
pub mod language;
pub mod math;
pub mod model;
pub mod objective;
pub mod passive;
pub mod predict;
pub mod qp;
pub mod scene;
pub mod snapshot;
pub mod synthesis;
pub mod trace;
#[cfg(feature = "cli")]
pub mod view;
pub mod world;
