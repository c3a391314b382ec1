//! Messages about mistakes in files, with file, line, column, the source line and the most similar name.

use super::Spanned;
use super::namespace::Namespace;
use super::visible;
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;

/// A text that a user wrote, with its name in messages. It may have overlays, such as values given on the command
/// line; their spans continue after the end of the text, so that one number identifies the place of any value.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path as given by the user (or in the referring file).
    pub name: Arc<str>,
    /// The whole text, followed by its overlays.
    pub text: Arc<str>,
    /// Path that it was read from, to resolve the files that it refers to; `None` for text without a file.
    pub path: Option<Arc<Path>>,
    overlays: Vec<Overlay>,
    /// Names of the file's parts in the composed controller, where they differ.
    namespace: Option<Arc<Namespace>>,
    /// Texts of included files that replace those on disk.
    kept: Arc<[Kept]>,
}

/// The text of an included file at the time it was read.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Names of the includes that lead to it, joined by dots, and the file's name: `step: balance.toml`.
    pub label: String,
    /// The text.
    pub source: Source,
}

/// Text that replaces part of a file, such as one `--set` argument, or the text of an included file.
#[derive(Clone, Debug)]
struct Overlay {
    /// Offset of its first byte, counted from the file's text onwards.
    start: usize,
    name: Arc<str>,
    text: Arc<str>,
    /// The included file; `None` for a value.
    file: Option<IncludedFile>,
}

/// Properties of the text of an included file.
#[derive(Clone, Debug)]
struct IncludedFile {
    path: Option<Arc<Path>>,
    namespace: Arc<Namespace>,
}

impl Source {
    /// Text with its name in messages.
    pub fn new(name: impl AsRef<str>, text: impl AsRef<str>) -> Self {
        Source {
            name: Arc::from(name.as_ref()),
            text: Arc::from(text.as_ref()),
            path: None,
            overlays: Vec::new(),
            namespace: None,
            kept: Arc::new([]),
        }
    }

    /// Sets the path that the text was read from.
    pub fn from_file(self, path: &Path) -> Self {
        Source { path: Some(Arc::from(path)), ..self }
    }

    /// Adds an overlay and returns the offset at which spans into it start.
    pub fn overlay(&mut self, name: impl AsRef<str>, text: impl AsRef<str>) -> usize {
        // One byte apart, so that the end of one text is not the start of the next.
        let start = self.end();
        let (name, text) = (Arc::from(name.as_ref()), Arc::from(text.as_ref()));
        self.overlays.push(Overlay { start, name, text, file: None });
        start
    }

    /// Offset at which spans into the next text begin.
    fn end(&self) -> usize {
        1 + self.overlays.last().map_or(self.text.len(), |last| last.start + last.text.len())
    }

    /// Adds the text of a file that this one includes, and returns the offset at which spans into it start.
    pub fn include(&mut self, included: &Source) -> usize {
        let (start, file) =
            (self.end(), IncludedFile { path: included.path.clone(), namespace: Arc::default() });
        let (name, text) = (included.name.clone(), included.text.clone());
        self.overlays.push(Overlay { start, name, text, file: Some(file) });
        start
    }

    /// Sets the names of an included file's parts in the composed controller, by the offset at which it
    /// starts; 0 is the file itself.
    pub fn set_namespace(&mut self, start: usize, namespace: Namespace) {
        if start == 0 {
            self.namespace = Some(namespace.into());
            return;
        }
        let overlay = self.overlays.iter_mut().find(|overlay| overlay.start == start);
        if let Some(file) = overlay.and_then(|overlay| overlay.file.as_mut()) {
            file.namespace = namespace.into();
        }
    }

    /// Names of parts at this offset in the composed controller; `None` where they are the same. Overlays use
    /// the composed names.
    pub fn namespace(&self, offset: usize) -> Option<&Namespace> {
        let overlay = self.overlays.iter().rev().find(|overlay| overlay.start <= offset);
        match overlay.and_then(|overlay| overlay.file.as_ref()) {
            Some(file) => Some(&file.namespace),
            None => self.namespace.as_deref(),
        }
    }

    /// Name of a part of the body, with left and right exchanged where the file is mirrored.
    pub fn mirrored<'n>(&self, name: &'n Spanned<String>) -> Cow<'n, str> {
        let text = name.get_ref().as_str();
        self.namespace(name.span().start).map_or(Cow::Borrowed(text), |of_file| of_file.mirrored(text))
    }

    /// Whether left and right are exchanged at this offset.
    pub fn is_mirrored(&self, offset: usize) -> bool {
        self.namespace(offset).is_some_and(|of_file| of_file.is_mirrored)
    }

    /// The texts of the included files, one for each include.
    pub fn included(&self) -> impl Iterator<Item = Kept> {
        self.overlays.iter().filter_map(|overlay| {
            let file = overlay.file.as_ref()?;
            let source = Source { path: file.path.clone(), ..Source::new(&overlay.name, &overlay.text) };
            Some(Kept { label: label(&file.namespace.prefix, &overlay.name), source })
        })
    }

    /// This text with the given texts for included files of the same labels.
    pub fn with_kept(self, kept: Vec<Kept>) -> Self {
        Source { kept: kept.into(), ..self }
    }

    /// The file at an offset, alone; for an overlay, the file itself.
    pub fn file_at(&self, offset: usize) -> Self {
        let overlay = self.overlays.iter().rev().find(|overlay| overlay.start <= offset);
        match overlay.and_then(|overlay| Some((overlay, overlay.file.as_ref()?))) {
            Some((overlay, file)) => {
                Source { path: file.path.clone(), ..Source::new(&overlay.name, &overlay.text) }
            }
            None => Source { path: self.path.clone(), ..Source::new(&self.name, &self.text) },
        }
    }

    /// The stored text of the file of a reference in the includes of `prefix`.
    pub fn kept(&self, prefix: &str, reference: &str) -> Option<&Source> {
        let wanted = label(prefix, reference);
        let is_meant = |kept: &&Kept| {
            kept.label == wanted || kept.label.strip_suffix(".toml").is_some_and(|bare| bare == wanted)
        };
        self.kept.iter().find(is_meant).map(|kept| &kept.source)
    }

    /// The file without overlays, with the texts of its included files.
    pub fn alone(&self) -> Self {
        let kept = self.included().collect();
        Source { path: self.path.clone(), ..Source::new(&self.name, &self.text) }.with_kept(kept)
    }

    /// Whether `span` is in an overlay.
    pub fn is_overlaid(&self, span: Range<usize>) -> bool {
        let overlay = self.overlays.iter().rev().find(|overlay| overlay.start <= span.start);
        overlay.is_some_and(|overlay| overlay.file.is_none())
    }

    /// Name and text of the file or overlay that contains `span`, and the span in that text.
    pub(crate) fn resolve(&self, span: Range<usize>) -> (&Arc<str>, &Arc<str>, Range<usize>) {
        let overlay = self.overlays.iter().rev().find(|overlay| overlay.start <= span.start);
        let (start, name, text) = match overlay {
            Some(overlay) => (overlay.start, &overlay.name, &overlay.text),
            None => (0, &self.name, &self.text),
        };
        let end = span.end.saturating_sub(start).min(text.len());
        (name, text, (span.start - start).min(end)..end)
    }

    /// The text at `span`; empty where the span is not at character boundaries.
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

/// The label of an included file's text.
fn label(prefix: &str, path: &str) -> String {
    format!("{prefix}: {}", path.rsplit(['/', '\\']).next().unwrap_or(path))
}

/// Place of a row, column, objective or event in a file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Place {
    /// Name of the file.
    pub file: Arc<str>,
    /// Line, from 1; 0 if there is none (built-in rows).
    pub line: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.line == 0 { write!(f, "{}", self.file) } else { write!(f, "{}:{}", self.file, self.line) }
    }
}

/// A mistake in a file: a message, its place, and help. Displayed as `file:line:column: message`; with `{:#}`
/// help follows on a separate line.
#[doc(alias = "diagnostic")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct FileError {
    /// The message, without the place.
    pub message: String,
    /// Name of the file.
    pub file: Arc<str>,
    /// Text the span points into.
    pub text: Arc<str>,
    /// Bytes of `text` that are wrong.
    pub span: Range<usize>,
    /// Label under the bytes in the excerpt.
    pub label: String,
    /// Help, displayed below the message.
    pub help: Option<String>,
    /// Stable name of the rule that found it, for `allow` and `aplomb explain`, if any.
    pub rule: Option<&'static str>,
    /// Other mistakes in the same value. [`FileErrors`] lists them after this one.
    pub others: Vec<FileError>,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location(), self.message)?;
        help(f, self.help.as_deref())
    }
}

/// Help on a separate line, if requested with `{:#}`.
pub(super) fn help(f: &mut fmt::Formatter<'_>, help: Option<&str>) -> fmt::Result {
    match help {
        Some(help) if f.alternate() => write!(f, "\nhelp: {help}"),
        _ => Ok(()),
    }
}

impl FileError {
    /// A mistake at `span`, in bytes of `source.text` or of an overlay.
    pub fn new(source: &Source, span: Range<usize>, message: impl Into<String>) -> Self {
        let (name, text, span) = source.resolve(span);
        FileError {
            // Names in it may have line ends, and mistakes are displayed one per line.
            message: visible::name(message.into().trim_end()),
            file: name.clone(),
            text: text.clone(),
            span,
            label: "here".into(),
            help: None,
            rule: None,
            others: Vec::new(),
        }
    }

    /// The first of several mistakes, with the following ones as its [`others`](FileError::others).
    pub fn joined(mistakes: impl IntoIterator<Item = FileError>) -> Option<FileError> {
        let mut mistakes = FileErrors::from_iter(mistakes).into_iter();
        let first = mistakes.next()?;
        Some(FileError { others: mistakes.collect(), ..first })
    }

    /// Sets the name of the rule that found it.
    pub fn rule(mut self, name: &'static str) -> Self {
        self.rule = Some(name);
        self
    }

    /// Sets the label of the span in the excerpt.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Sets the help.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds «did you mean …?» where a candidate is similar, otherwise lists the candidates if they are few.
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
        let source = Source::new(&self.file, &self.text);
        let (line, column) = source.line_column(self.span.start);
        (self.file.to_string(), line, column)
    }

    /// `file:line:column`, from 1.
    pub fn location(&self) -> String {
        let (file, line, column) = self.place();
        format!("{file}:{line}:{column}")
    }
}

/// All mistakes in the order in which they were found. Displayed one per line.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
pub struct FileErrors(Vec<FileError>);

impl fmt::Display for FileErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, mistake) in self.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "\n" })?;
            mistake.fmt(f)?;
        }
        Ok(())
    }
}

impl FileErrors {
    /// The mistakes as a list.
    pub fn into_vec(self) -> Vec<FileError> {
        self.0
    }
}

impl From<Vec<FileError>> for FileErrors {
    fn from(mistakes: Vec<FileError>) -> Self {
        mistakes.into_iter().collect()
    }
}

impl From<FileError> for FileErrors {
    fn from(mistake: FileError) -> Self {
        FileErrors::from_iter([mistake])
    }
}

impl FromIterator<FileError> for FileErrors {
    /// Each mistake once: several checks may find the same one.
    fn from_iter<I: IntoIterator<Item = FileError>>(mistakes: I) -> Self {
        let mut seen = HashSet::new();
        let is_new = |mistake: &FileError| {
            seen.insert((mistake.file.clone(), mistake.span.clone(), mistake.message.clone()))
        };
        let listed = mistakes.into_iter().flat_map(|mut mistake| {
            let others = std::mem::take(&mut mistake.others);
            std::iter::once(mistake).chain(others)
        });
        FileErrors(listed.filter(is_new).collect())
    }
}

impl Extend<FileError> for FileErrors {
    fn extend<I: IntoIterator<Item = FileError>>(&mut self, mistakes: I) {
        let all = std::mem::take(&mut self.0);
        *self = all.into_iter().chain(mistakes).collect();
    }
}

impl Deref for FileErrors {
    type Target = [FileError];

    fn deref(&self) -> &[FileError] {
        &self.0
    }
}

impl IntoIterator for FileErrors {
    type Item = FileError;
    type IntoIter = std::vec::IntoIter<FileError>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a FileErrors {
    type Item = &'a FileError;
    type IntoIter = std::slice::Iter<'a, FileError>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// A valid setting that is probably not intended. Displayed like a [`FileError`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Warning(pub FileError);

/// Removes warnings of a file by rules that the file allows.
pub fn keep_unless_allowed(warnings: &mut Vec<Warning>, source: &Source, allow: &[Spanned<String>]) {
    // A rule that an included file allows is allowed only in that file.
    let of_file = |name: &Spanned<String>| match source.is_overlaid(name.span()) {
        true => source.name.clone(),
        false => source.resolve(name.span()).0.clone(),
    };
    let is_allowed = |found: &FileError| {
        allow.iter().any(|name| found.rule == Some(name.get_ref().as_str()) && of_file(name) == found.file)
    };
    warnings.retain(|Warning(found)| !is_allowed(found));
}

/// The candidate most similar to `wrong`, if one is similar enough; the first of equally similar ones.
#[cfg(feature = "files")]
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

/// Always `None`: without files there are no misspelt names.
#[cfg(not(feature = "files"))]
pub fn nearest<'a>(_wrong: &str, _candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_errors_that_say_their_places() {
        let source = Source::new("a.toml", "x = 1\n  y = 2\n");
        let mistake = |at: usize, message: &str| FileError::new(&source, at..at + 1, message);
        let mistakes: FileErrors = vec![mistake(0, "no x"), mistake(8, "no y")].into();
        let error: Box<dyn std::error::Error> = Box::new(mistakes);
        assert_eq!(error.to_string(), "a.toml:1:1: no x\na.toml:2:3: no y");
        assert_eq!(mistake(0, "no `a\nerror: b`").to_string(), "a.toml:1:1: no `a␊error: b`");
        let helped = mistake(0, "no x").suggest("x", ["X"]);
        assert_eq!(format!("{helped:#}"), "a.toml:1:1: no x\nhelp: did you mean `X`?");
    }
}
