//! Elementary functions that give the same bits on every machine.
//!
//! The platform's mathematics library chooses among its own forms by processor, and other platforms round otherwise;
//! these are compiled with the program (crate `libm`, a port of musl's). Everything that moves uses them, and so does
//! `nalgebra` (its feature `libm-force`); a lint refuses the methods of `f64` (`clippy.toml`). The square root is
//! exact everywhere and needs no other.

pub use libm::{atan2, cos, exp, hypot, log, pow, sin, sincos, tan};
