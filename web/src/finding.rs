//! Findings on a file or a request, as the page shows them.

use aplomb::analysis::check;
use aplomb::language::diagnostic::{FileError, FileErrors, Source};
use aplomb::language::files::NotFound;
use aplomb::scene::LoadError;
use aplomb::world::WorldError;
use aplomb::world::character::CharacterError;
use serde::Serialize;

/// A finding. Lines and columns count from 1, columns in characters; 0 without a position.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PageFinding {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// The message, without the position.
    pub message: String,
    /// Name of the file.
    pub file: String,
    /// Line of its first character.
    pub line: usize,
    /// Column of its first character.
    pub column: usize,
    /// Line of the first character after it.
    pub end_line: usize,
    /// Column of the first character after it.
    pub end_column: usize,
    /// Help; empty if there is none.
    pub help: String,
    /// Name of the rule that found it; empty if there is none.
    pub rule: &'static str,
}

impl PageFinding {
    fn new(severity: &'static str, error: &FileError) -> Self {
        let source = Source::new(&error.file, &error.text);
        let (line, column) = source.line_column(error.span.start);
        let (end_line, end_column) = source.line_column(error.span.end);
        PageFinding {
            severity,
            message: error.message.clone(),
            file: error.file.to_string(),
            line,
            column,
            end_line,
            end_column,
            help: error.help.clone().unwrap_or_default(),
            rule: error.rule.unwrap_or_default(),
        }
    }
}

/// An error without a position.
pub fn plain(message: impl Into<String>) -> Vec<PageFinding> {
    vec![PageFinding { severity: "error", message: message.into(), ..PageFinding::default() }]
}

/// The error of a request that needs a scene while none is open.
pub fn no_scene() -> Vec<PageFinding> {
    plain("no scene is open")
}

/// The findings of mistakes in files.
pub fn of_errors(errors: &FileErrors) -> Vec<PageFinding> {
    errors.iter().map(|error| PageFinding::new("error", error)).collect()
}

/// The findings of a scene that cannot be loaded.
pub fn of_load(error: &LoadError) -> Vec<PageFinding> {
    match error {
        LoadError::NotFound(missing) => of_missing(missing),
        LoadError::Mistakes(errors) => of_errors(errors),
    }
}

/// The finding of a file that does not exist.
pub fn of_missing(missing: &NotFound) -> Vec<PageFinding> {
    let help = missing.help.clone().unwrap_or_default();
    vec![PageFinding { severity: "error", message: missing.message.clone(), help, ..PageFinding::default() }]
}

/// The findings of a request that a world rejects.
pub fn of_world(error: &WorldError) -> Vec<PageFinding> {
    match error {
        WorldError::Character(CharacterError::Controller(errors)) => of_errors(errors),
        error => plain(error.to_string()),
    }
}

/// Findings of a check, errors and warnings.
pub fn of_check(findings: &[check::Finding]) -> Vec<PageFinding> {
    let each = |finding: &check::Finding| match finding {
        check::Finding::Mistake(error) => vec![PageFinding::new("error", error)],
        check::Finding::Warning(warning) => vec![PageFinding::new("warning", &warning.0)],
        check::Finding::Missing(missing) => of_missing(missing),
    };
    findings.iter().flat_map(each).collect()
}

/// A value as JSON.
pub fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_else(|error| format!("{:?}", error.to_string()).into_bytes())
}
