//! Properties of a kind of file beyond its types.

use std::ops::Range;
use toml::de::DeTable;

/// Properties of a kind of file beyond its types.
#[derive(Clone, Copy, Debug, Default)]
pub struct Format {
    /// Tables whose keys users choose (`events`, `states`): an override cannot create an entry in them.
    pub named: &'static [&'static str],
    /// Keys that determine which other keys their table may have, with the path of the table (keys joined by
    /// dots, `*` for any): they are parsed first, wherever they are.
    pub first: &'static [(&'static str, &'static str)],
    /// Keys whose value may be infinite; all others must be finite.
    pub may_be_infinite: &'static [&'static str],
    /// Expands a shortened path of keys in this document.
    pub unfold: Option<Unfold>,
}

/// Keys from the root of a document, with their spans.
pub type Keys = Vec<(String, Range<usize>)>;

/// Expands a path of keys in a document.
pub type Unfold = fn(&DeTable<'_>, Keys) -> Keys;
