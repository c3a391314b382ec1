//! What is measured of contacts where the state comes from outside: which points bear, and how far the ground gives way.

use crate::model::BodyId;
use nalgebra::Vector3;

/// A contact that was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredContact {
    /// Body that is touched.
    pub body: BodyId,
    /// World, m.
    pub point: Vector3<f64>,
    /// Force on the body, world, N; `None` where only the touch is known.
    pub force: Option<Vector3<f64>>,
}

/// What is known of a character's contacts beside the geometry.
#[derive(Clone, Debug, Default)]
pub(super) struct MeasuredTouches {
    /// Contacts stick where they are in each frame: the state is a measured one.
    pub is_on: bool,
    /// So deep what bears sinks into a surface, m.
    pub depth: f64,
    /// Of each slot, whether it was said to bear; empty where nothing was said.
    pub bears: Vec<bool>,
}

impl MeasuredTouches {
    /// Whether a slot was said to bear; `None` where nothing was said of any.
    pub fn bears(&self, slot: usize) -> Option<bool> {
        self.bears.get(slot).copied()
    }

    /// The gap that counts, m: a soft surface is not penetrated by what sinks into it, and what is said to bear has none.
    pub fn gap(&self, slot: usize, gap: f64) -> f64 {
        if !self.is_on {
            return gap;
        }
        let gap = if gap < 0.0 { (gap + self.depth).min(0.0) } else { gap };
        if self.bears(slot) == Some(true) { gap.min(0.0) } else { gap }
    }
}
