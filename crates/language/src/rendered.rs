//! Messages on a terminal: a mistake, warning or failure with its line of the file and help.

mod excerpt;

use crate::diagnostic::{FileError, Warning};
use crate::files::NotFound;
use crate::visible::visible;
use excerpt::Excerpt;
use miette::{
    Diagnostic, GraphicalReportHandler, LabeledSpan, MietteError, MietteSpanContents, Severity, SourceCode,
    SourceSpan, SpanContents,
};
use std::fmt;

/// One message, except its place, which is rendered as an excerpt.
#[derive(Clone, Debug)]
pub struct Rendered {
    message: String,
    /// Place in a file; `None` for a message without a place.
    excerpt: Option<Excerpt>,
    /// Text printed below the place.
    label: String,
    help: Option<String>,
    /// Name of the rule that found it.
    rule: Option<&'static str>,
    severity: Severity,
}

impl Rendered {
    /// A failure without a place in a file.
    pub fn plain(message: String, help: Option<String>) -> Self {
        let help = help.map(|help| visible(&help).into_owned());
        let message = visible(&message).into_owned();
        Rendered { message, excerpt: None, label: String::new(), help, rule: None, severity: Severity::Error }
    }

    /// The message as text, wrapped to the window, without trailing spaces and empty lines.
    pub fn render(&self, handler: &GraphicalReportHandler) -> String {
        let mut text = String::new();
        if handler.render_report(&mut text, self).is_err() {
            text = format!("{self}\n");
        }
        let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
        lines.fold(String::new(), |all, line| all + line + "\n")
    }
}

impl From<&FileError> for Rendered {
    fn from(mistake: &FileError) -> Self {
        Rendered {
            excerpt: Some(Excerpt::of(mistake)),
            label: visible(&mistake.label).into_owned(),
            rule: mistake.rule,
            ..Rendered::plain(mistake.message.clone(), mistake.help.clone())
        }
    }
}

impl From<&Warning> for Rendered {
    fn from(Warning(mistake): &Warning) -> Self {
        Rendered { severity: Severity::Warning, ..Rendered::from(mistake) }
    }
}

impl From<&NotFound> for Rendered {
    fn from(missing: &NotFound) -> Self {
        Rendered::plain(missing.message.clone(), missing.help.clone())
    }
}

impl fmt::Display for Rendered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Rendered {}

impl Diagnostic for Rendered {
    fn severity(&self) -> Option<Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        match (&self.help, self.rule) {
            (Some(help), Some(rule)) => Some(Box::new(format!("{help} [{rule}]"))),
            (None, Some(rule)) => Some(Box::new(format!("[{rule}]"))),
            (help, None) => Some(Box::new(help.as_ref()?)),
        }
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|_| self as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let excerpt = self.excerpt.as_ref()?;
        let span = (excerpt.span.start, excerpt.span.len());
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(Some(self.label.clone()), span))))
    }
}

/// The lines around the place, under the file's name.
impl SourceCode for Rendered {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let excerpt = self.excerpt.as_ref().ok_or(MietteError::OutOfBounds)?;
        let lines = excerpt.text.read_span(span, before, after)?;
        // Without context lines, the span is that of the excerpt's heading.
        let (line, column) = match (before, after) {
            (0, 0) => excerpt.place,
            _ => (excerpt.first_line + lines.line(), lines.column()),
        };
        Ok(Box::new(MietteSpanContents::new_named(
            excerpt.file.clone(),
            lines.data(),
            *lines.span(),
            line,
            column,
            lines.line_count(),
        )))
    }
}

/// The message as shown by a terminal 100 columns wide without colour.
pub fn render(message: impl Into<Rendered>) -> String {
    let theme = miette::GraphicalTheme::unicode_nocolor();
    let handler = GraphicalReportHandler::new_themed(theme).with_width(100).with_links(false);
    message.into().render(&handler).trim_end().to_string()
}
