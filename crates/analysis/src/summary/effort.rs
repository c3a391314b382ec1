//! Objective residuals of a controller, and its torque changes.

use aplomb_control::synthesis::BUILT_IN_COSTS;
use aplomb_trace::{Frame, Outcome};
use std::ops::Range;

/// Sums over the frames that have a solution.
#[derive(Default)]
pub(super) struct Effort {
    frames: u64,
    cost_sum: f64,
    /// Largest cost of each objective, the built-in ones first.
    largest_costs: Vec<f64>,
    last_torque: Vec<f64>,
    changes: u64,
    change_square_sum: f64,
}

impl Effort {
    /// Adds a frame; `joints`: the coordinates with actuated joints.
    pub(super) fn add(&mut self, frame: &Frame, joints: &Range<usize>) {
        if matches!(frame.outcome, Outcome::Failed { .. } | Outcome::Limp) {
            self.last_torque.clear();
            return;
        }
        self.frames += 1;
        self.cost_sum += frame.costs.iter().skip(BUILT_IN_COSTS.len()).sum::<f64>();
        self.largest_costs.resize(self.largest_costs.len().max(frame.costs.len()), 0.0);
        for (largest, cost) in self.largest_costs.iter_mut().zip(&frame.costs) {
            *largest = largest.max(*cost);
        }
        let torque = frame.torque.get(joints.clone()).unwrap_or_default();
        for (now, before) in torque.iter().zip(&self.last_torque) {
            self.changes += 1;
            self.change_square_sum += (now - before).powi(2);
        }
        self.last_torque.clear();
        self.last_torque.extend_from_slice(torque);
    }

    /// √ of the mean over frames of Σ w‖r‖² over the controller's objectives at the solution.
    pub(super) fn goal_error(&self) -> Option<f64> {
        (self.frames > 0).then(|| (self.cost_sum / self.frames as f64).sqrt())
    }

    /// Names of the objectives without a cost in any frame; `objectives` starts with the built-in ones.
    pub(super) fn idle(&self, objectives: &[String]) -> Vec<String> {
        let costs = objectives.iter().zip(&self.largest_costs).skip(BUILT_IN_COSTS.len());
        costs.filter(|(_, cost)| **cost == 0.0).map(|(name, _)| name.clone()).collect()
    }

    /// Root mean square over frames and joint coordinates of the torque's change since the previous frame, N
    /// m.
    pub(super) fn torque_change(&self) -> Option<f64> {
        (self.changes > 0).then(|| (self.change_square_sum / self.changes as f64).sqrt())
    }
}
