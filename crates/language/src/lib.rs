//! The language of files: TOML with places, expressions, kinds by name, and mistakes.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod diagnostic;
pub mod expression;
#[cfg(feature = "files")]
pub mod files;
mod id;
pub mod namespace;
pub mod registry;
#[cfg(feature = "render")]
pub mod rendered;
mod spanned;
pub mod visible;

pub use id::{BodyId, JointId};
pub use spanned::Spanned;
