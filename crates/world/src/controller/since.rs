//! Since when a state has lasted.

/// Since when a level of a state has lasted, and has had a reason to end, s.
#[derive(Clone, Copy, Debug, Default)]
pub struct Since {
    /// When it began.
    pub entered: f64,
    /// Since when its `while` has not held.
    pub inapplicable: Option<f64>,
    /// Since when its `until` has held.
    pub done: Option<f64>,
}
