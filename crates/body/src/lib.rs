//! Bodies: models, dynamics and contacts.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod contact;
pub mod dynamics;
pub mod model;
