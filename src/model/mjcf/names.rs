//! Names: given once each, or made up.

use super::element::{Element, shortened};
use crate::language::diagnostic::FileError;
use roxmltree::Document;
use std::collections::BTreeSet;

/// The names of one kind of element.
pub(super) struct Names {
    /// Everything the file calls by name, so that no made-up name collides with one that comes later.
    given: BTreeSet<String>,
    taken: BTreeSet<String>,
}

impl Names {
    /// For the elements with one of these tags.
    pub fn of(document: &Document, tags: &[&str]) -> Self {
        let named = document.descendants().filter(|node| tags.contains(&node.tag_name().name()));
        let given = named.filter_map(|node| node.attribute("name")).map(|name| name.trim().to_string());
        Names { given: given.collect(), taken: BTreeSet::new() }
    }

    /// The element's name, or one like `made_up` that nothing else has.
    pub fn take(&mut self, element: &Element, made_up: impl FnOnce() -> String) -> Result<String, FileError> {
        if let Some(attribute) = element.name() {
            if !self.taken.insert(attribute.value.to_string()) {
                return Err(attribute.error(format!("there is another `{}`", shortened(attribute.value))));
            }
            return Ok(attribute.value.to_string());
        }
        let mut name = made_up();
        while self.given.contains(&name) || !self.taken.insert(name.clone()) {
            name.push('_');
        }
        Ok(name)
    }
}
