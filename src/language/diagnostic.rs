//! Mistakes in files people write, said with file, line, column, the source line and the nearest right name.

use miette::{Diagnostic, NamedSource, SourceSpan};
use std::ops::Range;
use std::sync::Arc;

/// A text a user wrote, with the name to call it by in messages. Values given on the command line may be laid
/// over it; their spans continue after the end of the text, so one number says where any value was written.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path as the user gave it (or as the referring file names it).
    pub name: Arc<str>,
    pub text: Arc<str>,
    overlays: Vec<Overlay>,
}

/// A text that replaces part of a file, such as one `--set` argument.
#[derive(Clone, Debug)]
struct Overlay {
    /// Where its bytes start in the numbering that continues after the file's text.
    start: usize,
    name: Arc<str>,
    text: Arc<str>,
}

impl Source {
    pub fn new(name: impl AsRef<str>, text: impl AsRef<str>) -> Self {
        Source { name: Arc::from(name.as_ref()), text: Arc::from(text.as_ref()), overlays: Vec::new() }
    }

    /// Lays another text over this one and returns the offset at which spans into it start.
    pub fn overlay(&mut self, name: impl AsRef<str>, text: impl AsRef<str>) -> usize {
        // One byte apart, so that the end of one text is not the start of the next.
        let start = 1 + self.overlays.last().map_or(self.text.len(), |last| last.start + last.text.len());
        let (name, text) = (Arc::from(name.as_ref()), Arc::from(text.as_ref()));
        self.overlays.push(Overlay { start, name, text });
        start
    }

    /// Whether `span` lies in a text laid over the file.
    pub fn is_overlaid(&self, span: Range<usize>) -> bool {
        self.overlays.first().is_some_and(|first| first.start <= span.start)
    }

    /// Name and text of the file or overlay that `span` lies in, and the span there.
    pub fn resolve(&self, span: Range<usize>) -> (&Arc<str>, &Arc<str>, Range<usize>) {
        let overlay = self.overlays.iter().rev().find(|overlay| overlay.start <= span.start);
        let (start, name, text) = match overlay {
            Some(overlay) => (overlay.start, &overlay.name, &overlay.text),
            None => (0, &self.name, &self.text),
        };
        let end = span.end.saturating_sub(start).min(text.len());
        (name, text, (span.start - start).min(end)..end)
    }

    /// The text at `span`; empty where the span does not fall between characters.
    pub fn slice(&self, span: Range<usize>) -> &str {
        let (_, text, span) = self.resolve(span);
        text.get(span).unwrap_or("")
    }

    /// File and line of a byte offset.
    pub fn place(&self, offset: usize) -> Place {
        let (name, _, _) = self.resolve(offset..offset);
        Place { file: name.clone(), line: self.line_column(offset).0 }
    }

    /// Line and column of a byte offset, both from 1; columns count characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let (_, text, span) = self.resolve(offset..offset);
        let mut offset = span.start;
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &text[..offset];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |tail| tail.chars().count()) + 1;
        (line, column)
    }
}

/// Where the author of a row, column, objective or event wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Place {
    pub file: Arc<str>,
    /// From 1; 0 where there is no line (built-in rows).
    pub line: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.line == 0 { write!(f, "{}", self.file) } else { write!(f, "{}:{}", self.file, self.line) }
    }
}

/// A mistake in a file. Renders (through miette) as the message, `file:line:column`, the source line with the
/// place underlined, and help.
#[derive(Clone, Debug, thiserror::Error, Diagnostic)]
#[error("{message}")]
pub struct FileError {
    pub message: String,
    #[source_code]
    pub code: NamedSource<String>,
    #[label("{label}")]
    pub span: SourceSpan,
    pub label: String,
    #[help]
    pub help: Option<String>,
}

impl FileError {
    /// `span` is in bytes of `source.text`, or of a text laid over it.
    pub fn new(source: &Source, span: Range<usize>, message: impl Into<String>) -> Self {
        let (name, text, span) = source.resolve(span);
        FileError {
            message: message.into(),
            code: NamedSource::new(&**name, text.to_string()),
            span: (span.start, span.len()).into(),
            label: "here".into(),
            help: None,
        }
    }

    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds «did you mean …?» where a candidate is close, else lists the candidates when they are few.
    pub fn suggest<'a>(self, wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Self {
        let candidates: Vec<&str> = candidates.into_iter().collect();
        match nearest(wrong, candidates.iter().copied()) {
            Some(name) => self.help(format!("did you mean `{name}`?")),
            None if candidates.is_empty() => self,
            None if candidates.len() <= 24 => self.help(format!("known: {}", candidates.join(", "))),
            None => self,
        }
    }

    /// File, line and column, from 1.
    pub fn place(&self) -> (String, usize, usize) {
        let source = Source::new(self.code.name(), self.code.inner());
        let (line, column) = source.line_column(self.span.offset());
        (source.name.to_string(), line, column)
    }

    /// `file:line:column`, from 1.
    pub fn location(&self) -> String {
        let (file, line, column) = self.place();
        format!("{file}:{line}:{column}")
    }
}

/// Something in a file that is legal and probably not what was meant. Renders like a [`FileError`], as a
/// warning.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Warning(pub FileError);

impl Diagnostic for Warning {
    fn severity(&self) -> Option<miette::Severity> {
        Some(miette::Severity::Warning)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        Diagnostic::help(&self.0)
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        self.0.source_code()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = miette::LabeledSpan> + '_>> {
        self.0.labels()
    }
}

/// The candidate nearest to `wrong`, where one is near enough to be what was meant. Ties go to the first.
pub fn nearest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let distance = strsim::damerau_levenshtein(&wrong.to_lowercase(), &candidate.to_lowercase());
        let near = distance <= 1 + candidate.chars().count() / 4;
        if near && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, name)| name)
}

/// The message as a terminal 100 columns wide without colour shows it.
#[cfg(test)]
pub(crate) fn render(error: &dyn Diagnostic) -> String {
    let theme = miette::GraphicalTheme::unicode_nocolor();
    let handler = miette::GraphicalReportHandler::new_themed(theme).with_width(100).with_links(false);
    let mut text = String::new();
    if handler.render_report(&mut text, error).is_err() {
        text.push_str("(cannot be rendered)");
    }
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}
