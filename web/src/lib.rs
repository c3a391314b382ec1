//! The engine for a web page: one world at a time.
//!
//! The page sends requests as JSON ([`request::Request`], carried out by [`answer::answer`]), steps the world
//! ([`session::PageSession::step`]), and reads the numbers to draw ([`numbers`]). Answers and errors are JSON
//! ([`finding::PageFinding`]); user errors never panic. `web/module/` builds a WebAssembly module from it that
//! imports nothing; `site/src/engine.js` is the only glue code.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod answer;
pub mod controller;
pub mod finding;
pub mod hand;
pub mod mind;
pub mod numbers;
pub mod record;
pub mod request;
pub mod scene;
pub mod session;
