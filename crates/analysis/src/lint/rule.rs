//! Lint rules and their findings.

use super::look::LintContext;
use aplomb_language::diagnostic::{FileError, Source, Warning};
use std::ops::Range;

/// A lint rule: a valid setting that is probably a mistake, and its detection.
pub struct Rule {
    /// Stable name, with which files allow it and `aplomb explain` describes it.
    pub name: &'static str,
    /// Description of its findings, one sentence.
    pub about: &'static str,
    /// Why it matters, and what to do.
    pub why: &'static str,
    /// A file with findings, in the lines that end with `# here` (`<!-- here -->` in bodies).
    pub wrong: &'static str,
    /// The file as it was probably intended.
    pub right: &'static str,
    /// Bodies of the first file in which something is found, and those of the second, by their names in these files.
    pub bodies: [&'static [(&'static str, &'static str)]; 2],
    /// `None` if the reader of the file reports it.
    pub(super) find: Option<fn(&LintContext<'_>, &mut RuleFindings)>,
}

/// A rule with its example, which is a pair of files that the tests check.
macro_rules! rule {
    ($name:literal, $about:literal, $why:literal, $find:expr $(, $($wrong:literal)+ => $right:literal)?) => {
        Rule {
            name: $name,
            about: $about,
            why: $why,
            wrong: include_str!(concat!("../../../../tests/data/lint/", $name, "/wrong.toml")),
            right: include_str!(concat!("../../../../tests/data/lint/", $name, "/right.toml")),
            bodies: [
                &[$($(
                    ($wrong, include_str!(concat!("../../../../tests/data/lint/", $name, "/", $wrong))),
                )+)?],
                &[$(
                    ($right, include_str!(concat!("../../../../tests/data/lint/", $name, "/", $right))),
                )?],
            ],
            find: $find,
        }
    };
}

pub(super) use rule;

/// Findings of rules.
#[derive(Default)]
pub(super) struct RuleFindings {
    /// Warnings in the order in which they were found.
    pub warnings: Vec<Warning>,
}

impl RuleFindings {
    /// Reports a finding at a location, and what may be intended.
    pub(super) fn say(
        &mut self,
        source: &Source,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.warnings.push(Warning(FileError::new(source, span, message).help(help)));
    }
}
