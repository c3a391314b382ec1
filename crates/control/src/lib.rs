//! One frame's quadratic program: what is (snapshot), what could become (predict), what is wanted (objective), what must
//! hold (constraint), and how it is assembled, solved and checked (synthesis).

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod constraint;
pub mod objective;
pub mod predict;
pub mod snapshot;
pub mod synthesis;
