//! Bodies that were read, each until its text changes.

use crate::names::{Parts, parts};
use aplomb_body::model::mjcf;
use aplomb_language::diagnostic::Source;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Most bodies that are kept.
const MOST: usize = 32;

/// Names of the parts of bodies, by the name of their file.
#[derive(Default)]
pub(super) struct Bodies(BTreeMap<String, (Arc<str>, Arc<Parts>)>);

impl Bodies {
    /// The names of a body's parts; empty for a body that cannot be read.
    pub(super) fn parts(&mut self, source: &Source) -> Arc<Parts> {
        if let Some((text, parts)) = self.0.get(&*source.name)
            && *text == source.text
        {
            return parts.clone();
        }
        let read = mjcf::read(source).map(|model| parts(&model)).unwrap_or_default();
        let read = Arc::new(read);
        if self.0.len() >= MOST {
            self.0.clear();
        }
        self.0.insert(source.name.to_string(), (source.text.clone(), read.clone()));
        read
    }
}
