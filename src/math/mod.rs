//! Numbers: affine functions of the unknowns, matrices, rotations, spatial vectors, and the loops they run in.

pub mod affine;
pub mod dispatch;
pub mod elementary;
pub mod extent;
pub mod interpolation;
pub(crate) mod kernel;
pub mod matrix;
pub mod rates;
pub mod rotation;
pub mod spatial;
pub mod spline;
