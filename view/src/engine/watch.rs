//! Notifies the engine when files on disk change.

use super::EngineCommand;
use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Watches the folders of files, because programs often save a file by replacing it.
pub struct FileWatch {
    watcher: RecommendedWatcher,
    files: Arc<Mutex<BTreeSet<PathBuf>>>,
    folders: BTreeSet<PathBuf>,
}

/// A file counts as saved after this long without changes: some programs empty it before they write.
const QUIET: Duration = Duration::from_millis(15);

impl FileWatch {
    /// Sends [`EngineCommand::Reload`] when a followed file changes. `None` if the system cannot watch files.
    pub fn new(commands: Sender<EngineCommand>) -> Option<Self> {
        let files: Arc<Mutex<BTreeSet<PathBuf>>> = Arc::default();
        let (changed, inbox) = mpsc::channel();
        let followed = files.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            let Ok(event) = event else { return };
            let followed = followed.lock().unwrap_or_else(PoisonError::into_inner);
            if is_change(event.kind) && event.paths.iter().any(|path| followed.contains(path)) {
                let _ = changed.send(());
            }
        });
        let watcher = watcher.ok()?;
        thread::spawn(move || {
            while inbox.recv().is_ok() {
                while inbox.recv_timeout(QUIET).is_ok() {}
                if commands.send(EngineCommand::Reload).is_err() {
                    return;
                }
            }
        });
        Some(FileWatch { watcher, files, folders: BTreeSet::new() })
    }

    /// Follows exactly these files.
    pub fn follow(&mut self, paths: &[PathBuf]) {
        let whole = |path: &PathBuf| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
            Some((folder.clone(), folder.join(path.file_name()?)))
        };
        let (folders, files): (BTreeSet<PathBuf>, BTreeSet<PathBuf>) = paths.iter().filter_map(whole).unzip();
        for gone in self.folders.difference(&folders) {
            let _ = self.watcher.unwatch(gone);
        }
        for new in folders.difference(&self.folders) {
            // Files in a folder that cannot be watched are reloaded on demand only.
            let _ = self.watcher.watch(new, RecursiveMode::NonRecursive);
        }
        self.folders = folders;
        *self.files.lock().unwrap_or_else(PoisonError::into_inner) = files;
    }
}

/// Whether the event changes a file; reading does not.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(kind) => kind == AccessKind::Close(AccessMode::Write),
        EventKind::Create(_) | EventKind::Modify(_) | EventKind::Any | EventKind::Other => true,
        // The file that replaces it causes an event of its own.
        EventKind::Remove(_) => false,
    }
}
