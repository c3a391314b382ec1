//! Paths of items in a document.

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum PathStep {
    /// A key of a table.
    Key(String),
    /// An index of an element of an array.
    Index(usize),
}

impl PathStep {
    /// The key; `None` for an index.
    pub(crate) fn key(&self) -> Option<&str> {
        if let PathStep::Key(key) = self { Some(key) } else { None }
    }
}

impl From<&str> for PathStep {
    fn from(key: &str) -> Self {
        PathStep::Key(key.to_owned())
    }
}

/// A path of keys.
pub(crate) fn key_path(keys: &[&str]) -> Vec<PathStep> {
    keys.iter().map(|key| PathStep::from(*key)).collect()
}

/// Whether a path has these keys; `*` is any key, `#` any index.
pub(crate) fn is(path: &[PathStep], pattern: &[&str]) -> bool {
    path.len() == pattern.len()
        && path.iter().zip(pattern).all(|(step, wanted)| match step {
            PathStep::Key(key) => *wanted == "*" || key == wanted,
            PathStep::Index(_) => *wanted == "#",
        })
}
