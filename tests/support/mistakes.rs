//! Mistakes in files and the messages about them: a folder has a file for each mistake, and beside it a snapshot of
//! the messages. Tests of several crates include this file.
//!
//! `INSTA_UPDATE=always` rewrites the snapshots.

use aplomb_language::diagnostic::Source;
use aplomb_language::files::{self, Format};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;

/// One mistake, as a change to a correct text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mistake {
    /// The part of the correct text.
    #[serde(default)]
    right: String,
    /// The text that replaces it.
    #[serde(default)]
    wrong: String,
    /// An argument of `--set`, applied to the correct text.
    pub set: Option<String>,
}

impl Mistake {
    fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap();
        files::read(&mut Source::new(path.display().to_string(), text), &[], &Format::default())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The text with the mistake.
    pub fn made_in(&self, text: &str) -> String {
        if self.set.is_some() {
            return text.to_owned();
        }
        assert!(!self.right.is_empty() && text.contains(&self.right), "the text has no {:?}", self.right);
        assert_ne!(self.right, self.wrong, "no mistake");
        text.replace(&self.right, &self.wrong)
    }
}

/// The names of the files in a folder with this ending, without it.
fn names(folder: &Path, ending: &str) -> BTreeSet<String> {
    let files =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    files.filter_map(|file| Some(file.strip_suffix(ending)?.to_owned())).collect()
}

/// Compares the messages about each mistake in a folder with its snapshot; `told` returns the messages about a
/// mistake.
///
/// # Panics
/// If the messages differ, if a mistake has no snapshot, or if a snapshot has no mistake.
pub fn assert_told(folder: impl AsRef<Path>, told: impl Fn(&Mistake) -> String) {
    let folder = folder.as_ref();
    let mistakes = names(folder, ".toml");
    let left_over: Vec<String> = names(folder, ".snap").difference(&mistakes).cloned().collect();
    assert!(left_over.is_empty(), "snapshots in {} without a mistake: {left_over:?}", folder.display());
    assert!(!mistakes.is_empty(), "no mistakes in {}", folder.display());
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for name in mistakes {
        let messages = told(&Mistake::read(&folder.join(format!("{name}.toml"))));
        settings.bind(|| insta::assert_snapshot!(name, messages));
    }
}
