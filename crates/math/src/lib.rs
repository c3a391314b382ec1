//! Numbers: affine functions of the unknowns, matrices, rotations, spatial vectors, and the loops they run
//! in.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod affine;
pub mod dispatch;
pub mod elementary;
pub mod extent;
pub mod geometry;
pub mod interpolation;
pub mod kernel;
pub mod matrix;
pub mod rates;
pub mod rotation;
pub mod spatial;
pub mod spline;
