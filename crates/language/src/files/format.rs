//! Properties of a kind of file beyond its types.

use std::ops::Range;
use toml::de::DeTable;

/// Properties of a kind of file beyond its types.
#[derive(Clone, Copy, Debug, Default)]
pub struct Format {
    /// Tables whose keys users choose (`events`, `states`): an override cannot reach through a name that is not
    /// there.
    pub named: &'static [&'static str],
    /// Keys that say what the others of their table may be, after the tables they stand in (keys joined by dots, `*` for
    /// any): they are read first, wherever they stand.
    pub first: &'static [(&'static str, &'static str)],
    /// Keys whose value may be infinite; nothing else may.
    pub may_be_infinite: &'static [&'static str],
    /// Where a path of keys leads that is written in short, in this document.
    pub unfold: Option<Unfold>,
}

/// Keys from the root of a document, with where each stands.
pub type Keys = Vec<(String, Range<usize>)>;

/// The keys that are meant, in a document.
pub type Unfold = fn(&DeTable<'_>, Keys) -> Keys;
