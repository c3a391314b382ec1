//! An objective as its file states it, for checks of files rather than frames.

use super::JointName;
use aplomb_language::expression::{Unit, WrittenValue};

/// An objective as its file states it.
#[derive(Clone, Debug, Default)]
pub struct Statement {
    /// Subject of the objective: equal texts mean equal subjects. `None` where two objectives with that
    /// subject do not contradict each other.
    pub about: Option<String>,
    /// Target, as written.
    pub target: Option<WrittenValue>,
    /// Unit of the target.
    pub unit: Option<Unit>,
    /// Targets of joints, by name.
    pub angles: Vec<(JointName, WrittenValue)>,
    /// All other expressions and names.
    pub others: Vec<WrittenValue>,
    /// Whether the goal follows its target, where the file sets that.
    pub follow: Option<bool>,
}
