//! Paths of items in a document.

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// A key of a table.
    Key(String),
    /// A number of an element of an array.
    Index(usize),
}

impl Step {
    /// The key, of a step in a table.
    pub fn key(&self) -> Option<&str> {
        if let Step::Key(key) = self { Some(key) } else { None }
    }
}

impl From<&str> for Step {
    fn from(key: &str) -> Self {
        Step::Key(key.to_owned())
    }
}

/// A path of keys.
pub fn key_path(keys: &[&str]) -> Vec<Step> {
    keys.iter().map(|key| Step::from(*key)).collect()
}

/// Whether a path has these keys; `*` is any key, `#` any number.
pub fn is(path: &[Step], pattern: &[&str]) -> bool {
    path.len() == pattern.len()
        && path.iter().zip(pattern).all(|(step, wanted)| match step {
            Step::Key(key) => *wanted == "*" || key == wanted,
            Step::Index(_) => *wanted == "#",
        })
}
