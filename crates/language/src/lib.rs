//! The language of files: TOML with source locations, expressions, kinds by name, and mistakes.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod diagnostic;
#[doc(hidden)] // shared between the crates that read files, not a public API
pub mod expression;
#[cfg(feature = "files")]
#[doc(hidden)] // shared between the crates that read files, not a public API
pub mod files;
#[doc(hidden)] // shared between the crates that read files, not a public API
pub mod namespace;
#[doc(hidden)] // shared between the crates that read files, not a public API
pub mod registry;
#[cfg(feature = "render")]
#[doc(hidden)] // shared between the crates that read files, not a public API
pub mod rendered;
mod spanned;
#[doc(hidden)] // shared between the crates that read files, not a public API
pub mod visible;

pub use spanned::Spanned;

/// Index of a body in `Model::bodies`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub usize);

/// Index of a joint in `Model::joints`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId(pub usize);
