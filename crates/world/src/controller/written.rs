//! The place at which a controller's value is written.

use super::file::ControllerFile;
use super::format::FORMAT;
use aplomb_language::diagnostic::Source;
use aplomb_language::files::{Override, Written, written};
use aplomb_language::namespace::joined;
use std::ops::Range;

impl ControllerFile {
    /// The file and bytes of the value that an override replaces; `None` if it is not written in a file, or is in a
    /// file that is included more than once.
    pub fn written(&self, item: &Override) -> Option<(Source, Range<usize>)> {
        let (mut file, mut prefix) = (self.source.file_at(0), String::new());
        let mut found = item.written(&file, &FORMAT);
        loop {
            let (name, rest) = match found {
                Written::Here(span) => return Some((file, span)),
                Written::Nowhere => return None,
                Written::Within(name, rest) => (name, rest),
            };
            prefix = joined(&prefix, &name);
            let label = format!("{prefix}: ");
            let kept = self.source.included().find(|kept| kept.label.starts_with(&label))?;
            let is_same = |other: &Source| other.name == kept.source.name && other.path == kept.source.path;
            if self.source.included().filter(|other| is_same(&other.source)).count() > 1 {
                return None;
            }
            found = written(rest, &kept.source, &FORMAT);
            file = kept.source;
        }
    }
}
