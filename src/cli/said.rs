//! What a terminal shows of a mistake, a warning or a failure: the message, the line it stands in, and help.

use crate::language::diagnostic::{FileError, Warning};
use crate::language::files::NotFound;
use miette::{
    Diagnostic, GraphicalReportHandler, LabeledSpan, MietteError, MietteSpanContents, Severity, SourceCode,
    SourceSpan, SpanContents,
};
use std::fmt;

/// One message. Its message stands apart from its place, because the place is drawn.
#[derive(Clone, Debug)]
pub struct Said {
    message: String,
    /// Where in a file; `None` for what has no place.
    mistake: Option<FileError>,
    help: Option<String>,
    severity: Severity,
}

impl Said {
    /// A failure without a place in a file.
    pub fn plain(message: String, help: Option<String>) -> Self {
        Said { message, mistake: None, help, severity: Severity::Error }
    }

    /// The message as text that ends each line where the window does, without spaces at the ends and
    /// without empty lines.
    pub fn render(&self, handler: &GraphicalReportHandler) -> String {
        let mut text = String::new();
        if handler.render_report(&mut text, self).is_err() {
            text = format!("{self}\n");
        }
        let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
        lines.fold(String::new(), |all, line| all + line + "\n")
    }
}

impl From<&FileError> for Said {
    fn from(mistake: &FileError) -> Self {
        Said {
            message: mistake.message.clone(),
            mistake: Some(mistake.clone()),
            help: mistake.help.clone(),
            severity: Severity::Error,
        }
    }
}

impl From<&Warning> for Said {
    fn from(Warning(mistake): &Warning) -> Self {
        Said { severity: Severity::Warning, ..Said::from(mistake) }
    }
}

impl From<&NotFound> for Said {
    fn from(missing: &NotFound) -> Self {
        Said::plain(missing.message.clone(), missing.help.clone())
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Said {}

impl Diagnostic for Said {
    fn severity(&self) -> Option<Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.help.as_ref()?))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.mistake.as_ref().map(|_| self as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let mistake = self.mistake.as_ref()?;
        let span = (mistake.span.start, mistake.span.len());
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(Some(mistake.label.clone()), span))))
    }
}

/// The lines around a place, under the file's name.
impl SourceCode for Said {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let mistake = self.mistake.as_ref().ok_or(MietteError::OutOfBounds)?;
        let lines = mistake.text.read_span(span, before, after)?;
        Ok(Box::new(MietteSpanContents::new_named(
            mistake.file.to_string(),
            lines.data(),
            *lines.span(),
            lines.line(),
            lines.column(),
            lines.line_count(),
        )))
    }
}

/// The message as a terminal 100 columns wide without colour shows it.
#[cfg(test)]
pub(crate) fn render(said: impl Into<Said>) -> String {
    let theme = miette::GraphicalTheme::unicode_nocolor();
    let handler = GraphicalReportHandler::new_themed(theme).with_width(100).with_links(false);
    said.into().render(&handler).trim_end().to_string()
}
