//! Numerics: affine functions of the unknowns, matrices, rotations, spatial vectors, shapes, and the inner loops.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod affine;
#[doc(hidden)] // shared between the crates, not a public API
pub mod dispatch;
#[doc(hidden)] // shared between the crates, not a public API
pub mod elementary;
#[doc(hidden)] // shared between the crates, not a public API
pub mod extent;
pub mod geometry;
#[doc(hidden)] // shared between the crates, not a public API
pub mod interpolation;
#[doc(hidden)] // shared between the crates, not a public API
pub mod kernel;
pub mod matrix;
#[doc(hidden)] // shared between the crates, not a public API
pub mod rotation;
#[doc(hidden)] // how messages display times
pub mod seconds;
pub mod spatial;
#[doc(hidden)] // shared between the crates, not a public API
pub mod spline;
