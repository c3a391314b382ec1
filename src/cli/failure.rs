//! Errors that stop a command, with their messages and exit codes.

use crate::language::diagnostic::{FileError, FileErrors};
use crate::language::files::{NotFound, Override};
use crate::language::rendered::Rendered;
use crate::math::seconds::seconds;
use crate::scene::LoadError;
use crate::trace::{Stopped, TraceError};
use crate::view::export::ExportError;
use crate::view::film::FilmError;
use crate::view::plot::PlotError;
use crate::world::StepError;
use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

/// Exit code of wrong usage and of files with errors.
pub(super) const USAGE: u8 = 2;
/// Exit code when something could not be written.
const CANNOT_WRITE: u8 = 3;

/// Exit code if another process writes to the same folder.
const IN_USE: u8 = 5;

/// Why a command stopped.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Arguments that refer to nothing, or conflict with each other.
    #[error("{message}")]
    Usage {
        /// The error of the arguments.
        message: String,
        /// Help.
        help: Option<String>,
    },
    /// Mistakes in files, each with its location.
    #[error("there are errors in the files")]
    Mistakes(FileErrors),
    /// A file that does not exist or cannot be read.
    #[error(transparent)]
    NotFound(#[from] NotFound),
    /// A weight or response became unusable during the run.
    #[error(transparent)]
    Value(#[from] StepError),
    /// A run that ended because a value cannot be used. Its frames are kept.
    #[error("the run ended at {} s: {}", seconds(_0.at), _0.reason)]
    Stopped(Stopped),
    /// A trace that cannot be written or read.
    #[error("cannot use {}", path.display())]
    Trace {
        /// Path of the trace.
        path: PathBuf,
        /// What went wrong.
        source: TraceError,
    },
    /// A picture that could not be made.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// A trace that could not be exported.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A film that could not be made.
    #[error(transparent)]
    Film(#[from] FilmError),
    /// A file that could not be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
}

impl Failure {
    pub(super) fn usage(message: impl Into<String>) -> Self {
        Failure::Usage { message: message.into(), help: None }
    }

    pub(super) fn write(path: &Path, source: io::Error) -> Self {
        // If a folder cannot be made, the system reports only that a file of this name exists.
        let is_other = source.kind() == io::ErrorKind::AlreadyExists && path.exists() && !path.is_dir();
        let source = if is_other { io::Error::other("it exists and is not a directory") } else { source };
        Failure::Write { path: path.to_path_buf(), source }
    }

    pub(super) fn trace(path: &Path, source: TraceError) -> Self {
        Failure::Trace { path: path.to_path_buf(), source }
    }

    /// 2 for usage and bad files, 3 for output that cannot be written, 5 for a folder in use by another
    /// process.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Failure::Write { .. }
            | Failure::Plot(PlotError::Write { .. })
            | Failure::Film(FilmError::Write { .. } | FilmError::Plot(PlotError::Write { .. }))
            | Failure::Export(ExportError::Write { .. })
            | Failure::Trace { source: TraceError::Write { .. } | TraceError::Library(_), .. } => {
                CANNOT_WRITE
            }
            Failure::Trace { source: TraceError::InUse { .. }, .. } => IN_USE,
            _ => USAGE,
        }
    }

    /// The messages, one per mistake.
    pub(super) fn said(&self) -> Vec<Rendered> {
        match self {
            Failure::Mistakes(mistakes) => mistakes.iter().map(Rendered::from).collect(),
            Failure::NotFound(missing) => vec![missing.into()],
            Failure::Plot(PlotError::File(mistakes)) => mistakes.iter().map(Rendered::from).collect(),
            Failure::Export(ExportError::Model(mistakes)) => mistakes.iter().map(Rendered::from).collect(),
            Failure::Usage { message, help } => vec![Rendered::plain(message.clone(), help.clone())],
            // The trace's own message has its path, if there is one.
            Failure::Trace {
                source: source @ (TraceError::Read { .. } | TraceError::Write { .. }), ..
            } => vec![Rendered::plain(chain(source), None)],
            Failure::Trace { source: source @ TraceError::InUse { .. }, .. } => {
                let help = "wait for it to end, or name another folder with `--out`";
                vec![Rendered::plain(source.to_string(), Some(help.into()))]
            }
            Failure::Trace { source: TraceError::NoHeader { .. } | TraceError::Damaged { .. }, .. } => {
                vec![Rendered::plain(chain(self), Some("`aplomb repair` may save a part of it".into()))]
            }
            other => vec![Rendered::plain(chain(other), None)],
        }
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::NotFound(missing) => Failure::NotFound(missing),
            LoadError::Mistakes(mistakes) => Failure::Mistakes(mistakes),
        }
    }
}

impl From<FileErrors> for Failure {
    fn from(mistakes: FileErrors) -> Self {
        Failure::Mistakes(mistakes)
    }
}

impl From<FileError> for Failure {
    fn from(mistake: FileError) -> Self {
        Failure::Mistakes(mistake.into())
    }
}

/// The message with its causes: `cannot write x: permission denied`.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        // Some libraries repeat the message of their cause.
        if !text.ends_with(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}

/// Refuses values of `--set` that each run replaces: those at the `varied` paths, because of what `replaces` says.
///
/// # Errors
/// The first such value.
pub(super) fn refuse_overruled<'a>(
    overrides: &[String],
    varied: impl Iterator<Item = &'a str> + Clone,
    replaces: &str,
) -> Result<(), Failure> {
    for argument in overrides {
        let Ok(set) = Override::parse(argument) else { continue };
        if varied.clone().any(|path| set.is_within(path)) {
            let message = format!("`--set {argument}` has no effect: {replaces}");
            return Err(Failure::Usage { message, help: Some("leave one of them out".into()) });
        }
    }
    Ok(())
}
