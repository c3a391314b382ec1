//! Visual output and exports: plots, pose strips, films, and files for other programs.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod export;
#[doc(hidden)] // shared with the command line, not public API
pub mod film;
#[doc(hidden)] // shared with the command line, not public API
pub mod plot;
