//! Calls into a library that may panic, without a word on the terminal.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// What `call` gives, or `None` where it panics. Panics of other threads are reported as ever.
pub fn attempt<T>(call: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panicked| {
            if !QUIET.get() {
                report(panicked);
            }
        }));
    });
    QUIET.set(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(call)).ok();
    QUIET.set(false);
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_nothing_and_anything_else_is_itself() {
        assert_eq!(attempt(|| 3), Some(3));
        let none: [i32; 0] = [];
        assert_eq!(attempt(|| none[none.len()]), None);
        assert!(!QUIET.get());
    }
}
