//! What comes over the border as pointers.

use crate::status::{AplombStatus, Failure};
use std::ffi::{CStr, c_char};

/// A string passed by the caller.
///
/// # Safety
/// NULL, or a NUL-terminated string that stays valid during the call.
pub unsafe fn text<'a>(what: &str, text: *const c_char) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(Failure::argument(format!("{what} is NULL")));
    }
    // SAFETY: as asked of the caller.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Failure::argument(format!("{what} is not UTF-8")))
}

/// Three numbers passed by the caller; `None` for NULL.
///
/// # Safety
/// NULL, or a pointer to 3 numbers.
pub unsafe fn triple(numbers: *const f64) -> Option<[f64; 3]> {
    // SAFETY: as asked of the caller; arrays of numbers are aligned as numbers.
    unsafe { numbers.cast::<[f64; 3]>().as_ref() }.copied()
}

/// An array of `count` numbers passed by the caller.
///
/// # Safety
/// NULL, or a pointer to `count` numbers.
pub unsafe fn numbers<'a>(what: &str, numbers: *const f64, count: usize) -> Result<&'a [f64], Failure> {
    match numbers.is_null() {
        true => Err(Failure::argument(format!("{what} is NULL"))),
        // SAFETY: as asked of the caller.
        false => Ok(unsafe { std::slice::from_raw_parts(numbers, count) }),
    }
}

/// A pointer to which a result is written.
///
/// # Safety
/// NULL, or a valid pointer that nobody else uses during the call.
pub unsafe fn place<'a, T>(what: &str, place: *mut T) -> Result<&'a mut T, Failure> {
    // SAFETY: as asked of the caller.
    unsafe { place.as_mut() }.ok_or_else(|| Failure::argument(format!("{what} is NULL")))
}

/// Copies values into an array of the caller of length `capacity` and writes their number to `count` unless that is
/// NULL. With `out` NULL and `capacity` 0 only the number is written.
///
/// # Safety
/// `out` is NULL or an array of length `capacity`; `count` is NULL or a valid pointer.
pub unsafe fn fill<T: Copy>(
    values: &[T],
    out: *mut T,
    capacity: usize,
    count: *mut usize,
) -> Result<(), Failure> {
    // SAFETY: as asked of the caller.
    if let Some(count) = unsafe { count.as_mut() } {
        *count = values.len();
        if out.is_null() && capacity == 0 {
            return Ok(());
        }
    }
    if out.is_null() {
        return Err(Failure::argument("the array is NULL"));
    }
    if capacity < values.len() {
        let message = format!("there are {}, and the array has room for {capacity}", values.len());
        return Err(Failure::new(AplombStatus::Size, message));
    }
    // SAFETY: there is room, and the engine's memory is not the caller's.
    unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), out, values.len()) };
    Ok(())
}

/// Copies a NUL-terminated string into a buffer of the caller of `capacity` bytes.
///
/// # Safety
/// `out` is NULL or a buffer of `capacity` bytes.
pub unsafe fn say(text: &str, out: *mut c_char, capacity: usize) -> Result<(), Failure> {
    let bytes: Vec<c_char> = text.bytes().chain([0]).map(|byte| byte as c_char).collect();
    // SAFETY: as asked of the caller.
    unsafe { fill(&bytes, out, capacity, std::ptr::null_mut()) }
}
