//! Texts that replace files on disk during a read: the unsaved contents of an editor.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Texts by the path of their file.
pub type Unsaved = BTreeMap<PathBuf, Arc<str>>;

thread_local! {
    static TEXTS: RefCell<Arc<Unsaved>> = RefCell::default();
}

/// Runs `work` on this thread with these texts in place of the files at their paths.
pub fn with_unsaved<T>(texts: Arc<Unsaved>, work: impl FnOnce() -> T) -> T {
    let _before = Before(TEXTS.with(|own| own.replace(texts)));
    work()
}

/// Restores the previous texts, even if the work panics.
struct Before(Arc<Unsaved>);

impl Drop for Before {
    fn drop(&mut self) {
        let before = std::mem::take(&mut self.0);
        TEXTS.with(|own| own.replace(before));
    }
}

/// The text in place of the file at a path.
pub(super) fn text_of(path: &Path) -> Option<Arc<str>> {
    TEXTS.with(|own| own.borrow().get(path).cloned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{Folder, Locator, find, open};

    #[test]
    fn a_text_in_the_editor_stands_for_its_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.toml");
        std::fs::write(&path, "saved").expect("written");
        let beside = Locator::Disk(folder.path().join("scene.toml"));
        let opened = || Ok::<_, crate::files::NotFound>(open(&path)?.text.to_string());
        let found = |name| find(Folder::Controllers, name, Some(&beside)).map(|found| found.source.text);
        let unsaved = [(path.clone(), Arc::from("edited")), (folder.path().join("b.toml"), Arc::from("new"))];
        with_unsaved(Arc::new(unsaved.into()), || {
            assert_eq!(opened().as_deref(), Ok("edited"));
            assert_eq!(found("a.toml").as_deref(), Ok("edited"));
            assert_eq!(found("b").as_deref(), Ok("new"), "a file that is not on disk yet");
        });
        assert_eq!(opened().as_deref(), Ok("saved"));
        assert!(found("b").is_err());
    }
}
