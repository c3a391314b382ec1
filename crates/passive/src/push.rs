//! Pushes on passive objects.

use super::{PartId, PassiveSystem};
use nalgebra::Vector3;

/// A force on a part of a passive object, over a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectPush {
    /// Index of its system.
    pub system: usize,
    /// Part in that system.
    pub part: PartId,
    /// Point of application in the frame of the part, m.
    pub local: Vector3<f64>,
    /// Force, world, N.
    pub force: Vector3<f64>,
}

impl ObjectPush {
    /// Applies the force to its system over the next step.
    pub(super) fn apply(&self, system: &mut dyn PassiveSystem) {
        let at = system.part(self.part);
        system.apply_force(self.part, &(at.position + at.orientation * self.local), &self.force);
    }
}
