//! The saved state of a chain between two steps.

use super::{BodyVelocity, Chain, PoseDrive, RigidPose};

/// Everything that a step reads and changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct SavedChain {
    time: f64,
    poses: Vec<RigidPose>,
    motions: Vec<BodyVelocity>,
    pulls: Vec<f64>,
    drives: Vec<PoseDrive>,
    /// The flags of each group, in order.
    passed_by: Vec<bool>,
}

impl Chain {
    /// Saves the state, without forces applied since the last step.
    pub(crate) fn save(&self, saved: &mut SavedChain) {
        saved.time = self.time;
        saved.poses.clone_from(&self.poses);
        saved.motions.clone_from(&self.motions);
        saved.pulls.clone_from(&self.pulls);
        saved.drives.clone_from(&self.drives);
        saved.passed_by.clear();
        saved.passed_by.extend(self.groups.iter().flat_map(|group| &group.passed_by));
    }

    /// Restores the state.
    pub(crate) fn restore(&mut self, saved: &SavedChain) {
        self.time = saved.time;
        self.poses.clone_from(&saved.poses);
        self.motions.clone_from(&saved.motions);
        self.pulls.clone_from(&saved.pulls);
        self.drives.clone_from(&saved.drives);
        let all = self.groups.iter_mut().flat_map(|group| &mut group.passed_by);
        all.zip(&saved.passed_by).for_each(|(passes, saved)| *passes = *saved);
        self.external.fill([0.0; 6]);
    }
}
