//! Identifiers of the bindings of controllers to models.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counter of bindings.
static BINDINGS: AtomicU64 = AtomicU64::new(0);

/// A number that no other binding has.
pub fn next_binding() -> u64 {
    BINDINGS.fetch_add(1, Ordering::Relaxed)
}
