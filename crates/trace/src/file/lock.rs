//! Locks on folders: one process at a time may change the files of a folder.

use super::TraceError;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Name of the lock file. It exists while a process writes, or was killed while writing.
pub(super) const LOCK: &str = ".lock";

/// A lock on a folder, until it is dropped. The operating system releases it when the process ends in any
/// way, so that a killed process does not block other processes.
#[derive(Debug)]
pub struct FolderLock {
    file: File,
    path: PathBuf,
}

impl FolderLock {
    /// Locks an existing folder, unless another process (or another part of this one) has locked it.
    ///
    /// # Errors
    /// [`TraceError::InUse`] if it is locked, and errors of creating the lock file.
    pub fn take(folder: &Path) -> Result<Self, TraceError> {
        let path = folder.join(LOCK);
        let fail = |source| TraceError::Write { path: path.clone(), source };
        loop {
            let file =
                OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(fail)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(TraceError::InUse { folder: folder.to_path_buf() });
                }
                // Where the file system has no locks, there is nothing to wait for.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(fail(error)),
            }
            // The previous owner may have removed the file between opening and locking.
            if is_at(&file, &path) {
                return Ok(FolderLock { file, path });
            }
        }
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // While it is locked, no other process uses it. A lock file that remains does no harm.
        if cfg!(unix) {
            let _ = std::fs::remove_file(&self.path);
        }
        let _ = self.file.unlock();
    }
}

/// Whether the open file is the one that has this name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(open), Ok(named)) => identity(open) == identity(named),
        _ => false,
    }
}

/// Without such a check, the lock file is never removed.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_holder_at_a_time_and_what_is_left_of_one_locks_nobody_out() {
        let folder = tempfile::tempdir().unwrap();
        let held = FolderLock::take(folder.path()).unwrap();
        let refused = FolderLock::take(folder.path()).unwrap_err();
        assert!(matches!(refused, TraceError::InUse { .. }), "{refused}");
        drop(held);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        // As after the process was killed.
        std::fs::write(folder.path().join(LOCK), "").unwrap();
        drop(FolderLock::take(folder.path()).unwrap());
        FolderLock::take(folder.path()).unwrap();
    }
}
