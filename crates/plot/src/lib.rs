//! Output for people: plots, pose strips, films, and exports for other programs.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod export;
pub mod film;
pub mod plot;
