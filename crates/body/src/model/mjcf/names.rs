//! Unique names, given or generated.

use super::element::{Element, shortened};
use crate::model::xml::Tree;
use aplomb_language::diagnostic::FileError;
use std::collections::BTreeSet;

/// Suffix of the names in a copy of `<replicate>`.
#[derive(Clone, Default)]
pub(super) struct Suffix(String);

impl Suffix {
    /// The suffix of a copy nested in copies.
    pub(super) fn with(&self, inner: &str) -> Self {
        Suffix(format!("{inner}{}", self.0))
    }
}

/// The names of one kind of element.
#[derive(Clone)]
pub(super) struct ElementNames {
    /// All names in the file, so that no generated name equals a later one.
    given: BTreeSet<String>,
    taken: BTreeSet<String>,
}

impl ElementNames {
    /// The names of elements with one of these tags.
    pub(super) fn of(tree: &Tree, tags: &[&str]) -> Self {
        let named = tree.elements().filter(|node| tags.contains(&node.tag()));
        let given = named.filter_map(|node| node.attribute("name")).map(|name| name.value.trim().to_string());
        ElementNames { given: given.collect(), taken: BTreeSet::new() }
    }

    /// Whether the file uses this name.
    pub(super) fn is_given(&self, name: &str) -> bool {
        self.given.contains(name)
    }

    /// The element's name, or a unique one like `made_up`.
    pub(super) fn take(
        &mut self,
        element: &Element,
        suffix: &Suffix,
        made_up: impl FnOnce() -> String,
    ) -> Result<String, FileError> {
        if let Some(attribute) = element.name() {
            let name = format!("{}{}", attribute.value, suffix.0);
            if !self.taken.insert(name.clone()) {
                return Err(attribute.error(format!("there is another `{}`", shortened(&name))));
            }
            return Ok(name);
        }
        let mut name = made_up();
        while self.given.contains(&name) || !self.taken.insert(name.clone()) {
            name.push('_');
        }
        Ok(name)
    }
}
