//! Scratch memory of a solve, which carries no state to the next one. It belongs to the thread, not to the solver:
//! the problems of many characters are solved sequentially in the same few hundred KB, which stay in the processor's
//! cache.

use super::iterate::Iterate;
use super::working_set::WorkingSet;
use std::cell::RefCell;

thread_local! {
    /// Memory that is not in use.
    static SPARE: RefCell<Vec<Memory>> = const { RefCell::new(Vec::new()) };
}

/// Memory for problems of one size. Its numbers are those of the last solve on this thread, and nothing
/// depends on them.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// Number of unknowns that it is allocated for; `None` if it has to be cleared first.
    size: Option<usize>,
    pub face: WorkingSet,
    pub at: Iterate,
}

impl Memory {
    /// Memory for a problem of this many unknowns and rows.
    pub(super) fn take(size: usize, rows: usize) -> Self {
        let mut memory = SPARE.with_borrow_mut(Vec::pop).unwrap_or_default();
        if memory.size != Some(size) {
            memory.size = Some(size);
            memory.face.reserve(size);
            memory.at.reserve(size, rows);
        }
        memory.at.reserve_rows(rows);
        memory
    }

    /// Keeps the memory for the next solve on this thread; `is_clean`: whether its numbers are finite.
    pub(super) fn give_back(mut self, is_clean: bool) {
        // A problem whose limits are invalid takes no memory.
        if self.size.is_none() {
            return;
        }
        if !is_clean {
            self.size = None;
            self.face.wipe();
        }
        SPARE.with_borrow_mut(|spare| spare.push(self));
    }
}
