//! How a call ended: a code, and a text.

use aplomb::language::files::{NotFound, ReadError};
use aplomb::scene::LoadError;
use aplomb::world::character::CharacterError;
use aplomb::world::feedback::FeedbackError;
use aplomb::world::{StepError, WorldError};
use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Result of a call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AplombStatus {
    /// Success.
    Ok = 0,
    /// A pointer is NULL that must not be, or a string is not UTF-8.
    Argument = 1,
    /// A file does not exist or cannot be read.
    NotFound = 2,
    /// A file or text has mistakes. The error message has one line for each: `file:line:column: what is wrong`.
    File = 3,
    /// An unknown name, a number out of range, or a character or object that does not exist.
    Value = 4,
    /// A frame cannot be computed. The world is in the state at the beginning of that frame; restore a snapshot to
    /// continue.
    Step = 5,
    /// An array of the caller is too small; the error message states the length that it needs.
    Size = 6,
    /// An internal error of the engine. Free the world, and please report it.
    Defect = 7,
}

/// Why a call failed.
pub struct Failure {
    status: AplombStatus,
    text: String,
}

impl Failure {
    pub fn new(status: AplombStatus, text: impl Into<String>) -> Self {
        Failure { status, text: text.into() }
    }

    pub fn argument(text: impl Into<String>) -> Self {
        Failure::new(AplombStatus::Argument, text)
    }

    pub fn value(text: impl Into<String>) -> Self {
        Failure::new(AplombStatus::Value, text)
    }
}

impl From<NotFound> for Failure {
    fn from(error: NotFound) -> Self {
        Failure::new(AplombStatus::NotFound, format!("{error:#}"))
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::NotFound(error) => error.into(),
            ReadError::Mistakes(mistakes) => Failure::new(AplombStatus::File, mistakes.to_string()),
        }
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::NotFound(error) => error.into(),
            LoadError::Mistakes(mistakes) => Failure::new(AplombStatus::File, mistakes.to_string()),
        }
    }
}

impl From<WorldError> for Failure {
    fn from(error: WorldError) -> Self {
        let status = match &error {
            WorldError::Character(CharacterError::Controller(_)) => AplombStatus::File,
            _ => AplombStatus::Value,
        };
        Failure::new(status, error.to_string())
    }
}

impl From<StepError> for Failure {
    fn from(error: StepError) -> Self {
        Failure::new(AplombStatus::Step, error.to_string())
    }
}

impl From<FeedbackError> for Failure {
    fn from(error: FeedbackError) -> Self {
        match error {
            FeedbackError::World(error) => error.into(),
            FeedbackError::Step(error) => error.into(),
        }
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

fn say(text: String) {
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    LAST.with(|last| *last.borrow_mut() = text);
}

/// Does the work and turns errors and panics into a status and a message.
pub fn guard(work: impl FnOnce() -> Result<(), Failure>) -> AplombStatus {
    // A world that panicked is to be freed, which the code says.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => AplombStatus::Ok,
        Ok(Err(Failure { status, text })) => {
            say(text);
            status
        }
        Err(panic) => {
            say(said_by(&*panic));
            AplombStatus::Defect
        }
    }
}

/// Message of a panic.
fn said_by(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown".into())
}

/// Why the last failed call of this thread failed. The string is valid until the next failing call of this thread; it
/// is empty if none has failed.
#[unsafe(no_mangle)]
pub extern "C" fn aplomb_last_error() -> *const c_char {
    LAST.with(|last| last.borrow().as_ptr())
}

/// Version of the library, such as `0.2.0`.
#[unsafe(no_mangle)]
pub extern "C" fn aplomb_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    #[test]
    fn a_panic_is_a_code_with_its_text() {
        let status = guard(|| panic!("the knee is {}", "off"));
        assert_eq!(status, AplombStatus::Defect);
        // SAFETY: a text of this thread that nothing has replaced.
        let said = unsafe { CStr::from_ptr(aplomb_last_error()) };
        assert_eq!(said.to_str(), Ok("the knee is off"));
    }
}
