//! Conversion of errors to the Python exceptions in `aplomb/_errors.py`.

use aplomb::language::diagnostic::{FileError, FileErrors};
use aplomb::language::files::{NotFound, ReadError};
use aplomb::scene::LoadError;
use aplomb::world::character::{CharacterError, UnknownName};
use aplomb::world::feedback::FeedbackError;
use aplomb::world::{ForcesAheadError, StepError, WorldError};
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;

/// An error that occurred without the interpreter's lock.
#[derive(Debug)]
pub enum Trouble {
    /// Another thread, or a Python objective, is using the world.
    Busy,
    Step(StepError),
    World(WorldError),
    /// An exception of a Python objective, or a signal.
    Raised(PyErr),
}

impl From<StepError> for Trouble {
    fn from(error: StepError) -> Self {
        Trouble::Step(error)
    }
}

impl From<WorldError> for Trouble {
    fn from(error: WorldError) -> Self {
        Trouble::World(error)
    }
}

impl From<FeedbackError> for Trouble {
    fn from(error: FeedbackError) -> Self {
        match error {
            FeedbackError::World(error) => Trouble::World(error),
            FeedbackError::Step(error) => Trouble::Step(error),
        }
    }
}

/// The exception for an error of `forces_ahead`.
pub fn forces_ahead(error: ForcesAheadError) -> PyErr {
    match error {
        ForcesAheadError::Step(error) => Trouble::Step(error).into(),
        ForcesAheadError::World(error) => world(error),
    }
}

impl From<PyErr> for Trouble {
    fn from(error: PyErr) -> Self {
        Trouble::Raised(error)
    }
}

impl From<Trouble> for PyErr {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Busy => exception(
                "BusyError",
                "this world is being stepped: one thread at a time, and no objective of its own",
            ),
            Trouble::Step(error) => exception("StepError", &error.to_string()),
            Trouble::World(error) => world(error),
            Trouble::Raised(error) => error,
        }
    }
}

/// An exception of the class with this name in `aplomb._errors`.
pub fn exception(class: &str, message: &str) -> PyErr {
    Python::attach(|py| raised(py, class, (message,)))
}

fn raised<'py>(py: Python<'py>, class: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let class = py.import("aplomb._errors")?.getattr(class)?;
        Ok(PyErr::from_value(class.call1(arguments)?))
    };
    made().unwrap_or_else(|error| error)
}

/// A FileError with all mistakes in files and their positions.
pub fn files(mistakes: &FileErrors) -> PyErr {
    file_errors(mistakes, |mistake| format!("{mistake:#}"))
}

/// A FileError with all mistakes, each with these words.
pub fn file_errors(mistakes: &FileErrors, words: impl Fn(&FileError) -> String) -> PyErr {
    Python::attach(|py| {
        let list: Vec<_> = mistakes.iter().map(mistake).collect();
        let text: Vec<String> = mistakes.iter().map(words).collect();
        raised(py, "FileError", (text.join("\n"), list))
    })
}

type Mistake = (String, usize, usize, String, Option<String>, Option<&'static str>);

fn mistake(mistake: &FileError) -> Mistake {
    let (file, line, column) = mistake.place();
    (file, line, column, mistake.message.clone(), mistake.help.clone(), mistake.rule)
}

pub fn not_found(error: &NotFound) -> PyErr {
    exception("NotFoundError", &format!("{error:#}"))
}

pub fn read(error: ReadError) -> PyErr {
    match error {
        ReadError::NotFound(error) => not_found(&error),
        ReadError::Mistakes(mistakes) => files(&mistakes),
    }
}

pub fn load(error: LoadError) -> PyErr {
    match error {
        LoadError::NotFound(error) => not_found(&error),
        LoadError::Mistakes(mistakes) => files(&mistakes),
    }
}

pub fn world(error: WorldError) -> PyErr {
    match error {
        WorldError::Character(CharacterError::Controller(mistakes)) => files(&mistakes),
        error => exception("WorldError", &error.to_string()),
    }
}

/// A WorldError for an unknown name, with the known names.
pub fn unknown<'k>(what: &'static str, name: &str, known: impl IntoIterator<Item = &'k str>) -> PyErr {
    world(UnknownName::new(what, name, known).into())
}
