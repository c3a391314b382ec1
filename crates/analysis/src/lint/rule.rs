//! What a rule is, and what it finds.

use super::look::Look;
use aplomb_language::diagnostic::{FileError, Source, Warning};
use std::ops::Range;

/// Something legal that is probably a mistake, and how it is found.
pub struct Rule {
    /// Stable name, by which files allow it and `aplomb explain` knows it.
    pub name: &'static str,
    /// What it finds, in one sentence.
    pub about: &'static str,
    /// Why it matters, and what to do.
    pub why: &'static str,
    /// A file in which it finds something, in the lines that end with `# here`.
    pub wrong: &'static str,
    /// The file as it may have been meant.
    pub right: &'static str,
    /// `None` where a room below finds it while it reads the file.
    pub(super) find: Option<fn(&Look<'_>, &mut Found)>,
}

/// A rule with its example, which is a pair of files that the tests check.
macro_rules! rule {
    ($name:literal, $about:literal, $why:literal, $find:expr) => {
        Rule {
            name: $name,
            about: $about,
            why: $why,
            wrong: include_str!(concat!("../../../../tests/data/lint/", $name, "/wrong.toml")),
            right: include_str!(concat!("../../../../tests/data/lint/", $name, "/right.toml")),
            find: $find,
        }
    };
}

pub(super) use rule;

/// What rules have found.
#[derive(Default)]
pub struct Found {
    /// In the order in which it was found.
    pub warnings: Vec<Warning>,
}

impl Found {
    /// Says what is wrong at a place, and what may be meant.
    pub fn say(
        &mut self,
        source: &Source,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.warnings.push(Warning(FileError::new(source, span, message).help(help)));
    }
}
