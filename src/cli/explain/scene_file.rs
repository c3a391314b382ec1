//! The path of the scene of a run: a trace contains the text and the name of the scene file, but no path.

use crate::analysis::explain::shipped_as;
use crate::trace::Header;
use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};

/// Largest number of folders that are searched.
const MOST_FOLDERS: usize = 2000;
/// Depth of the search below the working directory, in folders.
const DEEPEST: usize = 4;

/// Path of the scene's file, unless it is a shipped one: in the working directory and its subfolders, or in a folder
/// above that of the run. A file with the same text as the run is preferred to one that was changed since.
pub(super) fn find(header: &Header, run: &Path) -> Option<String> {
    let scene = header.text("scene").filter(|_| shipped_as(header).is_none())?;
    let around = run.ancestors().map(|folder| folder.join(&scene.name));
    let all = below(Path::new("")).into_iter().map(|folder| folder.join(&scene.name)).chain(around);
    let mut changed = None;
    for path in all.filter(|path| path.is_file()) {
        if fs::read_to_string(&path).is_ok_and(|text| text == scene.text) {
            return Some(path.display().to_string());
        }
        changed.get_or_insert(path);
    }
    changed.map(|path| path.display().to_string())
}

/// A folder and its subfolders, the nearest first, without hidden ones.
fn below(top: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = VecDeque::from([(top.to_path_buf(), 0)]);
    while let Some((folder, depth)) = waiting.pop_front() {
        if found.len() >= MOST_FOLDERS {
            break;
        }
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
        if depth < DEEPEST {
            let entries = here.read_dir().into_iter().flatten().flatten();
            let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            let names = folders.map(|entry| entry.file_name());
            let mut names: Vec<_> = names.filter(|name| !name.to_string_lossy().starts_with('.')).collect();
            names.sort();
            waiting.extend(names.into_iter().map(|name| (folder.join(name), depth + 1)));
        }
        found.push(folder);
    }
    found
}
