//! Measured contacts, for a state from an external source: which points are in contact, and the compression
//! of the ground.

use crate::model::BodyId;
use nalgebra::Vector3;

/// A measured contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredContact {
    /// Body that is in contact.
    pub body: BodyId,
    /// Contact point, world, m.
    pub point: Vector3<f64>,
    /// Force on the body, world, N; `None` if only the contact is known.
    pub force: Option<Vector3<f64>>,
}

/// Measurements of a character's contacts.
#[derive(Clone, Debug, Default)]
pub(super) struct MeasuredTouches {
    /// Whether the state is measured, so that contacts stick where they are in each frame.
    pub is_on: bool,
    /// Depth by which active contacts penetrate a soft surface, m.
    pub depth: f64,
    /// Whether each slot is measured to be in contact; empty without measurements.
    pub bears: Vec<bool>,
}

impl MeasuredTouches {
    /// Whether a slot is measured to be in contact; `None` without measurements.
    pub(super) fn bears(&self, slot: usize) -> Option<bool> {
        self.bears.get(slot).copied()
    }

    /// The effective gap, m: the compression of a soft surface is not a penetration, and measured contacts have no
    /// gap.
    pub(super) fn gap(&self, slot: usize, gap: f64) -> f64 {
        if !self.is_on {
            return gap;
        }
        let gap = if gap < 0.0 { (gap + self.depth).min(0.0) } else { gap };
        if self.bears(slot) == Some(true) { gap.min(0.0) } else { gap }
    }
}
