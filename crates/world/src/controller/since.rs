//! Start time of a state.

/// Start times of a level of a state and of its reasons to end, s.
#[derive(Clone, Copy, Debug, Default)]
pub struct Since {
    /// Time of entry.
    pub entered: f64,
    /// Time since which its `while` has not held.
    pub inapplicable: Option<f64>,
    /// Time since which its `until` has held.
    pub done: Option<f64>,
}
