//! A viewer of aplomb: it shows a scene while it is computed, pushes it with the mouse, and goes back in time
//! and branches from there.
//!
//! From the inside out: a [`session`] owns the world and its history; the [`engine`] runs it in a thread of
//! its own; the [`stage`] makes the content of a frame's picture, as numbers; and, with the feature `window`,
//! the window renders it and reads the mouse. All but the window is tested without a display.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod camera;
pub mod engine;
pub mod session;
pub mod stage;
#[cfg(feature = "window")]
pub mod window;
