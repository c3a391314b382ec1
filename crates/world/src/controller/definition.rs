//! A bound definition of a controller.

use aplomb_language::expression::{Any, Interval};

/// A named expression, bound.
#[derive(Clone, Debug)]
pub struct Definition {
    pub(super) bound: Any,
    pub(super) range: Interval,
    /// For each role, whether the expression uses it, itself or through another definition.
    pub(super) roles: Vec<bool>,
    /// Length in characters, with its definitions expanded.
    pub(super) length: usize,
}

/// The definitions of a controller in the order of the file; `None` where one is not bound (yet).
pub(super) type Definitions = Vec<Option<Definition>>;
