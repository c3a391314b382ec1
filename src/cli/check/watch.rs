//! `check --watch`: checks again whenever a file changes.

use super::CheckRun;
use crate::analysis::check;
use crate::cli::{Done, Failure, output};
use crate::language::files::{Locator, ends_in};
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

/// Files with sizes and times of modification.
type Stamps = BTreeSet<(PathBuf, u64, Option<SystemTime>)>;

/// Interval between checks of the files.
const PERIOD: Duration = Duration::from_millis(150);
/// Escape sequence that clears a terminal.
const CLEAR: &str = "\u{1b}[2J\u{1b}[H";

/// Checks again and again until interrupted.
pub(super) fn run(check: &CheckRun<'_>) -> Result<Done, Failure> {
    let terminal = io::stdout().is_terminal();
    let mut folders = BTreeSet::new();
    loop {
        // A file that is unreadable now keeps the folders to which it led before.
        folders.extend(folders_of(check));
        let before = stamps(&folders);
        if terminal {
            output::print(CLEAR)?;
        }
        match check.all() {
            Ok(_) => {}
            Err(failure) => output::print_findings(failure.said()),
        }
        output::print("watching …\n")?;
        wait_for_change(&folders, &before);
    }
}

/// Waits until the files differ from `before` and have not changed for a period: many programs empty a file
/// before they write it, so that it would be checked half-written.
fn wait_for_change(folders: &BTreeSet<PathBuf>, before: &Stamps) {
    let mut last = before.clone();
    loop {
        thread::sleep(PERIOD);
        let now = stamps(folders);
        if now == last && now != *before {
            return;
        }
        last = now;
    }
}

/// Folders on disk of all files in the check.
fn folders_of(check: &CheckRun<'_>) -> BTreeSet<PathBuf> {
    let named = check.arguments.files.iter().map(|name| match check::find(name) {
        Ok((_, located)) => match located.locator {
            Locator::Disk(path) => path,
            Locator::Embedded(_) => PathBuf::from(name),
        },
        Err(_) => PathBuf::from(name),
    });
    let used = check.scenes().into_iter().flat_map(|scene| {
        let of_characters =
            scene.characters.iter().flat_map(|one| [&one.model_source, &one.controller.source]);
        let sources = of_characters.chain(scene.passive_sources.iter().flatten());
        let named = sources.map(|source| PathBuf::from(&*source.name)).collect::<Vec<_>>();
        [named, scene.paths.clone()].concat()
    });
    let model = check.arguments.model.iter().map(PathBuf::from);
    let folder = |path: PathBuf| Path::new(".").join(path.parent().unwrap_or(Path::new("")));
    named.chain(used).chain(model).map(folder).filter(|folder| folder.is_dir()).collect()
}

/// Files that may be in the check, with sizes and times of modification.
fn stamps(folders: &BTreeSet<PathBuf>) -> Stamps {
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let is_ours = |path: &PathBuf| ends_in(path, &["toml", "xml", "mjcf", "urdf"]);
    let files = entries.map(|entry| entry.path()).filter(is_ours);
    files
        .filter_map(|path| {
            let data = fs::metadata(&path).ok()?;
            Some((path, data.len(), data.modified().ok()))
        })
        .collect()
}
