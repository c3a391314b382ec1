//! The engine for C. What every function does is said where it is; `include/aplomb.h` is made from it.
//!
//! Nothing panics across the border: `status::guard` stops what would.

mod border;
mod character;
mod contact;
mod feedback;
mod passive;
mod snapshot;
mod status;
mod world;
mod worlds;
