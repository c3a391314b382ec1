//! Diagnostics of a text, as an editor shows them.

mod fix;
mod worker;

pub(crate) use fix::Fix;
pub(crate) use worker::Checker;

use crate::document::{Certainty, TextDocument, uri_of};
use crate::position::{Encoding, LineIndex};
use crate::schema::{self, Expected, expected};
use crate::workspace::{MODEL, OTHER_MODEL, Workspace, shipped_body};
use aplomb_analysis::check::{self, Finding, Kind};
use aplomb_body::model::mjcf::Options;
use aplomb_language::diagnostic::FileError;
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Position, Range,
};
use std::path::Path;

/// The origin of diagnostics that an editor shows.
pub(crate) const ORIGIN: &str = "aplomb";

/// All findings on a text.
pub(crate) fn of(workspace: &Workspace, document: &TextDocument, encoding: Encoding) -> Vec<Diagnostic> {
    // A text whose kind is not certain yet has no diagnostics.
    if document.certainty != Certainty::Sure {
        return Vec::new();
    }
    let shown = ShownText { document, encoding, name: document.source().name };
    findings(workspace, document).iter().map(|finding| shown.finding(finding)).collect()
}

fn findings(workspace: &Workspace, document: &TextDocument) -> Vec<Finding> {
    workspace.with_texts(|| match document.kind {
        Kind::Scene => check::scene_found(document.located()),
        Kind::Controller => controller(workspace, document),
        Kind::Plot => match shipped_body(MODEL) {
            Some(model) => check::plot(&document.source(), &model),
            None => Vec::new(),
        },
        Kind::Model => check::model(&document.source(), &Options::default()),
    })
}

/// Checks a controller with the body of a scene that uses it; without one, with the first shipped body that gives no
/// mistakes, if any.
fn controller(workspace: &Workspace, document: &TextDocument) -> Vec<Finding> {
    let source = document.source();
    if workspace.has_own_body(document) {
        return workspace.body(document).map_or_else(Vec::new, |body| check::controller(&source, &body, &[]));
    }
    let with = |name| shipped_body(name).map(|body| check::controller(&source, &body, &[]));
    let found = with(MODEL).unwrap_or_default();
    if found.iter().all(Finding::is_warning) {
        workspace.set_other_body(document, false);
        return found;
    }
    let other = with(OTHER_MODEL).filter(|other| other.iter().all(Finding::is_warning));
    workspace.set_other_body(document, other.is_some());
    other.unwrap_or(found)
}

/// A text that findings are shown in.
struct ShownText<'a> {
    document: &'a TextDocument,
    encoding: Encoding,
    /// Its name in messages.
    name: std::sync::Arc<str>,
}

impl ShownText<'_> {
    fn finding(&self, finding: &Finding) -> Diagnostic {
        match finding {
            Finding::Mistake(error) => self.error(error, DiagnosticSeverity::ERROR),
            Finding::Warning(warning) => self.error(&warning.0, DiagnosticSeverity::WARNING),
            Finding::Missing(missing) => {
                let start = Position::default();
                Diagnostic {
                    range: Range { start, end: start },
                    severity: Some(DiagnosticSeverity::ERROR),
                    source: Some(ORIGIN.into()),
                    message: with_help(missing.message.clone(), missing.help.as_deref()),
                    ..Diagnostic::default()
                }
            }
        }
    }

    fn error(&self, error: &FileError, severity: DiagnosticSeverity) -> Diagnostic {
        let mut diagnostic = Diagnostic {
            severity: Some(severity),
            code: error.rule.map(|rule| NumberOrString::String(rule.into())),
            source: Some(ORIGIN.into()),
            message: with_help(error.message.clone(), error.help.as_deref()),
            ..Diagnostic::default()
        };
        if error.file == self.name {
            let (text, lines) = (&self.document.text, &self.document.lines);
            diagnostic.range = lines.range(text, &visible(text, error.span.clone()), self.encoding);
            let fix = fix::of(self.document, error, self.encoding);
            diagnostic.data = fix.and_then(|fix| serde_json::to_value(fix).ok());
            return diagnostic;
        }
        let lines = LineIndex::of(&error.text);
        let there = lines.range(&error.text, &error.span, self.encoding);
        let line = there.start.line + 1;
        let file = error.file.rsplit('/').next().unwrap_or(&error.file);
        diagnostic.message = format!("{file}:{line}: {}", diagnostic.message);
        diagnostic.range = self.reference_to(&error.file);
        let uri = Some(Path::new(&*error.file)).filter(|path| path.is_absolute()).and_then(uri_of);
        diagnostic.related_information = uri.map(|uri| {
            let location = Location { uri, range: there };
            vec![DiagnosticRelatedInformation { location, message: error.message.clone() }]
        });
        diagnostic
    }

    /// The place at which the text refers to another file; the text's beginning if none is found.
    fn reference_to(&self, file: &str) -> Range {
        let TextDocument { text, lines, outline, kind, .. } = self.document;
        let stem = |path: &str| Path::new(path).file_stem().map(|stem| stem.to_os_string());
        let is_reference = |path: &[crate::outline::PathStep]| {
            schema::of(*kind).is_some_and(|schema| matches!(expected(schema, *kind, path), Expected::File(_)))
        };
        let found = outline.items.iter().find(|item| {
            let reference = item.inner().and_then(|inner| text.get(inner));
            reference.is_some_and(|reference| stem(reference) == stem(file)) && is_reference(&item.path)
        });
        let span = found.map_or(0..0, |item| item.span.clone());
        lines.range(text, &span, self.encoding)
    }
}

/// A span that is visible: an empty one is extended to the end of its line.
fn visible(text: &str, span: std::ops::Range<usize>) -> std::ops::Range<usize> {
    if !span.is_empty() {
        return span;
    }
    let rest = text.get(span.start..).unwrap_or_default();
    span.start..span.start + rest.lines().next().map_or(0, str::len)
}

fn with_help(message: String, help: Option<&str>) -> String {
    match help {
        Some(help) => format!("{message}\nhelp: {help}"),
        None => message,
    }
}
