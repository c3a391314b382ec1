//! What a kind of file says beyond its types.

use super::renames::{OldFunction, Rename};

/// What a kind of file says beyond its types.
#[derive(Clone, Copy, Debug, Default)]
pub struct Format {
    /// Tables whose keys users choose (`events`, `states`): an override cannot reach through a name that is not
    /// there.
    pub named: &'static [&'static str],
    /// Keys and values of the release before.
    pub renames: &'static [Rename],
    /// Functions of the release before, in expressions.
    pub functions: &'static [OldFunction],
    /// Keys whose value may be infinite; nothing else may.
    pub may_be_infinite: &'static [&'static str],
}
