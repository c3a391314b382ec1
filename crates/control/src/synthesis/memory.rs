//! Memory that a frame needs only while it is solved. It belongs to the thread, not to the character: the
//! frames of a crowd are solved sequentially in the same memory, which stays in the processor's cache.

use super::Synthesiser;
use super::terms::FrameTerms;
use crate::predict::PassingMemory;
use aplomb_math::matrix::RowMatrix;
use std::cell::RefCell;

thread_local! {
    /// Memories that are not in use. Characters that act on each other each use one at the same time.
    static SPARE: RefCell<Vec<FrameMemory>> = const { RefCell::new(Vec::new()) };
}

/// Allocations whose contents are not kept.
#[derive(Default)]
struct FrameMemory {
    terms: FrameTerms,
    linearisation: PassingMemory,
    hessian: RowMatrix,
    rows: RowMatrix,
}

impl Synthesiser {
    /// Takes memory from the thread, unless the character already has some.
    pub(super) fn take_memory(&mut self) {
        if !std::mem::replace(&mut self.has_memory, true)
            && let Some(mut memory) = SPARE.with_borrow_mut(Vec::pop)
        {
            self.exchange(&mut memory);
        }
    }

    /// Returns the memory of the frame for the next character of the thread. Call it when the frame's solution has
    /// been accepted. The labels and limits of the problem are kept.
    pub fn end_frame(&mut self) {
        if self.keeps_problem || !std::mem::take(&mut self.has_memory) {
            return;
        }
        let mut memory = FrameMemory::default();
        self.exchange(&mut memory);
        SPARE.with_borrow_mut(|spare| spare.push(memory));
    }

    fn exchange(&mut self, memory: &mut FrameMemory) {
        use std::mem::swap;
        swap(&mut self.terms, &mut memory.terms);
        self.linearisation.exchange(&mut memory.linearisation);
        swap(&mut self.qp.hessian, &mut memory.hessian);
        swap(&mut self.qp.rows, &mut memory.rows);
    }
}
