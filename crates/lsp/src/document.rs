//! A text that an editor has open.

use crate::outline::DocumentOutline;
use crate::position::{Encoding, LineIndex};
use crate::schema;
use aplomb_analysis::check::Kind;
use aplomb_language::diagnostic::Source;
use aplomb_language::files::{Folder, Located, Locator, ends_in};
use lsp_types::{TextDocumentContentChangeEvent, Uri};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How certain the kind of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Certainty {
    /// The text or its folder states it.
    Sure,
    /// The text does not contradict it.
    Guessed,
    /// It is not one of aplomb's files, such as `Cargo.toml`.
    Foreign,
}

/// A version of a text.
#[derive(Clone, Debug)]
pub(crate) struct TextDocument {
    /// Its address in the editor.
    pub uri: Uri,
    /// Its file; `None` if it has none yet.
    pub path: Option<PathBuf>,
    /// Number of the version, as the editor counts.
    pub version: i32,
    /// The text.
    pub text: Arc<str>,
    /// Its lines.
    pub lines: LineIndex,
    /// Its kind.
    pub kind: Kind,
    /// How certain the kind is.
    pub certainty: Certainty,
    /// Its items with their places.
    pub outline: DocumentOutline,
}

impl TextDocument {
    /// A text that was opened, or changed as a whole.
    pub(crate) fn new(uri: Uri, version: i32, text: impl Into<Arc<str>>, before: Option<Kind>) -> Self {
        let text = text.into();
        let path = path_of(&uri);
        let is_model = text.trim_start().starts_with('<') || has_ending(path.as_deref(), uri.as_str());
        let outline = if is_model { DocumentOutline::default() } else { DocumentOutline::of(&text) };
        let (kind, certainty) = match is_model {
            true if text.contains("<mujoco") || text.contains("<robot") => (Kind::Model, Certainty::Sure),
            true => (Kind::Model, Certainty::Foreign),
            false => kind(&outline, &text, path.as_deref(), before),
        };
        let lines = LineIndex::of(&text);
        TextDocument { uri, path, version, text, lines, kind, certainty, outline }
    }

    /// The text after an editor's changes, applied in order.
    pub(crate) fn changed(
        &self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) -> Self {
        let mut text = self.text.to_string();
        for change in changes {
            let Some(range) = change.range else {
                text = change.text;
                continue;
            };
            let lines = LineIndex::of(&text);
            let start = lines.offset(&text, range.start, encoding);
            let end = lines.offset(&text, range.end, encoding).max(start);
            text.replace_range(start..end, &change.text);
        }
        TextDocument::new(self.uri.clone(), version, text, Some(self.kind))
    }

    /// The text with its name in messages.
    pub(crate) fn source(&self) -> Source {
        match &self.path {
            Some(path) => Source::new(slashes(path), &self.text).from_file(path),
            None => Source::new(self.uri.as_str(), &self.text),
        }
    }

    /// The text with its location, from which its references are resolved.
    pub(crate) fn located(&self) -> Located {
        Located { source: self.source(), locator: self.locator() }
    }

    /// Its location, from which its references are resolved.
    pub(crate) fn locator(&self) -> Locator {
        match &self.path {
            Some(path) => Locator::Disk(path.clone()),
            None => Locator::Embedded(self.uri.as_str().to_owned()),
        }
    }

    /// Name of its file without folders and ending.
    pub(crate) fn stem(&self) -> Option<&str> {
        self.path.as_ref()?.file_stem()?.to_str()
    }
}

/// The kinds of files in TOML.
pub(crate) const KINDS: [Kind; 3] = [Kind::Scene, Kind::Controller, Kind::Plot];

/// The kind of a text: from its keys, its folder, the schema that it names, or its kind before.
fn kind(
    outline: &DocumentOutline,
    text: &str,
    path: Option<&Path>,
    before: Option<Kind>,
) -> (Kind, Certainty) {
    let has = |keys: &[&str]| outline.root_keys().any(|key| keys.contains(&key));
    let folder = path.and_then(Path::parent).and_then(Path::file_name).and_then(|name| name.to_str());
    let folders = [Folder::Scenes, Folder::Controllers, Folder::Plots].map(Folder::name);
    let by_folder = folders.iter().position(|name| Some(*name) == folder).map(|number| KINDS[number]);
    let first = text.lines().next().filter(|line| line.starts_with("#:schema")).unwrap_or_default();
    let names = ["scene.schema", "controller.schema", "plot.schema"];
    let by_schema = names.iter().position(|name| first.contains(name)).map(|number| KINDS[number]);
    if let Some(kind) = Kind::by_keys(has).or(by_folder).or(by_schema) {
        return (kind, Certainty::Sure);
    }
    let fits = |kind: &Kind| {
        schema::of(*kind).is_some_and(|schema| outline.root_keys().all(|key| schema.has_root_key(key)))
    };
    match before.into_iter().chain(KINDS).find(fits) {
        Some(kind) => (kind, Certainty::Guessed),
        // A partly typed key matches no kind yet.
        None => match before.filter(|_| outline.root_keys().count() < 3) {
            Some(kind) => (kind, Certainty::Guessed),
            None => (Kind::Scene, Certainty::Foreign),
        },
    }
}

fn has_ending(path: Option<&Path>, uri: &str) -> bool {
    ends_in(path.unwrap_or(Path::new(uri)), &["xml", "mjcf", "urdf"])
}

/// The path with forward slashes, as messages name files.
pub(crate) fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// The file of an address; `None` for anything but a local file.
pub(crate) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let mut bytes = Vec::with_capacity(path.len());
    let mut left = path.as_bytes();
    while let Some((first, rest)) = left.split_first() {
        let digits = rest.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match digits.and_then(|two| u8::from_str_radix(two, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                left = &rest[2..];
            }
            None => {
                bytes.push(*first);
                left = rest;
            }
        }
    }
    let path = String::from_utf8(bytes).ok()?;
    // `/C:/folder` on Windows.
    let is_drive = cfg!(windows) && path.as_bytes().get(2) == Some(&b':');
    let path = if is_drive { path.trim_start_matches('/').to_owned() } else { path };
    Some(PathBuf::from(path)).filter(|path| path.is_absolute())
}

/// The address of a file.
pub(crate) fn uri_of(path: &Path) -> Option<Uri> {
    let mut text = String::from("file://");
    let path = slashes(path);
    if !path.starts_with('/') {
        text.push('/');
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                text.push(char::from(byte));
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::{Position, Range};

    fn open(text: &str) -> TextDocument {
        TextDocument::new("untitled:Untitled-1".parse().expect("an address"), 1, text, None)
    }

    #[test]
    fn addresses_and_paths_go_both_ways() {
        let path = Path::new("/tmp/é a+b/c#d.toml");
        let uri = uri_of(path).expect("an address");
        assert_eq!(uri.as_str(), "file:///tmp/%C3%A9%20a%2Bb/c%23d.toml");
        assert_eq!(path_of(&uri).as_deref(), Some(path));
        assert_eq!(path_of(&"untitled:a".parse().expect("an address")), None);
    }

    #[test]
    fn changes_apply_one_after_the_other() {
        let range = |line, from, to| {
            let at = |character| Position { line, character };
            Some(Range { start: at(from), end: at(to) })
        };
        let change = |range, text: &str| TextDocumentContentChangeEvent {
            range,
            range_length: None,
            text: text.to_owned(),
        };
        let first = open("é = 1\nb = 2\n");
        let second = first.changed(
            2,
            vec![change(range(0, 0, 1), "aa"), change(range(0, 5, 6), "7")],
            Encoding::Utf16,
        );
        assert_eq!(&*second.text, "aa = 7\nb = 2\n");
        let out = change(Some(Range::new(Position::new(9, 9), Position::new(0, 1))), "x");
        assert_eq!(&*second.changed(3, vec![out], Encoding::Utf16).text, "aa = 7\nb = 2\nx");
        assert_eq!(&*second.changed(3, vec![change(None, "c")], Encoding::Utf16).text, "c");
    }

    #[test]
    fn a_text_that_does_not_parse_has_a_kind() {
        assert_eq!(open("start = \"a\n[states.a]\nto = [").kind, Kind::Controller);
        assert_eq!(open("[[panels]]\nof = {").kind, Kind::Plot);
        assert_eq!(open("duration = ").kind, Kind::Scene);
        assert_eq!(open(" <mujoco").kind, Kind::Model);
        assert_eq!(open("[parameters]\n").kind, Kind::Controller, "no other file has them");
    }

    #[test]
    fn files_of_others_are_left_alone() {
        assert_eq!(open("[package]\nname = \"x\"\n[dependencies]\n").certainty, Certainty::Foreign);
        assert_eq!(open("<svg/>").certainty, Certainty::Foreign);
        assert_eq!(open("").certainty, Certainty::Guessed);
        assert_eq!(open("#:schema ./controller.schema.json\nx = 1").kind, Kind::Controller);
    }
}
