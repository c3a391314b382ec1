//! Output for people: plots, pose strips, films, and exports for other programs.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod export;
#[doc(hidden)] // shared with the command line, no public API
pub mod film;
#[doc(hidden)] // shared with the command line, no public API
pub mod plot;
