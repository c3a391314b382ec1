//! The saved state of one articulated body between two steps.

use aplomb_body::model::state::State;

/// Everything that a step of the system reads and changes.
#[derive(Clone, Debug, Default)]
pub struct SavedSystem {
    pub state: State,
    pub lead: Vec<f64>,
    pub lead_time: f64,
    pub told_lead: Vec<f64>,
    pub acceleration: Vec<f64>,
    pub held: bool,
}
