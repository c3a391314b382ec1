//! The clock for timings.
//!
//! WebAssembly without a host has no clock, and [`std::time::Instant::now`] panics there: timings are zero,
//! and the caller of the module must measure them.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

/// A clock that does not advance.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
#[derive(Clone, Copy, Debug)]
pub struct Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
impl Instant {
    /// The current time.
    pub fn now() -> Self {
        Instant
    }

    /// The elapsed time, which is always zero.
    pub fn elapsed(&self) -> std::time::Duration {
        std::time::Duration::ZERO
    }
}
