//! Location of files: on disk, or among those shipped in the program.

use super::{border, carried, unsaved};
use crate::diagnostic::{self, FileError, FileErrors, Source, nearest};
use std::fmt;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

/// Kinds of shipped files, by their folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folder {
    /// Models of characters.
    Characters,
    /// Models of passive objects.
    Passive,
    /// Controllers.
    Controllers,
    /// Scenes.
    Scenes,
    /// Plot files.
    Plots,
}

impl Folder {
    /// All folders, in the order of lists.
    pub const ALL: [Folder; 5] =
        [Folder::Characters, Folder::Passive, Folder::Controllers, Folder::Scenes, Folder::Plots];

    /// The folder's name.
    pub fn name(self) -> &'static str {
        match self {
            Folder::Characters => "characters",
            Folder::Passive => "passive",
            Folder::Controllers => "controllers",
            Folder::Scenes => "scenes",
            Folder::Plots => "plots",
        }
    }

    /// Name of a file of this kind in messages.
    pub fn kind(self) -> &'static str {
        match self {
            Folder::Characters => "character",
            Folder::Passive => "passive object",
            Folder::Controllers => "controller",
            Folder::Scenes => "scene",
            Folder::Plots => "plot",
        }
    }

    /// Extension of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Folder::Characters | Folder::Passive => "xml",
            Folder::Controllers | Folder::Scenes | Folder::Plots => "toml",
        }
    }

    /// Extensions of a file of this kind when another file names it. The restriction prevents messages about
    /// a scene from showing lines of arbitrary files on the disk.
    fn endings(self) -> &'static [&'static str] {
        match self {
            Folder::Characters | Folder::Passive => &["xml", "mjcf", "urdf"],
            Folder::Controllers | Folder::Scenes | Folder::Plots => &["toml"],
        }
    }
}

impl Folder {
    /// The extensions as text: `.xml, .mjcf or .urdf`.
    fn written_endings(self) -> String {
        let mut text = String::new();
        for (k, ending) in self.endings().iter().enumerate() {
            let between = match k {
                0 => "",
                _ if k + 1 == self.endings().len() => " or ",
                _ => ", ",
            };
            text += &format!("{between}.{ending}");
        }
        text
    }
}

/// Whether a path has one of these extensions (without the dot), in upper or lower case.
pub fn ends_in(path: &Path, endings: &[&str]) -> bool {
    let own = path.extension().and_then(|ending| ending.to_str());
    own.is_some_and(|own| endings.iter().any(|ending| own.eq_ignore_ascii_case(ending)))
}

/// Location of a file; references in it are relative to this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Locator {
    /// Path on disk.
    Disk(PathBuf),
    /// Path among the shipped files, such as `scenes/stand.toml`.
    Embedded(String),
}

impl Locator {
    /// Path on disk; `None` for a shipped file.
    pub fn path(&self) -> Option<PathBuf> {
        if let Locator::Disk(path) = self { Some(path.clone()) } else { None }
    }

    /// Name without folders and extension.
    pub fn stem(&self) -> String {
        let path = match self {
            Locator::Disk(path) => path.as_path(),
            Locator::Embedded(path) => Path::new(path),
        };
        path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

/// A file that was found and read.
#[derive(Clone, Debug)]
pub struct Located {
    /// Text with its name in messages.
    pub source: Source,
    /// Location of the file.
    pub locator: Locator,
}

/// A file that does not exist or cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct NotFound {
    /// The message.
    pub message: String,
    /// Similar names, or the places that were searched.
    pub help: Option<String>,
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        diagnostic::help(f, self.help.as_deref())
    }
}

/// Why a file cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ReadError {
    /// The file does not exist or cannot be read.
    #[error(transparent)]
    NotFound(#[from] NotFound),
    /// Mistakes in the file; at least one.
    #[error(transparent)]
    Mistakes(#[from] FileErrors),
}

/// Names of the shipped files of a kind, without extension, in alphabetical order: `balance`,
/// `paper/balance`.
pub fn shipped(folder: Folder) -> Vec<String> {
    let extension = format!(".{}", folder.extension());
    let mut names: Vec<String> = carried::paths(folder)
        .iter()
        .filter_map(|path| path.strip_suffix(&extension))
        .map(str::to_owned)
        .collect();
    names.sort();
    names
}

/// Finds and reads a file by path or by the name of a shipped one. `from` is the file that refers to it: a reference
/// in it is resolved in its folder, then among the shipped files; for text that a program made, also on disk after
/// that. `None` stands for the command line, whose references are relative to the working directory.
///
/// # Errors
///
/// If no such file is found, or it cannot be read; the message lists similar names.
pub fn find(folder: Folder, reference: &str, from: Option<&Locator>) -> Result<Located, NotFound> {
    let mut looked = Vec::new();
    match from {
        Some(Locator::Disk(path)) => {
            let beside = path.parent().unwrap_or(Path::new("")).join(reference);
            if let Some(found) = on_disk(folder, &tidy(&beside), &mut looked, Some(folder.endings()))? {
                return Ok(found);
            }
        }
        Some(Locator::Embedded(path)) => {
            let beside = Path::new(path).parent().unwrap_or(Path::new("")).join(reference);
            if let Some(found) = embedded(folder, &slashes(&tidy(&beside)), &mut looked) {
                return Ok(found);
            }
        }
        None => {}
    }
    // The working directory is not searched for files that other files refer to.
    if from.is_none()
        && let Some(found) = on_disk(folder, &tidy(Path::new(reference)), &mut looked, None)?
    {
        return Ok(found);
    }
    if let Some(found) = embedded(folder, &slashes(&tidy(Path::new(reference))), &mut looked) {
        return Ok(found);
    }
    // Text made by a program has no location, so its references may be on disk. Shipped files refer only to shipped
    // files.
    if let Some(Locator::Embedded(_)) = from
        && let Some(found) =
            on_disk(folder, &tidy(Path::new(reference)), &mut looked, Some(folder.endings()))?
    {
        return Ok(found);
    }
    looked.dedup();
    Err(not_found(folder, reference, from, &looked))
}

/// The message about a file that was not found in any of the places `looked`, with similar names.
fn not_found(folder: Folder, reference: &str, from: Option<&Locator>, looked: &[String]) -> NotFound {
    let message = format!("there is no {} `{reference}`", folder.kind());
    let names = shipped(folder);
    let bare = Path::new(reference).file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    let local = beside(folder, reference, from);
    let near = nearest(reference, local.iter().chain(&names).map(String::as_str))
        .or_else(|| nearest(&bare, names.iter().map(String::as_str)));
    let places = format!("looked for {}", looked.join(", "));
    let bare = bare.into_owned();
    let elsewhere = Folder::ALL.into_iter().find(|other| *other != folder && shipped(*other).contains(&bare));
    let help = match (elsewhere, near) {
        _ if Path::new(reference).is_dir() => "this is a directory".into(),
        _ if looked.iter().any(|path| Path::new(path).is_file()) => {
            format!("this file is there, but a {} ends in {}", folder.kind(), folder.written_endings())
        }
        (Some(other), _) => format!("`{bare}` is the name of a {}", other.kind()),
        (None, Some(name)) => format!("did you mean `{name}`? ({places})"),
        (None, None) if names.is_empty() => places,
        (None, None) => format!("{places}; shipped: {}", names.join(", ")),
    };
    NotFound { message, help: Some(help) }
}

/// The message about a name without an extension that a file on disk matches, although a shipped file has
/// that name; `None` for any other reference.
pub fn shadowed(folder: Folder, reference: &str, found: &Locator) -> Option<String> {
    let Locator::Disk(path) = found else { return None };
    let is_path = reference.starts_with('.') || Path::new(reference).is_absolute();
    if is_path || ends_in(Path::new(reference), folder.endings()) {
        return None;
    }
    embedded(folder, &slashes(&tidy(Path::new(reference))), &mut Vec::new())?;
    let (kind, path) = (folder.kind(), slashes(path));
    Some(format!("`{reference}` is the file {path} here, not the shipped {kind} of that name"))
}

/// Files of this kind in the folder of a reference, in the form of the reference.
fn beside(folder: Folder, reference: &str, from: Option<&Locator>) -> Vec<String> {
    let base = match from {
        Some(Locator::Disk(path)) => path.parent().unwrap_or(Path::new("")).to_path_buf(),
        Some(Locator::Embedded(_)) => return Vec::new(),
        None => PathBuf::new(),
    };
    let inside = Path::new(reference).parent().unwrap_or(Path::new(""));
    let place = Path::new(".").join(base).join(inside);
    let own = match from {
        Some(Locator::Disk(path)) => path.file_name(),
        _ => None,
    };
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    let files = entries.map(|entry| PathBuf::from(entry.file_name()));
    let is_meant = |file: &PathBuf| ends_in(file, &[folder.extension()]) && Some(file.as_os_str()) != own;
    let mut names: Vec<String> = files.filter(is_meant).map(|file| slashes(&inside.join(file))).collect();
    names.sort();
    names
}

/// A shipped file by name; files on disk are ignored.
///
/// # Errors
/// A name that no file of this kind has.
pub fn find_shipped(folder: Folder, name: &str) -> Result<Located, NotFound> {
    embedded(folder, name, &mut Vec::new()).ok_or_else(|| {
        let names = shipped(folder);
        let help = match nearest(name, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("shipped: {}", names.join(", ")),
        };
        NotFound { message: format!("there is no shipped {} `{name}`", folder.kind()), help: Some(help) }
    })
}

/// Reads a text file from disk.
///
/// # Errors
/// A file that does not exist, is not regular, cannot be read, or is not UTF-8.
pub fn open(path: &Path) -> Result<Source, NotFound> {
    let unreadable =
        |why: String| NotFound { message: format!("cannot read {}: {why}", path.display()), help: None };
    if let Some(text) = unsaved::text_of(path) {
        return Ok(Source::new(slashes(path), text).from_file(path));
    }
    let bytes = border::bytes(path).map_err(|error| unreadable(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        // The bytes before the error are valid UTF-8.
        let before = String::from_utf8_lossy(&error.as_bytes()[..at]);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |tail| tail.chars().count()) + 1;
        unreadable(format!("line {line}, column {column} (byte {at}) is not UTF-8 text"))
    })?;
    Ok(Source::new(slashes(path), text).from_file(path))
}

/// Like [`find`], for a reference written in a file, with errors placed there. A reference given on the command line
/// (`--set`) is relative to the working directory.
///
/// # Errors
///
/// If no such file is found, or it cannot be read; the place is that of the reference.
pub fn find_from(
    folder: Folder,
    reference: &str,
    from: &Located,
    source: &Source,
    span: Range<usize>,
) -> Result<Located, FileError> {
    let from = if source.is_overlaid(span.clone()) { None } else { Some(&from.locator) };
    find(folder, reference, from).map_err(|missing| {
        let mut error = FileError::new(source, span, missing.message);
        error.help = missing.help;
        error
    })
}

/// The file with that path, or with the extension of its kind added; if `endings` are given, with one of
/// them.
fn on_disk(
    folder: Folder,
    path: &Path,
    looked: &mut Vec<String>,
    endings: Option<&[&str]>,
) -> Result<Option<Located>, NotFound> {
    let with_extension = PathBuf::from(format!("{}.{}", path.display(), folder.extension()));
    for path in [path.to_owned(), with_extension] {
        let may_be_it = endings.is_none_or(|endings| ends_in(&path, endings));
        if may_be_it && (path.is_file() || unsaved::text_of(&path).is_some()) {
            return Ok(Some(Located { source: open(&path)?, locator: Locator::Disk(path) }));
        }
        if path.extension().is_some() || !looked.contains(&slashes(&path)) {
            looked.push(slashes(&path));
        }
        if ends_in(&path, &[folder.extension()]) {
            break;
        }
    }
    Ok(None)
}

/// Searches the shipped files for `path` itself, in the folder of its kind, and with the extension.
fn embedded(folder: Folder, path: &str, looked: &mut Vec<String>) -> Option<Located> {
    let path = path.trim_start_matches("../");
    let inside = path.strip_prefix(folder.name()).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path);
    let extended = format!("{inside}.{}", folder.extension());
    for candidate in [inside, &extended] {
        if let Some(text) = carried::text(folder, candidate) {
            let name = format!("{}/{candidate}", folder.name());
            return Some(Located { source: Source::new(&name, text), locator: Locator::Embedded(name) });
        }
    }
    let place = format!("the shipped {}s", folder.kind());
    if !looked.contains(&place) {
        looked.push(place);
    }
    None
}

/// The path without `.` and `a/..`, simplified by its components alone.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(tidy.components().next_back(), Some(Component::Normal(_))) => {
                tidy.pop();
            }
            part => tidy.push(part),
        }
    }
    tidy
}

/// The path with forward slashes on every system.
pub(super) fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_count_in_either_case() {
        let folder = tempfile::tempdir().expect("a folder");
        let scene = folder.path().join("scene.toml");
        for (name, is_found) in
            [("robot.URDF", true), ("body.Xml", true), ("body.MJCF", true), ("notes.txt", false)]
        {
            std::fs::write(folder.path().join(name), "<robot/>").expect("written");
            let found = find(Folder::Characters, name, Some(&Locator::Disk(scene.clone())));
            assert_eq!(found.is_ok(), is_found, "{name}: {found:?}");
        }
        assert!(ends_in(Path::new("a.SVG"), &["png", "svg"]) && !ends_in(Path::new("svg"), &["svg"]));
    }
}
