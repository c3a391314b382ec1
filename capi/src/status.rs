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

/// How a call ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AplombStatus {
    /// It did what it says.
    Ok = 0,
    /// A pointer is NULL that must not be, or a text is no UTF-8.
    Argument = 1,
    /// A file is nowhere, or cannot be read.
    NotFound = 2,
    /// There are mistakes in a file or text: a line each in the error's text, `file:line:column: what is wrong`.
    File = 3,
    /// A name that nothing has, a number out of its range, a character or object that there is not.
    Value = 4,
    /// A frame cannot be computed. The world is where the frame began; restore a snapshot to go on.
    Step = 5,
    /// The caller's array is too small; how many numbers it needs is in the error's text.
    Size = 6,
    /// A defect of the engine. The world should be freed; please report it.
    Defect = 7,
}

/// Why a call did not do what it says.
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

/// Does the work, and turns all that goes wrong into a code and a text.
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

/// What a panic says.
fn said_by(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown".into())
}

/// In words, why the last call of this thread that failed did so. The text stays until the next call of this thread that
/// fails; it is empty where none has.
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
