//! The functions of the module. Texts are passed by address and length; all calls come from one thread.
//!
//! A function that can fail returns 0 on success, otherwise another number, and the text is then a list of findings.
//! After a panic, which ends the instance, the text is `{"panic": …}`.

use crate::buffer;
use aplomb_web::answer::answer;
use aplomb_web::finding;
use aplomb_web::numbers;
use aplomb_web::record;
use aplomb_web::request::Request;
use aplomb_web::session::PageSession;
use serde::Serialize;
use std::cell::RefCell;

thread_local! {
    static SESSION: RefCell<Option<PageSession>> = const { RefCell::new(None) };
}

/// Makes panics leave their message as the text. Call it once, before anything else.
#[unsafe(no_mangle)]
pub extern "C" fn aplomb_start() {
    std::panic::set_hook(Box::new(|panic| {
        buffer::put_text(finding::json(&serde_json::json!({"panic": panic.to_string()})));
    }));
}

/// Allocates memory for a text of this length, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn aplomb_alloc(length: usize) -> *mut u8 {
    let mut memory = Vec::<u8>::with_capacity(length.max(1));
    let address = memory.as_mut_ptr();
    std::mem::forget(memory);
    address
}

/// Frees memory returned by [`aplomb_alloc`].
///
/// # Safety
/// `address` was returned by a call with the same length, and has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_free(address: *mut u8, length: usize) {
    // SAFETY: guaranteed by the caller.
    drop(unsafe { Vec::from_raw_parts(address, 0, length.max(1)) });
}

/// Address of the last text.
#[unsafe(no_mangle)]
pub extern "C" fn aplomb_text() -> *const u8 {
    buffer::text().0
}

/// Length of the last text, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn aplomb_text_length() -> usize {
    buffer::text().1
}

/// Address of the last numbers.
#[unsafe(no_mangle)]
pub extern "C" fn aplomb_numbers() -> *const f64 {
    buffer::numbers().0
}

/// Number of the last numbers.
#[unsafe(no_mangle)]
pub extern "C" fn aplomb_numbers_length() -> usize {
    buffer::numbers().1
}

/// Handles a request; the answer is the text.
///
/// # Safety
/// `address` and `length` describe readable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_ask(address: *const u8, length: usize) -> u32 {
    // SAFETY: guaranteed by the caller.
    let bytes = unsafe { std::slice::from_raw_parts(address, length) };
    let request: Request = match serde_json::from_slice(bytes) {
        Ok(request) => request,
        Err(error) => return give::<()>(Err(finding::plain(format!("not a request: {error}")))),
    };
    SESSION.with_borrow_mut(|session| give(answer(session, request)))
}

/// Computes up to `frames` further frames.
#[unsafe(no_mangle)]
pub extern "C" fn aplomb_step(frames: u32) -> u32 {
    with_session(|session| (0..frames).try_for_each(|_| session.step()))
}

/// Writes the data for drawing the present frame as the numbers, in the order of [`numbers`].
#[unsafe(no_mangle)]
pub extern "C" fn aplomb_look() -> u32 {
    with_session(|session| {
        buffer::fill_numbers(|out| numbers::write(session, out));
        Ok(())
    })
}

/// Computes the next frame as `aplomb run` does, including criteria. The text is its complete record, the numbers are
/// the digest of that text. Returns 2 if the run has ended.
#[unsafe(no_mangle)]
pub extern "C" fn aplomb_record() -> u32 {
    SESSION.with_borrow_mut(|session| {
        let Some(session) = session else { return give::<()>(Err(finding::no_scene())) };
        match record::next(session) {
            Ok(Some(text)) => {
                buffer::fill_numbers(|out| out.extend(record::digest(&text)));
                buffer::put_text(text);
                0
            }
            Ok(None) => 2,
            Err(findings) => give::<()>(Err(findings)),
        }
    })
}

fn with_session(act: impl FnOnce(&mut PageSession) -> Result<(), Vec<finding::PageFinding>>) -> u32 {
    SESSION.with_borrow_mut(|session| match session {
        None => give::<()>(Err(finding::no_scene())),
        Some(session) => match act(session) {
            Ok(()) => 0,
            Err(findings) => give::<()>(Err(findings)),
        },
    })
}

/// Makes an answer the text; returns the status.
fn give<T: Serialize>(answer: Result<T, Vec<finding::PageFinding>>) -> u32 {
    match answer {
        Ok(value) => {
            buffer::put_text(finding::json(&value));
            0
        }
        Err(findings) => {
            buffer::put_text(finding::json(&findings));
            1
        }
    }
}
