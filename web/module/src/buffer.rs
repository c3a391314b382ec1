//! The two buffers that the page reads: the last text, and the last numbers.

use std::cell::RefCell;

thread_local! {
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static NUMBERS: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) };
}

/// Replaces the text. Nothing borrows the buffer between calls, so this cannot fail, not even in a panic hook.
pub fn put_text(text: Vec<u8>) {
    TEXT.set(text);
}

/// Address and length of the text.
pub fn text() -> (*const u8, usize) {
    TEXT.with_borrow(|text| (text.as_ptr(), text.len()))
}

/// Writes new numbers; their memory is reused.
pub fn fill_numbers(fill: impl FnOnce(&mut Vec<f64>)) {
    let mut numbers = NUMBERS.take();
    numbers.clear();
    fill(&mut numbers);
    NUMBERS.set(numbers);
}

/// Address and length of the numbers.
pub fn numbers() -> (*const f64, usize) {
    NUMBERS.with_borrow(|numbers| (numbers.as_ptr(), numbers.len()))
}
