//! Elementary functions that give the same bits on every machine.
//!
//! The mathematics library of a platform selects among its own forms by processor, and platforms round
//! differently; these functions are compiled with the program (crate `libm`, a port of musl's). All
//! simulation code uses them, and so does `nalgebra` (its feature `libm-force`); a lint rejects the methods
//! of `f64` (`clippy.toml`). The square root is exact on all platforms.

pub use libm::{atan2, cos, exp, hypot, log, pow, sin, sincos, tan};
