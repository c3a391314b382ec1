//! Torque change: the reference torques, and the weight of the difference from them.

use aplomb_body::model::Model;
use std::ops::Range;

/// Weight of torque change in the first frame, in which the previous torques are only a guess.
const FIRST_TORQUE_CHANGE_WEIGHT: f64 = 1e-6;
/// Largest number of coordinates whose actuation cost is written at once.
pub(super) const LONGEST_CHAIN: usize = 8;

/// The cost w ‖(τ − τ₀)/(m g h)‖² of a frame ([Jain 2009] eq. 10 and §4.1).
#[derive(Clone, Copy, Debug)]
pub struct ActuationCost<'a> {
    /// Weight w.
    pub weight: f64,
    /// Reference τ₀ per velocity coordinate, N m: the torques of the previous frame, or those held by a reaction
    /// delay.
    pub torque: &'a [f64],
}

impl<'a> ActuationCost<'a> {
    /// The cost of a change from the torques `before`, with nearly no weight in the first frame.
    pub fn reluctant(weight: f64, before: &'a [f64], first_frame: bool) -> Self {
        ActuationCost {
            weight: if first_frame { FIRST_TORQUE_CHANGE_WEIGHT } else { weight },
            torque: before,
        }
    }
}

/// The actuated coordinates of a model, in order, in runs in which each is the child of the previous one: the rows of
/// a run are zero in the same columns.
pub(super) fn chains(model: &Model) -> Vec<Range<usize>> {
    let mut chains: Vec<Range<usize>> = Vec::new();
    for k in (0..model.nv).filter(|&k| model.is_actuated[k]) {
        match chains.last_mut() {
            Some(run) if run.end == k && model.dof_parent[k] == Some(k - 1) && run.len() < LONGEST_CHAIN => {
                run.end += 1;
            }
            _ => chains.push(k..k + 1),
        }
    }
    chains
}
