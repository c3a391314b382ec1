//! What a web page asks of aplomb: one world at a time.
//!
//! The page sends requests as JSON ([`request::Request`], carried out by [`answer::answer`]), steps the world
//! ([`session::PageSession::step`]), and reads the numbers to draw ([`numbers`]). Answers and mistakes are JSON
//! ([`finding::PageFinding`]): no mistake of a user is a panic. `web/module/` makes a WebAssembly module of it,
//! which imports nothing; `site/src/engine.js` is all the glue there is.

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
