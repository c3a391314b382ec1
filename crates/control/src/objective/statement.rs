//! What a file says of an objective, as written: for those who judge files rather than frames.

use super::JointName;
use aplomb_language::expression::{Unit, Written};

/// What a file says of an objective.
#[derive(Clone, Debug, Default)]
pub struct Statement {
    /// What it is about: the same text for the same subject. `None` where two of it do not contradict each other.
    pub about: Option<String>,
    /// Where that should be.
    pub target: Option<Written>,
    /// Unit of the target.
    pub unit: Option<Unit>,
    /// Where joints should be, by name.
    pub angles: Vec<(JointName, Written)>,
    /// Everything else that is an expression or a name.
    pub others: Vec<Written>,
    /// Whether it keeps up with its target, where the file says so.
    pub follow: Option<bool>,
}
