//! Pushes on passive objects.

use super::{PartId, PassiveSystem};
use nalgebra::Vector3;

/// A push on a part of a passive object, over a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectPush {
    /// Number of its system.
    pub system: usize,
    /// By which that system knows it.
    pub part: PartId,
    /// In the frame of the part, m.
    pub local: Vector3<f64>,
    /// World, N.
    pub force: Vector3<f64>,
}

impl ObjectPush {
    /// Acts on its system over the next step.
    pub(super) fn apply(&self, system: &mut dyn PassiveSystem) {
        let at = system.part(self.part);
        system.apply_force(self.part, &(at.position + at.orientation * self.local), &self.force);
    }
}
