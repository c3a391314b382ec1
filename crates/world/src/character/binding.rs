//! Which binding of a controller to a model is in force.

use std::sync::atomic::{AtomicU64, Ordering};

/// Tells bindings of controllers apart.
static BINDINGS: AtomicU64 = AtomicU64::new(0);

/// A number that no other binding of a controller has.
pub fn next_binding() -> u64 {
    BINDINGS.fetch_add(1, Ordering::Relaxed)
}
