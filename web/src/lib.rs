//! aplomb as a WebAssembly module: one world at a time, for a page.
//!
//! The page sends requests as JSON ([`request::Request`]), steps the world, and reads the numbers to draw
//! ([`numbers`]). Answers and mistakes are JSON ([`finding::Finding`]): no mistake of a user traps. The border
//! ([`border`]) is plain `extern "C"`: the module imports nothing, and `site/src/engine.js` is all the glue there is.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod answer;
pub mod border;
mod buffer;
pub mod controller;
pub mod finding;
pub mod hand;
pub mod mind;
pub mod numbers;
pub mod record;
pub mod request;
pub mod scene;
pub mod session;
