//! The quadratic program of one frame: the state of the character and its surroundings (`snapshot`), the
//! linearisation of the next frame (`predict`), objectives (`objective`), constraints (`constraint`), and the
//! assembly, solution and checks (`synthesis`).

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

#[doc(hidden)] // shared between the crates, not a public API
pub mod clock;
#[doc(hidden)] // shared with aplomb-world, not a public API
pub mod constraint;
pub mod objective;
pub mod predict;
pub mod snapshot;
#[doc(hidden)] // shared with aplomb-world, which exports its public part
pub mod synthesis;
