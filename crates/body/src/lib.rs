//! Bodies: what they are made of, how they move, and where they touch.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod contact;
pub mod dynamics;
pub mod model;
