//! A window on aplomb: watch a scene as it is computed, push it with the mouse, go back in time and branch from there.
//!
//! From the inside out: a [`session`] owns the world and its history; the [`engine`] runs it in a thread of its own at
//! its own step; the [`stage`] says what is to be seen of a frame, as numbers; and, with the feature `window`, the
//! window draws that and takes gestures. All but the window is tested without a display.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod camera;
pub mod engine;
pub mod session;
pub mod stage;
#[cfg(feature = "window")]
pub mod window;
