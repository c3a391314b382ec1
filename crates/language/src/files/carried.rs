//! Files that are embedded in the program. A build with debug assertions, such as a test build, reads them from the
//! source tree, so that a changed controller does not cause a recompilation.

use super::locate::Folder;
#[cfg(debug_assertions)]
pub(super) use sources::{paths, text};
#[cfg(not(debug_assertions))]
pub(super) use within::{paths, text};

#[cfg(not(debug_assertions))]
mod within {
    use super::super::locate::slashes;
    use super::Folder;
    use include_dir::{Dir, include_dir};
    use std::borrow::Cow;

    static CHARACTERS: Dir = include_dir!("$CARGO_MANIFEST_DIR/shipped/characters");
    static CONTROLLERS: Dir = include_dir!("$CARGO_MANIFEST_DIR/shipped/controllers");
    static PASSIVE: Dir = include_dir!("$CARGO_MANIFEST_DIR/shipped/passive");
    static SCENES: Dir = include_dir!("$CARGO_MANIFEST_DIR/shipped/scenes");
    static PLOTS: Dir = include_dir!("$CARGO_MANIFEST_DIR/shipped/plots");

    fn directory(folder: Folder) -> &'static Dir<'static> {
        match folder {
            Folder::Characters => &CHARACTERS,
            Folder::Passive => &PASSIVE,
            Folder::Controllers => &CONTROLLERS,
            Folder::Scenes => &SCENES,
            Folder::Plots => &PLOTS,
        }
    }

    /// Paths of all files of a kind, relative to the root of shipped files, with forward slashes.
    pub(in crate::files) fn paths(folder: Folder) -> Vec<String> {
        let mut paths = Vec::new();
        collect(directory(folder), &mut paths);
        paths
    }

    fn collect(directory: &Dir<'static>, paths: &mut Vec<String>) {
        paths.extend(directory.files().map(|file| slashes(file.path())));
        for inner in directory.dirs() {
            collect(inner, paths);
        }
    }

    /// The text of a file by its path from the folder of its kind on.
    pub(in crate::files) fn text(folder: Folder, path: &str) -> Option<Cow<'static, str>> {
        directory(folder).get_file(path)?.contents_utf8().map(Cow::Borrowed)
    }
}

#[cfg(debug_assertions)]
mod sources {
    use super::super::locate::slashes;
    use super::Folder;
    use std::borrow::Cow;
    use std::fs;
    use std::path::{Component, Path, PathBuf};

    fn directory(folder: Folder) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("shipped").join(folder.name())
    }

    /// Paths of all files of a kind, relative to the root of shipped files, with forward slashes.
    pub(crate) fn paths(folder: Folder) -> Vec<String> {
        let mut paths = Vec::new();
        collect(&directory(folder), Path::new(""), &mut paths);
        paths
    }

    fn collect(root: &Path, inner: &Path, paths: &mut Vec<String>) {
        for entry in fs::read_dir(root.join(inner)).into_iter().flatten().flatten() {
            let path = inner.join(entry.file_name());
            if root.join(&path).is_dir() {
                collect(root, &path, paths);
            } else {
                paths.push(slashes(&path));
            }
        }
    }

    /// The text of a file by its path from the folder of its kind on.
    pub(crate) fn text(folder: Folder, path: &str) -> Option<Cow<'static, str>> {
        let is_inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        is_inside.then(|| fs::read_to_string(directory(folder).join(path)).ok())?.map(Cow::Owned)
    }
}
